"""`labkit check`: run a lab's own checks on a notebook."""

from __future__ import annotations

from pathlib import Path

import click

from labkit.cli.options import PATH, UNSANDBOXED, InCourse
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import printable


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
