"""Entry point of `labkit` and `python -m labkit`. Reports an interrupt in one line, even one during the imports."""

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
    except (KeyboardInterrupt, Exception) as error:
        if not _interrupted(error):
            raise
        print("labkit: interrupted; finished work is kept; continue with --resume", file=sys.stderr)
        sys.exit(130)


def _interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt caused the error. Interrupted code, such as a class definition, may raise another error instead."""
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


if __name__ == "__main__":
    main()
