"""`labkit grade`: grade a class with one command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from labkit.cli.export import ASSIGNMENT, write_scores
from labkit.cli.options import UNSANDBOXED, Whole, WithBudgets, lab_named
from labkit.cli.pipeline.options import Options
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.budgets import MIB, Budgets, from_options
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

if TYPE_CHECKING:
    from labkit.grade.batch.shard import Shard

LEAST_MEMORY = 1024 * MIB  # address space of one process: numpy and matplotlib reserve nearly all of it


def _file(name: str, help: str) -> object:
    return click.option(f"--{name}", metavar="FILE", type=click.Path(path_type=Path), help=help)


@click.command(cls=WithBudgets)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the results and reports.")
@click.option(
    "--jobs",
    type=Whole(1, 256),
    default=os.cpu_count() or 1,
    help="Submissions to grade at once, if memory allows.  [default: number of cores]",
)
@click.option(
    "--seed",
    type=Whole(0),
    help="Seed for the hidden calls.  [default: drawn once for each --out and stored there]",
)
@click.option("--lab", "lab_name", metavar="NAME", help="Grade only this lab, given by name or number.")
@click.option(
    "--only",
    metavar="STUDENT",
    multiple=True,
    help="Regrade only this student, or the student's group; all other rows and pages in --out stay unchanged. May be repeated.",
)
@click.option(
    "--replace", is_flag=True, help="Overwrite --out even if at least half of its students are not in this class."
)
@_file(
    "roster",
    "Class list: a CSV file with the column id and optionally name, email, login, section, group, extension, "
    "submitted_at; or a Canvas gradebook; or a Moodle grading worksheet.",
)
@_file("deadlines", "Deadlines and late penalties.  [default: the course's deadlines.toml, if it exists]")
@_file("comments", "Your own comments on mistakes and checks.  [default: the course's comments.toml, if it exists]")
@_file("canvas", "Gradebook exported from Canvas; a copy with the final scores is written to canvas.csv in --out.")
@_file(
    "moodle",
    "Gradebook or grading worksheet exported from Moodle; a copy with the final scores is written to moodle.csv in --out.",
)
@ASSIGNMENT
@click.option(
    "--diff", is_flag=True, help="Only print which final scores would change and why; leave all results unchanged."
)
@click.option("--resume", is_flag=True, help="Continue an interrupted run.")
@click.option("--no-cache", is_flag=True, help="Run every submission again, including unchanged ones.")
@click.option(
    "--stock-kernel", is_flag=True, help="Start a new kernel process for each submission instead of forking a warm one."
)
@click.option("--cluster", metavar="ADDRESS", help="Grade on the Dask cluster whose scheduler has this address.")
@click.option(
    "--shard", metavar="I/N", help="Grade only this part of the class, such as 3/16; `labkit merge` combines the parts."
)
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
    """Grade a class. PATHS are a download from an LMS, a folder or archive with STUDENT/LAB.ipynb, or notebooks."""
    _enough_memory()
    lab = lab_named(project.course, lab_name) if lab_name is not None else None
    gradebooks = _gradebooks(canvas=canvas, moodle=moodle)
    if diff and gradebooks or named and not gradebooks:
        raise UserError("--diff writes no gradebook" if diff else "--assignment needs --canvas or --moodle")
    if only and shard:
        raise UserError("--only and --shard cannot be combined: --only needs the results of a whole class")
    if not cluster:
        from labkit.grade.batch import worker

        worker.get_ready(project)  # starts the workers' imports before this process's own
    from labkit.cli.pipeline.grade import judging
    from labkit.cli.pipeline.run import run

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
    """Read the given gradebooks now, so that errors appear before grading. Return them by LMS. Errors: UserError."""
    from labkit.desk.lms.table import Table

    return {form: path for form, path in given.items() if path and Table(path)}


def _shard(text: str | None, seed: int | None) -> Shard | None:
    if text is None:
        return None
    from labkit.grade.batch.shard import Shard

    if seed is None:
        raise UserError("--shard needs --seed, the same for all shards of the class")
    try:
        return Shard.read(text)
    except UserError as problem:
        raise UserError(f"--shard: {problem}") from None


def _budgets(project: Project, given: dict[str, float | None], stock_kernel: bool) -> Budgets:
    """Take each budget from the options, else from the course, else from the defaults."""
    chosen = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
    return from_options({**project.budgets, **chosen}, stock_kernel)


def _enough_memory() -> None:
    """Check the shell's memory limit: with too little, numpy would hang, or correct answers would fail. Errors: MachineFailed."""
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= allowed < LEAST_MEMORY:
        raise MachineFailed(
            f"this shell allows {allowed / MIB:.0f} MiB of memory (ulimit -v); grading needs {LEAST_MEMORY // MIB} MiB"
        )
