"""`labkit doctor`: check the installation and the course."""

from __future__ import annotations

import sys

import click

from labkit.cli.options import InCourse
from labkit.student.model.project import Project


@click.command(cls=InCourse)
def doctor(project: Project) -> None:
    """Check the installation and the course, and print what to fix."""
    from labkit.cli.pipeline.installation import examine_installation

    sound = True
    for good, text in examine_installation(project):
        sound &= good
        click.echo(f"{'✔' if good else '✘'} {text}")
    sys.exit(0 if sound else 1)
