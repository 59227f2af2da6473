"""`labkit release`: the course as another grader takes it."""

from __future__ import annotations

from pathlib import Path

import click

from labkit.cli.options import InCourse, Whole, lab_named
from labkit.model.course import CourseError
from labkit.model.project import Project
from labkit.pipeline.problems import Failure, Problem


@click.command(cls=InCourse)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write into.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["nbgrader", "gradescope"]),
    default="nbgrader",
    show_default=True,
    help="nbgrader: a course tree. gradescope: an autograder's zip for each lab.",
)
@click.option(
    "--lab", "only", metavar="NAME", multiple=True, help="Only this lab, by its name or number; may be repeated."
)
@click.option(
    "--seed",
    type=Whole(0),
    help="Draws the hidden probes.  [default: drawn once for each --out, and kept there]",
)
@click.option(
    "--allow-unsandboxed", is_flag=True, help="For gradescope: grade there also where kernels cannot be isolated."
)
def release(
    project: Project, out: Path, form: str, only: tuple[str, ...], seed: int | None, allow_unsandboxed: bool
) -> None:
    """Write the course as another grader takes it. All of it is the instructor's: it holds the answers and the tests."""
    if allow_unsandboxed and form != "gradescope":
        raise Problem(f"--to {form} takes no --allow-unsandboxed: nothing isolates answers there")
    if out.exists() and not out.is_dir():
        raise Problem(f"{out}: there is a file of this name already")
    names = [lab_named(project.course, name) for name in only] or project.course.names

    from labkit.grading.course_check import wrong_parts
    from labkit.grading.settings import seed_for
    from labkit.release import gradescope, nbgrader

    for fault in wrong_parts(project, names):
        raise CourseError(fault)
    labs = [project.course.labs[name] for name in names]
    try:
        if form == "nbgrader":
            nbgrader.may_be_written(out)
        out.mkdir(parents=True, exist_ok=True)
        seed = seed_for(out, seed)
        if form == "nbgrader":
            nbgrader.write_tree(project, labs, seed, out)
            click.echo(f"{out}: {len(labs)} assignments. Next: cd {out} && nbgrader generate_assignment {names[0]}")
        else:
            for path in gradescope.write_zips(project, labs, seed, allow_unsandboxed, out):
                click.echo(path)
    except OSError as error:
        raise Failure(f"{error.filename or out}: it cannot be written ({error.strerror})") from None
