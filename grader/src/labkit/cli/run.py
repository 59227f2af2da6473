"""Run the steps from submissions to reports, for `labkit grade` and `labkit merge`.

Each final score is computed once, and passed to everything that shows or stores it. The pages are imported only to write them,
because a refused run needs neither numpy nor jinja2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.cli.options import Options
from labkit.desk.pages.terminal import Progress, Summary, show_changes, show_outdated
from labkit.desk.people import score_store
from labkit.desk.people.desk import Desk
from labkit.desk.people.final_score import FinalScore
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
from labkit.grade.judge.results import NOT_JUDGED
from labkit.grade.sandbox.confine import check_isolation
from labkit.grade.sandbox.faults import MachineFailed, refused
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount, in_a_line, some

if TYPE_CHECKING:
    from labkit.desk.pages.report import Report
    from labkit.desk.pages.students import StudentPages


def run(project: Project, options: Options) -> None:
    """Grade, score and report a class. With --diff, only print what would change. Errors: UserError."""
    for fault in wrong_parts(project, project.course.names):
        raise UserError(fault)
    desk = Desk.read(project, options.out, options.roster, options.deadlines, options.comments, compares=options.diff)
    with extraction_directory(WITH_OUTPUTS * options.budgets.submission_bytes) as directory, ExitStack() as held:
        results, record = _grade(options, desk, directory, held)
        final_scores = desk.final_scores(results)  # lazy: each final score is computed when it is reported
        if options.diff:
            return report_changes(final_scores, desk)
        report(final_scores, results, record, desk, options.out)


def _grade(options: Options, desk: Desk, directory: Path, held: ExitStack) -> tuple[Results, Run]:
    """Grade new and changed submissions. With --only, the other students' rows are kept. Archives are extracted into `directory`.

    As long as `held` is open, no other grader writes to the results folder.
    """
    out, others, only = options.out, [], desk.with_group_members(options.only)
    submissions, seed = _submissions(options, desk, directory), options.seed
    if only:
        last = desk.last(out)
        seed, others = last.same["seed"], part.others(desk.project, out, last, submissions, only, options.same())
        submissions = [each for each in submissions if each.student in only]
    complete = desk.completed([*submissions, *(each for each, _ in others)], options.lab)
    _make_writable(out)
    held.enter_context(store.held(out))
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
        _executor(desk.project, options, settings, queue, progress.say, lambda: desk.lecture) as judged,
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
    desk.notes += filter(None, [one_student(found)])
    if ours := [each.student for each in files if each.by == LABKIT]:  # the results of an earlier run
        desk.notes.append(f"Folders left out, because labkit wrote them: {some(ours, 3)}.")
    joined = desk.joined([*of_lab(desk.project.course, found, options.lab)] if options.lab else found)
    if not (options.only or options.replace or options.diff):
        desk.check_same_class({each.student for each in (*found, *joined)}, options.out)
    return joined


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
        raise refused(error, f"{out}: results cannot be written here ({error.strerror})") from None


@contextmanager
def _executor(
    project: Project,
    options: Options,
    settings: Settings,
    queue: Sequence[Submission],
    say: Callable[[str], None],
    meanwhile: Callable[[], object],
) -> Iterator[Executor]:
    """Choose what grades: processes on this machine, the workers of a cluster, or nothing, because shards are merged.

    `say` prints a line that is not a result. `meanwhile` is called while the processes start.
    """
    if options.merged:
        yield partial(part.without_grading, project)
    elif not options.cluster:
        from labkit.grade.batch.local_executor import judge_locally, server_ahead, within

        labs = [each.lab for each in queue if not each.refusal]
        new = options.no_cache or not store.is_begun(options.out)  # else all results may be known
        most = replace(settings, jobs=min(settings.jobs, 2 * len(labs)))  # with each lab's solution
        servers = server_ahead(project, labs, within(most, lambda _: None)) if labs and new else None
        try:
            yield lambda queue, settings: judge_locally(project, queue, settings, meanwhile, say, servers)
        finally:
            for server in servers or ():
                server.close()
    else:
        try:
            from labkit.grade.cluster.executor import OnWorkers, connected
        except ModuleNotFoundError as missing:
            raise UserError(f"--cluster needs {missing.name}: pip install 'nblabkit[cluster]'") from None
        meanwhile()
        with connected(options.cluster) as client:
            yield OnWorkers(project, client, options.cluster, options.allow_unsandboxed, say)


def report_changes(final_scores: Iterable[FinalScore], desk: Desk) -> None:
    """Print which final scores would change, and write nothing."""
    rows = [each.without_texts() for each in final_scores]
    show_changes(desk.changes(rows), len(rows), all_of_them=True)
    show_outdated(rows)
    if any(each.result.status == NOT_JUDGED for each in rows):
        raise MachineFailed("some submissions could not be graded and have no result yet; run the same command again")


def report(final_scores: Iterable[FinalScore], results: Results, record: Run, desk: Desk, out: Path) -> None:
    """Write each report atomically, and print what changed and what was written."""
    from labkit.desk.pages.report import Report
    from labkit.desk.pages.students import StudentPages

    summary = Summary(len(results), desk.strangers, sum(map(len, desk.adjusted.values())), desk.notes)
    try:
        with StudentPages(desk.project, out, desk.comments, results.target) as students:
            pages = Pages(students, Report(desk.project, out, desk.lecture, results.of))
            files = _write(final_scores, results, record, desk, out, summary, pages)
    except OSError as error:
        raise MachineFailed(
            f"{out}: results cannot be written here ({error.strerror}); free some space and run this again; "
            "submissions that are already graded are not run again"
        ) from None
    summary.show(files)
    if failed := summary.not_judged() or pages.failed:
        raise MachineFailed(failed)


def _write(
    final_scores: Iterable[FinalScore],
    results: Results,
    record: Run,
    desk: Desk,
    out: Path,
    summary: Summary,
    pages: Pages,
) -> list[Path]:
    """Write all files of a run. Returns the files that an instructor opens. Errors: OSError."""
    from labkit.desk.pages.gradebook import BY_HAND, GROUP, PERSON, write_reports

    rows: list[FinalScore] = []
    collectors = (lambda each: rows.append(each.without_texts()), summary.add, pages.add)
    groups = desk.roster and desk.roster.groups
    parts = (desk.roster, PERSON), (groups, GROUP), (desk.adjusted, BY_HAND)
    further = [columns for wanted, columns in parts if wanted]
    files = write_reports(desk.project.course, final_scores, out, *collectors, further=further)
    if (changes := desk.changes(rows)) is not None:
        show_changes(changes, len(rows), all_of_them=False)
    files += pages.finish()
    keys = {(each.student, each.lab): key for each, key in results.rows}
    score_store.write(out, replace(record, shard=None) if summary.reasons else record, rows, keys)
    return files


class Pages:
    """The pages written next to the gradebook. If one cannot be made, the others are still written. Errors: OSError, such as a full disk."""

    def __init__(self, *pages: Report | StudentPages):
        self._pages = [*pages]
        self.failed = ""  # why a page could not be written

    def add(self, final_score: FinalScore) -> None:
        for page in [*self._pages]:
            self._safely(page, page.add, final_score)

    def finish(self) -> list[Path]:
        """Write the pages and return their paths."""
        made = [self._safely(page, page.finish) for page in [*self._pages]]
        return [path for path in made if path]

    def _safely(self, page: Report | StudentPages, step, *given) -> Path | None:
        try:
            return step(*given)
        except OSError:
            raise
        except Exception as error:
            self._pages.remove(page)
            self.failed = f"{page.what} could not be made ({in_a_line(error)}); please report this error. All other results were written"
