"""What a submission's kernel process runs first, as `python -I launch.py VIEW HIDDEN LIMITS -f CONNECTION_FILE`.

VIEW is the folder whose packages the submission may import; HIDDEN, the project's own source folder, leaves the path,
so that the lab that asks to build the locked module does not find it. LIMITS is JSON: a POSIX limit by its name.
"""

import json
import sys


def main() -> None:
    view, hidden, limits = sys.argv[1:4]
    sys.argv[1:4] = []
    sys.path[:] = [view, *(path for path in sys.path if path != hidden)]
    limit(json.loads(limits))
    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance()


def limit(limits: dict) -> None:
    """Set each POSIX limit, never above what the process is allowed already."""
    import resource

    for name, wanted in limits.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        hard = resource.getrlimit(which)[1]
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(which, (value, value))
        except (ValueError, OSError):  # macOS refuses some limits; the others still hold
            pass


if __name__ == "__main__":
    main()
