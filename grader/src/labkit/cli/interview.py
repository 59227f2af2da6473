"""`labkit interview`: make a page with questions about each student's own code, and a key for the assistant."""

from __future__ import annotations

import os
from pathlib import Path

import click

from labkit.cli.options import PATH, UNSANDBOXED, InCourse, Whole, lab_named, labs_option, out_option, writing
from labkit.student.model.project import Project
from labkit.student.model.text import amount, printable


@click.command(cls=InCourse)
@click.argument("results", metavar="OUT", type=PATH)
@click.option("--student", "students", metavar="ID", multiple=True, help="Ask only this student; may be repeated.")
@click.option("--sample", type=Whole(1, 2**31), help="Ask N students, drawn with the seed.")
@click.option(
    "--seed", type=Whole(0, 2**31), help="Draw the questions with this seed.  [default: the seed of the results]"
)
@labs_option("Ask about")
@click.option(
    "--jobs",
    type=Whole(1, 1000),
    default=os.cpu_count() or 1,
    help="Run N students' code at once.  [default: one for each processor]",
)
@out_option("The folder to write the pages to.")
@UNSANDBOXED
def interview(
    project: Project,
    results: Path,
    students: tuple[str, ...],
    sample: int | None,
    seed: int | None,
    only: tuple[str, ...],
    jobs: int,
    out: Path,
    allow_unsandboxed: bool,
) -> None:
    """Make a page with three questions about each student's own code. OUT is the results folder.

    Each answer is computed by running the student's code at new arguments, or with one token changed. The file _key.html has the
    answers, and adjustments.csv a row for each student's points.
    """
    from labkit.desk.interview import pages
    from labkit.grade.batch import Settings
    from labkit.grade.batch.local_executor import try_each
    from labkit.grade.sandbox.confine import check_isolation

    check_isolation(project, [results], allow_unsandboxed)
    labs = {lab_named(project.course, name) for name in only}
    own = pages.Class(project, results, labs, students, sample, seed)
    tried: dict[str, dict[str, tuple]] = {student: {} for student in own.students}
    settings = Settings(jobs, own.seed, project.budgets, unsandboxed=allow_unsandboxed)
    for trial, tries in try_each(project, own.trials(settings.budgets), settings, click.echo):
        tried[trial.student][trial.lab] = tries
    interviews = [own.interview(student, tried[student]) for student in own.students]
    with writing(out):
        pages.write(out, interviews)
    asked = [each for each in interviews if each.parts]
    questions = sum(each.count for each in asked)
    click.echo(
        f"{out}: {amount(questions, 'question')} for {amount(len(asked), 'student')}, {pages.KEY}.html and {pages.POINTS} (seed {own.seed})"
    )
    for each in interviews:
        if each.count < pages.QUESTIONS:
            why = (
                "; ".join(f"{name}: {reason}" for name, reason in each.reasons.items())
                or pages.REASONS["no-differences" if each.parts else "no-answer"]
            )
            click.echo(f"  {printable(each.student)}: {amount(each.count, 'question')} ({printable(why)})")
