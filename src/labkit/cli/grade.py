"""`labkit grade`: a class, with one command."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from labkit import course, project
from labkit.budgets import MIB, Budgets, from_options
from labkit.cli.options import UNSANDBOXED, WithBudgets, ask_for_isolation, lab_named
from labkit.cli.problems import Failure, Problem

if TYPE_CHECKING:
    from labkit.grading.grade import Executor

LEAST_MEMORY = (
    1024 * MIB
)  # address space of one process, which is more than it uses: numpy and matplotlib take nearly all


def _file(name: str, help: str) -> object:
    return click.option(f"--{name}", metavar="FILE", type=click.Path(path_type=Path), help=help)


@click.command(cls=WithBudgets)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the results and reports.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Submissions at once.  [default: cores]"
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Draws the hidden probes.  [default: drawn once for each --out, and kept there]",
)
@click.option("--lab", "lab_name", metavar="NAME", help="Only this lab, by its name or number.")
@_file("roster", "Who is in the class: a CSV file with the columns id, name, email, section and, if wanted, extension.")
@_file(
    "deadlines", "When labs were due, and what lateness costs.  [default: the course's deadlines.toml, if there is one]"
)
@_file("comments", "Your own words for mistakes and checks.  [default: the course's comments.toml, if there is one]")
@click.option("--diff", is_flag=True, help="Only say whose final score would change, and why; all stays as it is.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@click.option("--no-cache", is_flag=True, help="Run every submission again, unchanged ones too.")
@click.option(
    "--stock-kernel", is_flag=True, help="A kernel process for each submission, in place of a fork of a warm one."
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Judge on the workers of a Dask cluster: the address of its scheduler."
)
@UNSANDBOXED
def grade(
    paths,
    out,
    jobs,
    seed,
    lab_name,
    roster,
    deadlines,
    comments,
    diff,
    resume,
    no_cache,
    stock_kernel,
    cluster,
    allow_unsandboxed,
    **budgets,
) -> None:
    """Grade submissions: a download from an LMS, a folder or archive with STUDENT/LAB.ipynb, or notebooks."""
    from labkit.grading import worker

    _enough_memory()
    if not cluster:
        worker.get_ready()  # before what follows is imported, too
    from labkit.desk.desk import Desk
    from labkit.desk.sheets import DeskProblem
    from labkit.grading.course_check import wrong_parts
    from labkit.grading.grade import Settings
    from labkit.grading.grade import grade as grade_class
    from labkit.grading.seed import seed_for
    from labkit.intake.archives import room_for
    from labkit.intake.choose import choose, of_lab
    from labkit.intake.classes import NothingToGrade
    from labkit.intake.discover import discover
    from labkit.reports.progress import Progress
    from labkit.reports.similar import sources
    from labkit.sandbox.faults import MachineFailed

    lab = lab_named(lab_name) if lab_name is not None else None
    budgets = _budgets(budgets, stock_kernel)
    try:
        for fault in wrong_parts(course.current().names):
            raise course.CourseError(fault)
        desk = Desk.laid(out, roster, deadlines, comments, compares=diff)
        with room_for(budgets.submission_bytes) as room:
            entries = discover(paths, out, room)
            if not cluster:
                ask_for_isolation((entry.path for entry in entries), allow_unsandboxed)
            submissions = choose(entries, budgets)
            if lab and not any(each.lab == lab for each in submissions):
                raise NothingToGrade(f"no submission of {lab} among {len(entries)} notebooks")
            submissions = desk.joined(list(of_lab(submissions, lab)) if lab else submissions, lab)
            _make_writable(out)
            settings = Settings(jobs, seed_for(out, seed), budgets, resume, not no_cache)
            with Progress(len(submissions)) as progress, _executor(cluster, allow_unsandboxed, progress.say) as judged:
                results = grade_class(submissions, out, settings, progress.tell, judged)
            _report(results, desk, sources(submissions, budgets), out, settings.seed, diff)
    except (NothingToGrade, DeskProblem) as problem:
        raise Problem(str(problem)) from None
    except MachineFailed as problem:
        raise Failure(str(problem)) from None


@contextmanager
def _executor(cluster: str | None, unsandboxed: bool, say: Callable[[str], None]) -> Iterator[Executor]:
    """Who judges: processes of this machine, or the workers of a cluster."""
    if not cluster:
        from labkit.grading.grade import judged_here

        yield judged_here
        return
    try:
        from labkit.grading.cluster.connection import ClusterProblem, connected
        from labkit.grading.cluster.executor import OnWorkers
    except ModuleNotFoundError as missing:
        raise Problem(f"--cluster needs {missing.name}: pip install 'nblabkit[cluster]'") from None
    try:
        with connected(cluster) as client:
            yield OnWorkers(client, cluster, unsandboxed, say)
    except ClusterProblem as problem:
        raise Problem(str(problem)) from None


def _report(results, desk, source_of, out: Path, seed: int, only_changes: bool) -> None:
    """Say whose final score moved, and write all reports unless that was all that was asked for."""
    from labkit.desk import kept
    from labkit.reports.all_pages import Pages
    from labkit.reports.gradebook import write_reports
    from labkit.reports.report import Report
    from labkit.reports.students import StudentPages
    from labkit.reports.terminal import Summary, show_changes

    rows = [*map(kept.Row.of, desk.standings(results))]
    changes = desk.changes(rows)
    if changes is not None:
        show_changes(changes, len(rows), only_changes)
    if only_changes:
        if any(row.status == "not_judged" for row in rows):
            raise Failure("some submissions were not judged, which is nobody's result; run the same command again")
        return
    summary = Summary(len(results), desk.strangers)
    try:
        pages = Pages(Report(out, source_of, desk.lecture), StudentPages(out, desk.comments))

        def hear(standing) -> None:
            summary.hear(standing)
            pages.hear(standing)

        files = write_reports(desk.standings(results), out, hear, with_people=desk.roster is not None)
        kept.write(rows, seed, desk.digest, out)
        files += pages.finish()
    except OSError as error:
        raise Failure(
            f"{out}: results cannot be written here ({error.strerror}); make room and run this again, "
            "what was judged and kept is not run again"
        ) from None
    summary.show(files)
    if failed := summary.not_judged() or pages.failed:
        raise Failure(failed)


def _budgets(given: dict[str, float | None], stock_kernel: bool) -> Budgets:
    """What the options say, else the course, else the usual."""
    said = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
    return from_options({**project.current().budgets, **said}, stock_kernel)


def _enough_memory() -> None:
    """A shell may allow less memory than numpy takes, which shows as hangs and as errors in answers that are right."""
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= allowed < LEAST_MEMORY:
        raise Failure(
            f"this shell allows {allowed / MIB:.0f} MiB of memory (ulimit -v); grading needs {LEAST_MEMORY // MIB}"
        )


def _make_writable(out: Path) -> None:
    """Make the output folder, or say why it cannot be one, before any work is done."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise (Failure if error.errno in (errno.ENOSPC, errno.EDQUOT) else Problem)(
            f"{out}: results cannot be written here ({error.strerror})"
        ) from None
