"""The command line: each command is in the file with its name, or with related commands."""

import click

from labkit.cli.authoring import build, check, lock, new, new_lab, translate
from labkit.cli.doctor import doctor
from labkit.cli.grade import grade, merge
from labkit.cli.release import release, site
from labkit.cli.results import export, interview, read

COMMANDS = build, check, doctor, export, grade, interview, lock, merge, new, new_lab, read, release, site, translate


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, commands=COMMANDS)
@click.version_option(package_name="nblabkit")
def cli() -> None:
    """Build labs in Jupyter notebooks, check answers, and grade a class."""
