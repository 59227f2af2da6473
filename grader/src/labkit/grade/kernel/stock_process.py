"""Start a stock kernel's process: `python -I stock_process.py IMPORT_ROOT HIDDEN CONFINEMENT LAYER …`.

The process may import the packages in IMPORT_ROOT. HIDDEN, the course's source folder, is removed from the path, so that
submissions for a lab in which students build the locked module cannot import that module. CONFINEMENT is JSON,
and LAYER names the layer that enforces it.
"""

import os
import sys


def main() -> None:
    import_root, hidden, confinement, layer = sys.argv[1:5]
    sys.argv[1:5] = []
    sys.path[:] = [import_root, *(path for path in sys.path if path != hidden)]
    from labkit.grade.sandbox.confine import Confinement, confine, refuse_names

    confine(Confinement.from_json(confinement), layer)
    if sys.platform == "linux":  # ends with its parent; ipykernel does not accept bubblewrap's process 1 as a parent
        os.environ.pop("JPY_PARENT_PID", None)
    from ipykernel.kernelapp import IPKernelApp

    from labkit.grade.kernel.shell_commands import exit_cell_only, skip_shell_magics
    from labkit.student.calls import state

    app = IPKernelApp.instance()
    app.initialize()
    skip_shell_magics(app.shell)
    exit_cell_only(app.shell)
    refuse_names(layer)
    state.remember()
    app.start()


if __name__ == "__main__":
    main()
