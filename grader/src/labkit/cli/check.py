"""`labkit check`: what the checks inside a lab say about a notebook."""

from __future__ import annotations

from pathlib import Path

import click

from labkit import project
from labkit.cli.options import UNSANDBOXED, InCourse, ask_for_isolation
from labkit.cli.problems import Problem
from labkit.text import printable


@click.command(cls=InCourse)
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option("--language", type=click.Choice(["en", "es"]), help="By default the notebook's.")
@UNSANDBOXED
def check(notebook: Path, language: str | None, allow_unsandboxed: bool) -> None:
    """Print what the checks inside the lab say about NOTEBOOK."""
    from labkit.grading.run import Run
    from labkit.intake.notebooks import Refusal, read_submission
    from labkit.judging.finding import Finding
    from labkit.judging.words import say
    from labkit.notebook.examine import examine

    if not notebook.is_file():
        raise Problem(f"{notebook}: there is no such file")
    submission = read_submission(notebook)
    if isinstance(submission, Refusal):
        raise Problem(f"{notebook}: {submission.reason}")
    language = language or submission.language
    ask_for_isolation([notebook], allow_unsandboxed)
    run = Run.of(submission, budgets=project.current().own_budgets)
    try:
        for exercise in submission.lab.exercises:
            if exercise.written:
                line = say("", Finding("check-written", {"name": exercise.name}), language)
            else:
                line = examine(exercise, lambda probe: run.session.ask(exercise, probe)).line(language)
            click.echo(printable(line))
    finally:
        run.close()
