"""`labkit new`, `new-lab`, `build` and `lock`: a course, made and kept."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from labkit.cli.options import InCourse, lab_named
from labkit.model.project import Project
from labkit.pipeline.problems import Problem


@click.command(cls=InCourse)
@click.argument("names", nargs=-1, metavar="[LAB]...")
def build(project: Project, names: tuple[str, ...]) -> None:
    """Generate the student and solution notebooks and the expected data from the sources."""
    from labkit.authoring.build import build as build_lab

    for lab in [lab_named(project.course, name) for name in names] or project.course.names:
        for path in build_lab(project, project.course.labs[lab]):
            click.echo(path)


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new(folder: Path) -> None:
    """Make a small course in DIR, to be changed into one's own."""
    from labkit.authoring.new import NotNew, new_course

    try:
        package = new_course(folder)
    except NotNew as problem:
        raise Problem(str(problem)) from None
    except OSError as error:
        raise Problem(f"{folder}: a course cannot be made here ({error.strerror})") from None
    click.echo(f"{folder}: a course of one lab, package {package}. Next, as its README.md says:")
    click.echo(f"  cd {shlex.quote(str(folder))} && labkit build && labkit grade examples/class --out out")


@click.command("new-lab", cls=InCourse)
@click.argument("name")
def new_lab(project: Project, name: str) -> None:
    """Add a lab to the course, after the last one: NAME without its number. Its example exercise is to be replaced."""
    from labkit.authoring.new import NotNew
    from labkit.authoring.new_lab import new_lab as add_lab

    try:
        files = add_lab(project, name)
    except NotNew as problem:
        raise Problem(str(problem)) from None
    except OSError as error:
        raise Problem(f"{error.filename}: the lab cannot be added ({error.strerror})") from None
    lab = files[-1].stem
    click.echo(f"{lab} is in the course. Replace what says REPLACE in these files:")
    for path in files:
        click.echo(path)
    click.echo(f"Then: labkit build {lab[:2]}, labkit doctor")


@click.command(cls=InCourse)
def lock(project: Project) -> None:
    """Lock the course's locked files as they are now. Do this only when they were changed on purpose."""
    from labkit.authoring.lock import lock as write_lock

    for path, digest in write_lock(project).items():
        click.echo(f"{path.name} is locked at {digest[:12]}; run `labkit build` and the tests, and commit both files")
