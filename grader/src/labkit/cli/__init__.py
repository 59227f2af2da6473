"""The command line: each command is in the file with its name, or with a related command."""

import click

from labkit.cli.authoring import build, lock, new, new_lab, translate
from labkit.cli.check import check
from labkit.cli.doctor import doctor
from labkit.cli.export import export
from labkit.cli.grade import grade, merge
from labkit.cli.interview import interview
from labkit.cli.read import read
from labkit.cli.release import release, site

COMMANDS = build, check, doctor, export, grade, interview, lock, merge, new, new_lab, read, release, site, translate


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, commands=COMMANDS)
@click.version_option(package_name="nblabkit")
def cli() -> None:
    """Build labs in Jupyter notebooks, check answers, and grade a class."""
