"""`labkit grade` and `labkit merge`: grade a class with one command, or on several machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from labkit.cli.options import (
    JOBS,
    PATH,
    UNSANDBOXED,
    InCourse,
    Options,
    Whole,
    WithBudgets,
    file_option,
    out_option,
    writing,
)
from labkit.cli.results import ASSIGNMENT, write_scores
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.budgets import MIB, OPTIONS, Budgets, from_options
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

LEAST_MEMORY = 1024 * MIB  # address space of one process: numpy and matplotlib reserve nearly all of it
OUT = out_option("Folder for the results and reports.")


@click.command(cls=WithBudgets)
@click.argument("paths", metavar="CLASS...", nargs=-1, required=True, type=PATH)
@OUT
@JOBS
@click.option(
    "--seed", type=Whole(0), help="Seed for the hidden calls.  [default: drawn once for each --out and stored there]"
)
@click.option("--lab", metavar="NAME", help="Grade only this lab, given by name or number.")
@click.option(
    "--only",
    metavar="STUDENT",
    multiple=True,
    help="Regrade only this student, or the student's group; all other rows and pages in --out stay unchanged. May be repeated.",
)
@click.option(
    "--replace", is_flag=True, help="Overwrite --out even if at least half of its students are not in this class."
)
@file_option(
    "--roster",
    help="Class list: a CSV file with the column id and optionally name, email, login, section, group, extension, "
    "submitted_at; or a Canvas gradebook; or a Moodle grading worksheet.",
)
@file_option("--deadlines", help="Deadlines and late penalties.  [default: the course's deadlines.toml, if it exists]")
@file_option(
    "--comments", help="Your own comments on mistakes and checks.  [default: the course's comments.toml, if it exists]"
)
@file_option(
    "--canvas", help="Gradebook exported from Canvas; a copy with the final scores is written to canvas.csv in --out."
)
@file_option(
    "--moodle",
    help="Gradebook or grading worksheet exported from Moodle; a copy with the final scores is written to moodle.csv in --out.",
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
def grade(project: Project, **given: Any) -> None:
    """Grade a class. CLASS is a download from an LMS, a folder or archive with STUDENT/LAB.ipynb, or a notebook."""
    _enough_memory()
    options = _options(project, given)
    if not options.cluster:
        from labkit.grade.batch import worker
        from labkit.grade.sandbox.confine import bubblewrap_trial

        worker.fork_from_here(project)
        bubblewrap_trial()  # it runs while the rest is imported
    from labkit.cli.run import run

    run(project, options)
    labs = {options.lab} if options.lab else set()
    for lms, gradebook in options.gradebooks.items():
        write_scores(project, options.out, lms, gradebook, options.assignment, labs, options.out / f"{lms}.csv")


def _options(project: Project, given: dict[str, Any]) -> Options:
    """Read what the options name, so that errors appear before grading. Errors: UserError."""
    if given["lab"] is not None:
        given["lab"] = project.course.lab_named(given["lab"])
    if given["shard"] is not None:
        from labkit.grade.batch.part import Shard

        if given["seed"] is None:
            raise UserError("--shard needs --seed, the same for all shards of the class")
        given["shard"] = Shard.read(given["shard"])
    options = Options(budgets=_budgets(project, given), **given)
    if options.gradebooks:
        from labkit.desk.lms.table import Table

        for gradebook in options.gradebooks.values():
            Table(gradebook)
    if options.diff and options.gradebooks:
        raise UserError("--diff writes no gradebook")
    if options.assignment and not options.gradebooks:
        raise UserError("--assignment needs --canvas or --moodle")
    if options.only and options.shard:
        raise UserError("--only and --shard cannot be combined: --only needs the results of a whole class")
    return options


def _budgets(project: Project, given: dict[str, Any]) -> Budgets:
    """Take each budget out of the options; else it is the course's, or else the default."""
    values = {name: given.pop(name.replace("-", "_")) for name in OPTIONS}
    chosen = {name: value for name, value in values.items() if value is not None}
    return from_options(chosen, given.pop("stock_kernel"), project.budgets)


def _enough_memory() -> None:
    """Check the shell's memory limit: with too little, numpy would hang, or correct answers would fail. Errors: MachineFailed."""
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= allowed < LEAST_MEMORY:
        raise MachineFailed(
            f"this shell allows {allowed / MIB:.0f} MiB of memory (ulimit -v); grading needs {LEAST_MEMORY // MIB} MiB"
        )


@click.command(cls=InCourse)
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True, type=PATH)
@OUT
def merge(project: Project, shards: tuple[Path, ...], out: Path) -> None:
    """Combine the shards of a class. Each SHARD is a folder from `labkit grade --shard`. No submission is run again."""
    from labkit.cli.run import run
    from labkit.desk.people import score_store
    from labkit.grade.batch import part, store

    if out.resolve() in {folder.resolve() for folder in shards}:
        raise UserError(f"{out}: this is one of the shards; choose another folder with --out")
    with writing(out, "copied"):
        _keeps_manual_points(shards, out)
        records = {folder: (kept := score_store.earlier(folder)) and kept.run.shard for folder in shards}
        facts = part.together(records)
        store.join(shards, out)
    run(
        project, Options.from_json(facts["given"], out=out, seed=facts["seed"], merged=facts, resume=True, replace=True)
    )


def _keeps_manual_points(shards: tuple[Path, ...], out: Path) -> None:
    """Check that `out` has all points given by hand in the shards. Errors: UserError."""
    from labkit.desk.people import score_store

    whole = score_store.digests(out)
    for folder in shards:
        for file, digest in score_store.digests(folder).items():
            if digest not in ("", whole[file]):
                name = score_store.BY_HAND[file]
                raise UserError(
                    f"{folder / name}: merging would leave out this file; move its contents to {out / name}"
                )
