"""`labkit release`: package the course for students or for another grader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from labkit.cli.options import InCourse, Whole, lab_named, writing
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount

FORMS = ("students", "nbgrader", "gradescope")


@click.command(cls=InCourse)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write into.")
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMS),
    default="students",
    show_default=True,
    help="students: labs, wheels, an environment. nbgrader: a course tree. gradescope: an autograder zip for each lab.",
)
@click.option(
    "--lab",
    "only",
    metavar="NAME",
    multiple=True,
    help="Release only this lab, given by name or number; may be repeated.",
)
@click.option(
    "--seed",
    type=Whole(0),
    help="For nbgrader and gradescope: seed for the hidden calls.  [default: drawn once for each --out and stored there]",
)
@click.option("--allow-unsandboxed", is_flag=True, help="For gradescope: grade even where kernels cannot be isolated.")
def release(
    project: Project,
    out: Path,
    form: str,
    only: tuple[str, ...],
    seed: int | None,
    allow_unsandboxed: bool,
) -> None:
    """Package the course for students or for another grader. Students get no answers; other graders get answers and tests."""
    if allow_unsandboxed and form != "gradescope":
        raise UserError(f"--to {form} takes no --allow-unsandboxed: it has no isolation to turn off")
    if seed is not None and form == "students":
        raise UserError("--to students takes no --seed: it has no hidden calls")
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: a file with this name already exists")
    names = [lab_named(project.course, name) for name in only] or project.course.names

    from labkit.author.source.translate import must_be_whole
    from labkit.grade.batch.course_check import wrong_parts

    for fault in wrong_parts(project, names):
        raise UserError(fault)
    labs = [project.course.labs[name] for name in names]
    must_be_whole(project, labs)
    with writing(out):
        if form == "students":
            _for_students(project, labs, out)
        else:
            _for_a_grader(project, labs, form, seed, allow_unsandboxed, out)


def _for_students(project: Project, labs: Sequence[Lab], out: Path) -> None:
    from labkit.author.release import students

    students.may_be_written(out)
    out.mkdir(parents=True, exist_ok=True)
    written = students.write_release(project, labs, out)
    notebooks = amount(sum(path.suffix == ".ipynb" for path in written), "notebook")
    click.echo(f"{out}: {notebooks}, with wheels of labkit and the course. Give students the whole folder, as a zip.")


def _for_a_grader(
    project: Project, labs: Sequence[Lab], form: str, seed: int | None, allow_unsandboxed: bool, out: Path
) -> None:
    from labkit.author.release import gradescope, nbgrader
    from labkit.grade.batch.settings import seed_for

    if form == "nbgrader":
        nbgrader.may_be_written(out)
    out.mkdir(parents=True, exist_ok=True)
    seed = seed_for(out, seed)
    if form == "nbgrader":
        nbgrader.write_tree(project, labs, seed, out)
        assignments = amount(len(labs), "assignment")
        click.echo(f"{out}: {assignments}. Next: cd {out} && nbgrader generate_assignment {labs[0].name}")
    else:
        for path in gradescope.write_zips(project, labs, seed, allow_unsandboxed, out):
            click.echo(path)
