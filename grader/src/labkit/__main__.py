"""Entry point of `labkit` and `python -m labkit`. A problem that ends the command is one line on standard error.

So is an interrupt, even one during the imports.
"""

import os  # like sys, loaded by Python itself: an interrupt during an import in this file would print a traceback
import sys


def main() -> None:
    try:
        _run()
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "labkit":
            raise
        _end(f"labkit: {missing.name} is missing; install the grader: pip install 'nblabkit[grade]'", 2)
    except (KeyboardInterrupt, Exception) as error:
        if not _interrupted(error):
            raise
        _end("labkit: interrupted; finished work is kept; continue with --resume", 130)
    finally:
        _flush()


def _run() -> None:
    import gc

    gc.set_threshold(50_000)  # imports leave almost no garbage

    import click

    from labkit.cli import cli
    from labkit.grade.sandbox.faults import in_words
    from labkit.student.model.errors import UserError

    # A stream may be closed, and an old terminal may be unable to show some letters of a name.
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(cli.main(standalone_mode=False) or 0)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message())
        sys.exit(2)
    except click.ClickException as problem:
        where = getattr(getattr(problem, "ctx", None), "command_path", "labkit")
        _end(f"{where}: {' '.join(problem.format_message().split())}", 2)
    except UserError as error:
        _end(f"labkit: {' '.join(str(error).split())}", error.exit_code)
    except OSError as error:
        _end(f"labkit: {in_words(error)}", 3)


def _interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt caused the error. Interrupted code, such as a class definition, may raise another error instead."""
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _end(line: str, exit_code: int) -> None:
    """End with a line on standard error, after all earlier output."""
    _flush()
    try:
        print(line, file=sys.stderr)
    finally:  # even if the stream is closed
        sys.exit(exit_code)


def _flush() -> None:
    """Flush both streams, and discard what a closed or full one cannot take: Python would try again and exit with 120."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
