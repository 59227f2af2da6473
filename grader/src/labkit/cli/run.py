"""Run the steps from submissions to reports, for `labkit grade` and `labkit merge`."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from labkit.cli.options import Options
from labkit.desk.pages.terminal import Progress
from labkit.desk.people.desk import Desk
from labkit.desk.people.score_store import Run
from labkit.grade.batch import Settings, part, store
from labkit.grade.batch.course_check import wrong_parts
from labkit.grade.batch.grade import Executor, Results, grade_class
from labkit.grade.batch.store import lab_digests, seed_for
from labkit.grade.intake.archives import extraction_directory
from labkit.grade.intake.choose import choose, of_lab
from labkit.grade.intake.discover import LABKIT, discover
from labkit.grade.intake.files import WITH_OUTPUTS
from labkit.grade.intake.submission import Submission, one_student
from labkit.grade.sandbox.confine import check_isolation
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount, some


def run(project: Project, options: Options) -> None:
    """Grade, score and report a class. With --diff, only print what would change. Errors: UserError."""
    for fault in wrong_parts(project, project.course.names):
        raise UserError(fault)
    desk = Desk.read(project, options.out, options.roster, options.deadlines, options.comments, compares=options.diff)
    with extraction_directory(WITH_OUTPUTS * options.budgets.submission_bytes) as directory:
        results, record = _grade(options, desk, directory)
        final_scores = desk.final_scores(results)  # lazy: each final score is computed when it is reported
        # Imported here, because a refused run needs neither numpy nor jinja2.
        from labkit.cli.report import report, report_changes

        if options.diff:
            return report_changes(final_scores, desk)
        report(final_scores, results, record, desk, options.out)


def _grade(options: Options, desk: Desk, directory: Path) -> tuple[Results, Run]:
    """Grade new and changed submissions. With --only, the other students' rows are kept. Archives are extracted into `directory`."""
    out, others, only = options.out, [], desk.with_group_members(options.only)
    submissions, seed = _submissions(options, desk, directory), options.seed
    if only:
        last = desk.last(out)
        seed, others = last.same["seed"], part.others(desk.project, out, last, submissions, only, options.same())
        submissions = [each for each in submissions if each.student in only]
    complete = desk.completed([*submissions, *(each for each, _ in others)], options.lab)
    _make_writable(out)
    settings = Settings(
        options.jobs,
        seed_for(out, seed, keep=not options.diff),
        options.budgets,
        resume=options.resume,
        use_cache=not options.no_cache,
        unsandboxed=options.allow_unsandboxed,
    )
    shared = _shared(desk.project, options, submissions, settings)
    kept = {(each.student, each.lab) for each, _ in others}
    queue = [each for each in complete if (each.student, each.lab) not in kept]
    queue = [each for each in queue if options.shard.has(each)] if options.shard else queue
    with (
        Progress(len(queue)) as progress,
        _executor(desk.project, options, progress.say, lambda: desk.lecture) as judged,
    ):
        results = grade_class(desk.project, queue, out, settings, progress.tell, judged, others)
    return results, Run(
        settings.seed,
        **desk.digests,
        same={**options.same(), "seed": settings.seed},
        labs=lab_digests(desk.project, (each for each, _ in results.rows)),
        shard=part.record(options.shard, shared, options.as_json()) if options.shard else None,
    )


def _submissions(options: Options, desk: Desk, directory: Path) -> list[Submission]:
    """Choose the submission that counts for each student and lab. Students are named by their ids in the roster."""
    files = discover(desk.project, options.paths, options.out, directory)
    if not (options.cluster or options.merged):  # else submissions are run on other machines, or not at all
        check_isolation(desk.project, (each.path for each in files), options.allow_unsandboxed)
    found = choose(desk.project, files, options.budgets)
    if options.lab and not any(each.lab == options.lab for each in found):
        raise UserError(f"no submission for {options.lab} among {amount(len(files), 'notebook')}")
    desk.notes += filter(None, [one_student(found), _earlier_results(files)])
    joined = desk.joined([*of_lab(desk.project.course, found, options.lab)] if options.lab else found)
    if not (options.only or options.replace or options.diff):
        desk.check_same_class({each.student for each in (*found, *joined)}, options.out)
    return joined


def _earlier_results(files: Sequence[Submission]) -> str:
    """Report the folders in the class that contain the results of an earlier run; "" if there are none."""
    names = [each.student for each in files if each.by == LABKIT]
    return f"Folders left out, because labkit wrote them: {some(names, 3)}." if names else ""


def _shared(
    project: Project, options: Options, submissions: Sequence[Submission], settings: Settings
) -> Mapping[str, object]:
    """Collect what all shards of the class must share. Errors: UserError if it has changed."""
    if not (options.shard or options.merged):
        return {}
    shared = part.facts_of(project, submissions, settings)
    if options.merged and (other := part.difference(shared, options.merged)):
        raise UserError(f"the {other} has changed since the shards were graded")
    return shared


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


@contextmanager
def _executor(
    project: Project, options: Options, say: Callable[[str], None], meanwhile: Callable[[], object]
) -> Iterator[Executor]:
    """Choose what grades: processes on this machine, the workers of a cluster, or nothing, because shards are merged.

    `say` prints a line that is not a result. `meanwhile` is called while the processes start.
    """
    if options.merged:
        yield partial(part.without_grading, project)
    elif not options.cluster:
        from labkit.grade.batch.local_executor import judge_locally

        yield lambda queue, settings: judge_locally(project, queue, settings, meanwhile, say)
    else:
        try:
            from labkit.grade.cluster.executor import OnWorkers, connected
        except ModuleNotFoundError as missing:
            raise UserError(f"--cluster needs {missing.name}: pip install 'nblabkit[cluster]'") from None
        meanwhile()
        with connected(options.cluster) as client:
            yield OnWorkers(project, client, options.cluster, options.allow_unsandboxed, say)
