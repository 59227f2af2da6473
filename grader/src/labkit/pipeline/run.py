"""A run of the grader from submissions to reports, as `labkit grade` and `labkit merge` begin one."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.model import course
from labkit.model.budgets import Budgets
from labkit.pipeline.problems import Failure, Problem, ask_for_isolation

if TYPE_CHECKING:
    from labkit.grading.grade import Executor
    from labkit.grading.shard import Shard

Say = Callable[[str], None]  # something that is no result, in a line
# Who judges, as long as the context lasts; is called with how to say something, and what to do while that gets ready.
Judging = Callable[[Say, Callable[[], object]], AbstractContextManager["Executor"]]
FILES = ("roster", "deadlines", "comments")  # that may be given beside the class


@dataclass(frozen=True)
class Options:
    """What is to be graded, and how."""

    paths: tuple[Path, ...]
    out: Path
    seed: int | None
    lab: str | None
    budgets: Budgets
    roster: Path | None
    deadlines: Path | None
    comments: Path | None
    part: Shard | None = None
    of_shards: dict | None = None  # what the shards had in common whose results are kept in `out`
    jobs: int = 1
    resume: bool = False
    use_cache: bool = True
    only_changes: bool = False
    only: tuple[str, ...] = ()  # students; the rows of all others stay
    replace: bool = False  # whoever is not in this class may go from `out`
    unsandboxed: bool = False
    elsewhere: bool = False  # nothing is run on this machine

    def as_json(self) -> dict:
        """What another machine with the same files needs, to grade the same."""
        named = {name: getattr(self, name) and str(getattr(self, name).absolute()) for name in FILES}
        paths = [str(path.absolute()) for path in self.paths]
        return {"paths": paths, **named, "lab": self.lab, "budgets": asdict(self.budgets)}

    def same(self) -> dict:
        """What has to be the same when some students are graded again and the others' rows stay."""
        named = {name: bool(getattr(self, name)) for name in FILES}
        return {"seed": self.seed, "budgets": str(self.budgets), "lab": self.lab, **named}

    @classmethod
    def from_json(cls, kept: dict, **others: object) -> Options:
        named = {name: Path(kept[name]) if kept[name] else None for name in FILES}
        paths, budgets = tuple(map(Path, kept["paths"])), Budgets(**kept["budgets"])
        return cls(paths=paths, lab=kept["lab"], budgets=budgets, **named, **others)


def run(given: Options, judging: Judging) -> None:
    """Grade, and write all reports. Errors: Problem and Failure, each with a line."""
    from labkit.desk.desk import Desk
    from labkit.desk.sheets import DeskProblem
    from labkit.grading import again, shard
    from labkit.grading.course_check import wrong_parts
    from labkit.grading.grade import grade
    from labkit.grading.seed import seed_for
    from labkit.grading.settings import Settings
    from labkit.intake.archives import extraction_directory
    from labkit.intake.choose import choose, of_lab
    from labkit.intake.classes import NothingToGrade
    from labkit.intake.discover import discover
    from labkit.intake.files import most_of_notebook
    from labkit.reports.progress import Progress
    from labkit.reports.similarity_index import SimilarityIndex
    from labkit.sandbox.faults import MachineFailed

    out, lab, budgets = given.out, given.lab, given.budgets
    try:
        for fault in wrong_parts(course.current().names):
            raise course.CourseError(fault)
        desk = Desk.laid(out, given.roster, given.deadlines, given.comments, compares=given.only_changes)
        with extraction_directory(most_of_notebook(budgets.submission_bytes)) as room:
            entries = discover(given.paths, out, room)
            if not given.elsewhere:
                ask_for_isolation((entry.path for entry in entries), given.unsandboxed)
            submissions = choose(entries, budgets)
            if lab and not any(each.lab == lab for each in submissions):
                raise NothingToGrade(f"no submission of {lab} among {len(entries)} notebooks")
            found = {each.student for each in submissions}
            submissions = desk.joined(list(of_lab(submissions, lab)) if lab else submissions)
            seed, others = given.seed, []
            if given.only:
                seed, others = again.seed_and_others(out, submissions, given.only, given.same())
            elif not (given.replace or given.only_changes):
                desk.must_not_lose(found | {each.student for each in submissions}, out)
            submissions = [each for each in submissions if not given.only or each.student in given.only]
            complete = desk.completed([*submissions, *(chosen for chosen, _ in others)], lab)
            _make_writable(out)
            seed = seed_for(out, seed)
            wishes = {"resume": given.resume, "use_cache": given.use_cache, "unsandboxed": given.unsandboxed}
            settings = Settings(given.jobs, seed, budgets, **wishes)
            facts = shard.facts_of(submissions, settings) if given.part or given.of_shards else {}
            if given.of_shards and (other := shard.difference(facts, given.of_shards)):
                raise shard.ShardProblem(f"by now this is another {other} than when the shards were graded")
            kept = {(chosen.student, chosen.lab) for chosen, _ in others}
            submissions = [each for each in complete if (each.student, each.lab) not in kept]
            if given.part:
                submissions = [each for each in submissions if given.part.has(each)]
            with Progress(len(submissions)) as progress, judging(progress.say, lambda: desk.lecture) as judged:
                results = grade(submissions, out, settings, progress.tell, judged, others)
            prints = SimilarityIndex(out / "cache" / "answers.prints", (chosen for chosen, _ in results.rows), budgets)
            _report(results, desk, prints, given, seed)
            if given.part:
                shard.keep(out, given.part, facts, given.as_json())
    except (NothingToGrade, DeskProblem, shard.ShardProblem, again.CannotKeep) as problem:
        raise Problem(str(problem)) from None
    except MachineFailed as problem:
        raise Failure(str(problem)) from None


def judging(cluster: str | None, unsandboxed: bool) -> Judging:
    """Processes of this machine, or the workers of a cluster, which come and go with the context."""

    @contextmanager
    def executor(say: Say, meanwhile: Callable[[], object]) -> Iterator[Executor]:
        if not cluster:
            from labkit.grading.local_executor import judge_locally

            yield lambda queue, settings: judge_locally(queue, settings, meanwhile, say)
            return
        try:
            from labkit.cluster.connection import ClusterProblem, connected
            from labkit.cluster.executor import OnWorkers
        except ModuleNotFoundError as missing:
            raise Problem(f"--cluster needs {missing.name}: pip install 'nblabkit[cluster]'") from None
        meanwhile()
        try:
            with connected(cluster) as client:
                yield OnWorkers(client, cluster, unsandboxed, say)
        except ClusterProblem as problem:
            raise Problem(str(problem)) from None

    return executor


def _report(results, desk, prints, given: Options, seed: int) -> None:
    """Say whose final score moved, and write all reports unless that was all that was asked for."""
    from labkit.desk import adjustments, score_store
    from labkit.grading import again
    from labkit.reports.all_pages import Pages
    from labkit.reports.gradebook import write_reports
    from labkit.reports.report import Report
    from labkit.reports.students import StudentPages
    from labkit.reports.terminal import Summary, show_changes

    out, lecture = given.out, desk.lecture
    rows = [*map(score_store.Row.of, desk.final_scores(results))]
    changes = desk.changes(rows)
    if changes is not None:
        show_changes(changes, len(rows), given.only_changes)
    if given.only_changes:
        if any(row.status == "not_judged" for row in rows):
            raise Failure("some submissions were not judged, which is nobody's result; run the same command again")
        return
    summary = Summary(len(results), desk.strangers, len(desk.adjusted), desk.notes)
    try:
        pages = Pages(Report(out, prints, lecture), StudentPages(out, desk.comments, results.target))

        def hear(final_score) -> None:
            summary.hear(final_score)
            pages.hear(final_score)

        further = {"with_people": desk.roster is not None, "with_adjustments": bool(desk.adjusted)}
        files = write_reports(desk.final_scores(results), out, hear, **further)
        score_store.write(rows, seed, desk.digests, out)
        files += pages.finish()
        again.keep(out, results, {**given.same(), "seed": seed}, left_out=adjustments.NAME)
    except OSError as error:
        raise Failure(
            f"{out}: results cannot be written here ({error.strerror}); make room and run this again, "
            "what was judged and kept is not run again"
        ) from None
    summary.show(files)
    if failed := summary.not_judged() or pages.failed:
        raise Failure(failed)


def _make_writable(out: Path) -> None:
    """Make the output folder, or say why it cannot be one, before any work is done."""
    from labkit.grading.cache import sweep

    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.touch()
        probe.unlink()
        sweep(out, out / "cache", out / "students")
    except OSError as error:
        raise (Failure if error.errno in (errno.ENOSPC, errno.EDQUOT) else Problem)(
            f"{out}: results cannot be written here ({error.strerror})"
        ) from None
