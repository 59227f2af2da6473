"""`labkit doctor`: is everything in place?"""

from __future__ import annotations

import sys

import click

from labkit.cli.options import InCourse
from labkit.model.project import Project


@click.command(cls=InCourse)
def doctor(project: Project) -> None:
    """Say whether everything the labs and the grader need is in place."""
    from labkit.doctor import examine_installation

    sound = True
    for good, text in examine_installation(project):
        sound &= good
        click.echo(f"{'✔' if good else '✘'} {text}")
    sys.exit(0 if sound else 1)
