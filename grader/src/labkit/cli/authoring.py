"""`labkit new`, `new-lab`, `build`, `check`, `translate` and `lock`: write a course and keep it up to date."""

from __future__ import annotations

import shlex
from itertools import chain
from pathlib import Path

import click

from labkit.cli.options import PATH, UNSANDBOXED, InCourse
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import printable


@click.command(cls=InCourse)
@click.argument("names", nargs=-1, metavar="[LAB]...")
def build(project: Project, names: tuple[str, ...]) -> None:
    """Generate notebooks and expected data from the sources."""
    from labkit.author.source.build import build as build_lab
    from labkit.author.source.build import write
    from labkit.author.source.translate import generated_shared, warnings

    chosen = [project.course.lab_named(name) for name in names] or project.course.names
    for lab in chosen:
        for path in build_lab(project, project.course.labs[lab]):
            click.echo(path)
    for path in write(generated_shared(project), project.root):
        click.echo(path)
    for line in dict.fromkeys(line for lab in chosen for line in warnings(project, project.course.labs[lab])):
        click.echo(line, err=True)


@click.command(cls=InCourse)
@click.argument("notebook", type=PATH)
@click.option(
    "--language", type=click.Choice(["en", "es"]), help="Language of the messages.  [default: the notebook's]"
)
@UNSANDBOXED
def check(project: Project, notebook: Path, language: str | None, allow_unsandboxed: bool) -> None:
    """Run the lab's own checks on NOTEBOOK and print their messages."""
    from labkit.grade.intake.notebooks import Refusal, notebook_in
    from labkit.grade.judge.run import Run
    from labkit.grade.sandbox.confine import check_isolation
    from labkit.student.judging.finding import Finding
    from labkit.student.judging.words import load, say, title
    from labkit.student.notebook.examine import examine

    if not notebook.is_file():
        raise UserError(f"{notebook}: no such file")
    found = notebook_in(project, notebook)
    if isinstance(found, Refusal):
        raise UserError(f"{notebook}: {found.reason}")
    language = language or found.language
    load(project.course)
    check_isolation(project, [notebook], allow_unsandboxed)
    run = Run.of(project, found, budgets=project.budgets)
    try:
        for exercise in run.lab.exercises:
            if not exercise.checked:
                facts = {"name": title(exercise.name, language)}
                line = say("", Finding("check-written" if exercise.written else "check-graded-only", facts), language)
            else:
                line = examine(project.course, exercise, lambda probe: run.ask(exercise, probe)).line(language)
            click.echo(printable(line))
    finally:
        run.close()


@click.command(cls=InCourse)
@click.argument("name", metavar="LAB")
@click.option(
    "--to", "language", metavar="LANGUAGE", help="Language code.  [default: the second language in labkit.toml]"
)
def translate(project: Project, name: str, language: str | None) -> None:
    """Start a lab's translation or bring it up to date, and list what is left to translate."""
    from labkit.author.source.build import write
    from labkit.author.source.translate import faults, generated_editions, generated_shared, translations

    lab = project.course.labs[project.course.lab_named(name)]
    if language is None:
        language = next(iter(project.editions), None)
    if not project.editions:
        raise UserError('labkit.toml has no language but English: add one, as in languages = ["en", "es"]')
    if language not in project.editions:
        raise UserError(
            f"--to {language}: labkit.toml has the languages {', '.join(project.languages)}; choose one other than English"
        )
    for each in translations(project, lab, language):
        if each.renew():
            click.echo(each.path)
    for path in write(chain(generated_shared(project), generated_editions(project, lab)), project.root):
        click.echo(path)
    if left := [*faults(project, lab, language)]:
        click.echo("\n".join(left))
        need = "text still needs" if len(left) == 1 else "texts still need"
        raise UserError(f"{lab.name}: {len(left)} {need} work in {language}")


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
def new(folder: Path) -> None:
    """Create a small course in DIR to start from."""
    from labkit.author.source.new import new_course

    try:
        package = new_course(folder)
    except OSError as error:
        raise UserError(f"{folder}: cannot create a course here ({error.strerror})") from None
    click.echo(
        f"{folder}: new course with one lab; its code is in the package {package}. Next steps (README.md explains them):"
    )
    click.echo(f"  cd {shlex.quote(str(folder))} && labkit build && labkit grade examples/class --out graded")


@click.command("new-lab", cls=InCourse)
@click.argument("name")
def new_lab(project: Project, name: str) -> None:
    """Add a lab after the last one. Give its NAME without a number. Replace its example exercise with your own."""
    from labkit.author.source.new import new_lab as add_lab

    try:
        files = add_lab(project, name)
    except OSError as error:
        raise UserError(f"{error.filename}: cannot add the lab ({error.strerror})") from None
    lab = files[-1].stem
    click.echo(f"Added {lab} to the course, in these files. Replace everything marked REPLACE in them:")
    for path in files:
        click.echo(path)
    click.echo(f"Then run `labkit build {lab[:2]}` and `labkit doctor`.")


@click.command(cls=InCourse)
def lock(project: Project) -> None:
    """Store digests of the locked files. Run this only after you changed a locked file on purpose."""
    from labkit.grade.batch.course_check import lock as write_lock

    for path, digest in write_lock(project).items():
        click.echo(
            f"{path.name} is locked at {digest[:12]}; run `labkit build` and the tests, and commit the file with its digest"
        )
