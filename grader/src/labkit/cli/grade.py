"""`labkit grade`: a class, with one command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from labkit.cli.export import ASSIGNMENT, write_scores
from labkit.cli.options import UNSANDBOXED, Whole, WithBudgets, lab_named
from labkit.model.budgets import MIB, Budgets, from_options
from labkit.model.project import Project
from labkit.pipeline.options import Options
from labkit.pipeline.problems import Failure, Problem

if TYPE_CHECKING:
    from labkit.grading.shard import Shard

LEAST_MEMORY = (
    1024 * MIB
)  # address space of one process, which is more than it uses: numpy and matplotlib take nearly all


def _file(name: str, help: str) -> object:
    return click.option(f"--{name}", metavar="FILE", type=click.Path(path_type=Path), help=help)


@click.command(cls=WithBudgets)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the results and reports.")
@click.option(
    "--jobs",
    type=Whole(1, 256),
    default=os.cpu_count() or 1,
    help="Submissions at once, as far as there is memory for them.  [default: cores]",
)
@click.option(
    "--seed",
    type=Whole(0),
    help="Draws the hidden probes.  [default: drawn once for each --out, and kept there]",
)
@click.option("--lab", "lab_name", metavar="NAME", help="Only this lab, by its name or number.")
@click.option(
    "--only",
    metavar="STUDENT",
    multiple=True,
    help="Grade only this student, or this student's group, again; all other rows and pages in --out stay. May be repeated.",
)
@click.option(
    "--replace", is_flag=True, help="Also when half of the students in --out, or more, are not in this class: they go."
)
@_file(
    "roster",
    "Who is in the class: a CSV file with the column id and, if wanted, name, email, login, section, group, extension, "
    "submitted_at; or Canvas's gradebook, or a grading worksheet of Moodle's.",
)
@_file(
    "deadlines", "When labs were due, and what lateness costs.  [default: the course's deadlines.toml, if there is one]"
)
@_file("comments", "Your own words for mistakes and checks.  [default: the course's comments.toml, if there is one]")
@_file("canvas", "The gradebook that Canvas exports: a copy with the final scores goes to canvas.csv in --out.")
@_file("moodle", "The same of Moodle's, or the grading worksheet of an assignment; the copy is moodle.csv.")
@ASSIGNMENT
@click.option("--diff", is_flag=True, help="Only say whose final score would change, and why; all stays as it is.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@click.option("--no-cache", is_flag=True, help="Run every submission again, unchanged ones too.")
@click.option(
    "--stock-kernel", is_flag=True, help="A kernel process for each submission, in place of a fork of a warm one."
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Judge on the workers of a Dask cluster: the address of its scheduler."
)
@click.option("--shard", metavar="I/N", help="Only this part of the class, as 3/16; `labkit merge` puts all together.")
@UNSANDBOXED
def grade(
    project: Project,
    paths,
    out,
    jobs,
    seed,
    lab_name,
    only,
    replace,
    roster,
    deadlines,
    comments,
    canvas,
    moodle,
    named,
    diff,
    resume,
    no_cache,
    stock_kernel,
    cluster,
    shard,
    allow_unsandboxed,
    **budgets,
) -> None:
    """Grade submissions: a download from an LMS, a folder or archive with STUDENT/LAB.ipynb, or notebooks."""
    _enough_memory()
    lab = lab_named(project.course, lab_name) if lab_name is not None else None
    gradebooks = _gradebooks(canvas=canvas, moodle=moodle)
    if diff and gradebooks or named and not gradebooks:
        raise Problem("--diff writes no gradebook" if diff else "--assignment needs --canvas or --moodle")
    if only and shard:
        raise Problem("--only keeps the rows of a whole class, and --shard is a part of one: one or the other")
    if not cluster:
        from labkit.grading import worker

        worker.get_ready(project)  # before what follows is imported, too
    from labkit.pipeline.grade import judging
    from labkit.pipeline.run import run

    given = Options(
        paths,
        out,
        seed,
        lab,
        _budgets(project, budgets, stock_kernel),
        roster,
        deadlines,
        comments,
        part=_shard(shard, seed),
        jobs=jobs,
        resume=resume,
        use_cache=not no_cache,
        only_changes=diff,
        only=only,
        replace=replace,
        unsandboxed=allow_unsandboxed,
        elsewhere=bool(cluster),
    )
    run(project, given, judging(project, cluster, allow_unsandboxed))
    for form, gradebook in gradebooks.items():
        write_scores(project, out, form, gradebook, named, {lab} if lab else set(), out / f"{form}.csv")


def _gradebooks(**given: Path | None) -> dict[str, Path]:
    """Those that an LMS exported. Whether they can be read is known before a class is graded."""
    from labkit.desk.sheets import DeskProblem
    from labkit.exports.table import Table

    try:
        return {form: path for form, path in given.items() if path and Table(path)}
    except DeskProblem as problem:
        raise Problem(str(problem)) from None


def _shard(text: str | None, seed: int | None) -> Shard | None:
    if text is None:
        return None
    from labkit.grading.shard import Shard, ShardProblem

    if seed is None:
        raise Problem("--shard needs --seed, the same for all shards of the class")
    try:
        return Shard.read(text)
    except ShardProblem as problem:
        raise Problem(f"--shard: {problem}") from None


def _budgets(project: Project, given: dict[str, float | None], stock_kernel: bool) -> Budgets:
    """What the options say, else the course, else the usual."""
    said = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
    return from_options({**project.budgets, **said}, stock_kernel)


def _enough_memory() -> None:
    """A shell may allow less memory than numpy takes, which shows as hangs and as errors in answers that are right."""
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= allowed < LEAST_MEMORY:
        raise Failure(
            f"this shell allows {allowed / MIB:.0f} MiB of memory (ulimit -v); grading needs {LEAST_MEMORY // MIB}"
        )
