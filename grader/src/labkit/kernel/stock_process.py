"""What a stock kernel's process runs first, as `python -I stock_process.py IMPORT_ROOT HIDDEN CONFINEMENT LAYER …`.

Of IMPORT_ROOT it may import the packages. HIDDEN, the course's own source folder, leaves the path, so that the lab that
asks to build the locked module does not find it. CONFINEMENT is JSON, and LAYER how it is enforced.
"""

import os
import sys


def main() -> None:
    import_root, hidden, confinement, layer = sys.argv[1:5]
    sys.argv[1:5] = []
    sys.path[:] = [import_root, *(path for path in sys.path if path != hidden)]
    from labkit.sandbox.confine import Confinement, confine, refuse_names

    confine(Confinement.from_json(confinement), layer)
    if sys.platform == "linux":  # it ends with its parent; ipykernel would take process 1 of bubblewrap for no parent
        os.environ.pop("JPY_PARENT_PID", None)
    from ipykernel.kernelapp import IPKernelApp

    from labkit.kernel.skipped_magics import skip_shell_magics

    app = IPKernelApp.instance()
    app.initialize()
    skip_shell_magics(app.shell)
    refuse_names(layer)
    app.start()


if __name__ == "__main__":
    main()
