"""Grade a class: read the given files, and get the result of every submission."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from labkit.cli.pipeline.options import Options
from labkit.desk.pages.terminal import Progress
from labkit.desk.people.desk import Desk
from labkit.grade.batch import again, shard, store
from labkit.grade.batch.grade import Executor, Results, grade_class
from labkit.grade.batch.settings import Settings, seed_for
from labkit.grade.intake.choose import choose, of_lab
from labkit.grade.intake.classes import one_student
from labkit.grade.intake.discover import LABKIT, discover
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.consent import check_isolation
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount, some

Say = Callable[[str], None]  # prints a line that is not a result
# Takes a function to print lines and one to call while the executor starts; returns a context manager for the executor.
Judging = Callable[[Say, Callable[[], object]], AbstractContextManager[Executor]]


@dataclass(frozen=True)
class Graded:
    """The results of a class, their seed and, with shards, the facts that must be the same for all shards."""

    results: Results
    seed: int
    facts: Mapping[str, object]


def grade_chosen(given: Options, desk: Desk, judging: Judging, directory: Path) -> Graded:
    """Grade new and changed submissions. With --only, the other students' rows are kept. Archives are extracted into `directory`."""
    out, others, only = given.out, [], desk.with_group_members(given.only)
    submissions, seed = _submissions(given, desk, directory), given.seed
    if only:
        last = desk.last(out)
        seed, others = last.same["seed"], again.others(desk.project, out, last, submissions, only, given.same())
        submissions = [each for each in submissions if each.student in only]
    complete = desk.completed([*submissions, *(each for each, _ in others)], given.lab)
    _make_writable(out)
    seed = seed_for(out, seed, keep=not given.only_changes)
    wishes = {"resume": given.resume, "use_cache": given.use_cache, "unsandboxed": given.unsandboxed}
    settings = Settings(given.jobs, seed, given.budgets, **wishes)
    facts = _facts(desk.project, given, submissions, settings)
    kept = {(each.student, each.lab) for each, _ in others}
    queue = [each for each in complete if (each.student, each.lab) not in kept]
    queue = [each for each in queue if given.part.has(each)] if given.part else queue
    with Progress(len(queue)) as progress, judging(progress.say, lambda: desk.lecture) as judged:
        return Graded(grade_class(desk.project, queue, out, settings, progress.tell, judged, others), seed, facts)


def _submissions(given: Options, desk: Desk, directory: Path) -> list[Submission]:
    """Choose the submission that counts for each student and lab. Students are named by their ids in the roster."""
    files = discover(desk.project, given.paths, given.out, directory)
    if not given.elsewhere:
        check_isolation(desk.project, (each.path for each in files), given.unsandboxed)
    found = choose(desk.project, files, given.budgets)
    if given.lab and not any(each.lab == given.lab for each in found):
        raise UserError(f"no submission for {given.lab} among {amount(len(files), 'notebook')}")
    desk.notes += filter(None, [one_student(found), _earlier_results(files)])
    joined = desk.joined([*of_lab(desk.project.course, found, given.lab)] if given.lab else found)
    if not (given.only or given.replace or given.only_changes):
        desk.check_same_class({each.student for each in (*found, *joined)}, given.out)
    return joined


def _earlier_results(files: Sequence[Submission]) -> str:
    """Report the folders in the class that contain the results of an earlier run; "" if there are none."""
    names = [each.student for each in files if each.by == LABKIT]
    return f"Folders left out, because labkit wrote them: {some(names, 3)}." if names else ""


def _facts(
    project: Project, given: Options, submissions: Sequence[Submission], settings: Settings
) -> Mapping[str, object]:
    """Collect the facts that must be the same for all shards of the class. Errors: UserError if they have changed."""
    facts = shard.facts_of(project, submissions, settings) if given.part or given.of_shards else {}
    if given.of_shards and (other := shard.difference(facts, given.of_shards)):
        raise UserError(f"the {other} has changed since the shards were graded")
    return facts


def _make_writable(out: Path) -> None:
    """Create the output folder before any work. Errors: UserError; MachineFailed if the disk is full."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.touch()
        probe.unlink()
        store.sweep(out, out / "students")
    except OSError as error:
        raise (MachineFailed if error.errno in (errno.ENOSPC, errno.EDQUOT) else UserError)(
            f"{out}: results cannot be written here ({error.strerror})"
        ) from None


def judging(project: Project, cluster: str | None, unsandboxed: bool) -> Judging:
    """Choose the executor: processes on this machine, or the workers of a cluster."""

    @contextmanager
    def executor(say: Say, meanwhile: Callable[[], object]) -> Iterator[Executor]:
        if not cluster:
            from labkit.grade.batch.local_executor import judge_locally

            yield lambda queue, settings: judge_locally(project, queue, settings, meanwhile, say)
            return
        try:
            from labkit.grade.cluster.connection import connected
            from labkit.grade.cluster.executor import OnWorkers
        except ModuleNotFoundError as missing:
            raise UserError(f"--cluster needs {missing.name}: pip install 'nblabkit[cluster]'") from None
        meanwhile()
        with connected(cluster) as client:
            yield OnWorkers(project, client, cluster, unsandboxed, say)

    return executor
