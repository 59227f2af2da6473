"""The command line: each command is in the file with its name, or with a related command."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from labkit.cli.authoring import build, lock, new, new_lab, translate
from labkit.cli.check import check
from labkit.cli.doctor import doctor
from labkit.cli.export import export
from labkit.cli.grade import grade, merge
from labkit.cli.interview import interview
from labkit.cli.read import read
from labkit.cli.release import release, site
from labkit.grade.sandbox.faults import in_words
from labkit.student.model.errors import UserError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nblabkit")
def cli() -> None:
    """Build labs in Jupyter notebooks, check answers, and grade a class."""


for command in (
    build,
    check,
    doctor,
    export,
    grade,
    interview,
    lock,
    merge,
    new,
    new_lab,
    read,
    release,
    site,
    translate,
):
    cli.add_command(command)


def main() -> None:
    """Run the command line. A problem that ends the command is printed as one line on standard error."""
    sys.stdout, sys.stderr = (
        stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr)
    )  # a stream may be closed
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # an old terminal may be unable to show some letters of a name
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


def _end(line: str, exit_code: int) -> None:
    """End with a line on standard error, after all earlier output; ignore a closed stream."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    with suppress(OSError):
        click.echo(line, err=True)
    sys.exit(exit_code)
