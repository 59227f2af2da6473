"""Entry point of `labkit` and `python -m labkit`. Reports an interrupt in one line, even one during the imports."""

import os  # like sys, loaded by Python itself: an interrupt during an import in this file would print a traceback
import sys


def main() -> None:
    try:
        from labkit.cli import main

        main()
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "labkit":
            raise
        _end(2, f"{missing.name} is missing; install the grader: pip install 'nblabkit[grade]'")
    except (KeyboardInterrupt, Exception) as error:
        if not _interrupted(error):
            raise
        _end(130, "interrupted; finished work is kept; continue with --resume")
    finally:
        _flush()


def _interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt caused the error. Interrupted code, such as a class definition, may raise another error instead."""
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _end(code: int, reason: str) -> None:
    try:
        print(f"labkit: {reason}", file=sys.stderr)
    finally:  # even if the stream is closed
        sys.exit(code)


def _flush() -> None:
    """Flush both streams, and discard what a closed or full one cannot take: Python would try again and exit with 120."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
