"""`labkit`, and `python -m labkit`: an interrupt is one line from the first moment on, also while the rest is imported."""

import sys


def main() -> None:
    try:
        from labkit.cli import main

        main()
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "labkit":
            raise
        print(f"labkit: {missing.name} is missing; install the grader: pip install 'nblabkit[grade]'", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("labkit: interrupted; what was finished is kept, and --resume goes on from there", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
