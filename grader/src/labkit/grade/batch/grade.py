"""Grade a class. Every submission gets a row, and no submission can affect another."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from labkit.grade.batch import Settings
from labkit.grade.batch.course_check import must_be_right, wrong_parts
from labkit.grade.batch.local_executor import judge_locally
from labkit.grade.batch.store import FactStore, key_of
from labkit.grade.intake.archives import extraction_directory
from labkit.grade.intake.choose import choose, solution_of
from labkit.grade.intake.discover import discover
from labkit.grade.intake.files import WITH_OUTPUTS
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_JUDGED, Result, facts_of, unjudged
from labkit.grade.kernel import workdir
from labkit.grade.sandbox.confine import check_isolation
from labkit.student.judging.words import load
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project, use

# Grades submissions by cache key, and yields each key with its result.
Executor = Callable[[Mapping[str, Submission], Settings], Iterator[tuple[str, Result]]]
Row = tuple[Submission, str]  # a submission and the key of its facts; "" if it was refused


class Results:
    """The results of a class by student and lab, read from the store one at a time."""

    def __init__(self, store: FactStore, settings: Settings, rows: Iterable[Row]):
        self._store, self._settings = store, settings
        self.rows = sorted(rows, key=lambda row: (row[0].student, row[0].lab))
        self._targets: dict[str, Mapping[str, str]] = {}  # by lab
        self._places: dict[tuple[str, str], int] = {}  # row numbers by student and lab

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Result]:
        load(self._store.project.course)
        return (self._result(*row) for row in self.rows)

    def _result(self, submission: Submission, key: str) -> Result:
        lost = "its result was removed while the class was graded: grade it again"
        project, seed = self._store.project, self._settings.seed
        if refusal := submission.refusal:
            return unjudged(project, submission, refusal.status, refusal.reason, seed)
        return self._store.get(key, submission) or unjudged(project, submission, NOT_JUDGED, lost, seed)

    def of(self, student: str, lab: str) -> Result | None:
        """A student's result for a lab, or None."""
        if not self._places:
            self._places = {(each.student, each.lab): number for number, (each, _) in enumerate(self.rows)}
        number = self._places.get((student, lab))
        return None if number is None else self._result(*self.rows[number])

    def target(self, lab: str, exercise: str) -> str:
        """An exercise's expected figure as PNG in base64, or "" if none is stored."""
        if lab not in self._targets:
            project = self._store.project
            solution = solution_of(project, lab)
            known = self._store.get(key_of(project, self._settings, solution), solution)
            self._targets[lab] = known.pictures if known else {}
        return self._targets[lab].get(exercise, "")


def grade_class(
    project: Project,
    submissions: Sequence[Submission],
    out: Path,
    settings: Settings,
    tell: Callable[[Result], None],
    judged: Executor | None = None,
    others: Sequence[Row] = (),
) -> Results:
    """Grade all submissions. The results are sorted by student and lab; `tell` is called with each one as soon as it is ready.

    `others` are finished rows to include. The executor `judged` grades the rest, on this machine or elsewhere, starting with each
    lab's solution.
    Errors: UserError if a lab's solution fails; finished results stay in the store.
    """
    workdir.keep_short()
    out.mkdir(parents=True, exist_ok=True)
    store, rows = FactStore(project, out), [*others]
    for key, result in _results(submissions, store, settings, judged or partial(judge_locally, project)):
        tell(result)
        rows.append((result.submission, key))
    return Results(store, settings, rows)


def _results(
    submissions: Sequence[Submission], store: FactStore, settings: Settings, judged: Executor
) -> Iterator[tuple[str, Result]]:
    """Yield each submission's key and result."""
    project, solutions = store.project, {}
    for lab in {each.lab for each in submissions if not each.refusal}:
        solution = solution_of(project, lab)
        if known := _known(store, key := key_of(project, settings, solution), solution, settings):
            must_be_right(project.course, known)
        else:
            solutions[key] = solution
    waiting: dict[str, list[Submission]] = {}  # identical files have the same result, so one of them is run
    for each in submissions:
        if each.refusal:
            yield "", unjudged(project, each, each.refusal.status, each.refusal.reason, settings.seed)
        elif known := _known(store, key := key_of(project, settings, each), each, settings):
            yield key, known
        else:
            waiting.setdefault(key, []).append(each)
    queue = {**solutions, **{key: several[0] for key, several in waiting.items()}}
    in_turn = dict(sorted(queue.items(), key=lambda item: _turn(item[0], item[1], solutions)))
    for key, result in judged(in_turn, settings):
        store.put(key, result)
        if key in solutions:
            must_be_right(project.course, result)
        for each in waiting.get(key, ()):
            yield key, replace(result, submission=each)


def _turn(key: str, submission: Submission, solutions: Mapping[str, Submission]) -> tuple[str, bool, str, str]:
    """Sort key: lab by lab, so that kernels stay warm, with each lab's solution first."""
    return submission.lab, key not in solutions, submission.student, submission.file


def _known(store: FactStore, key: str, submission: Submission, settings: Settings) -> Result | None:
    """The stored result, unless this submission has to be graded again."""
    known = store.get(key, submission) if settings.use_cache or settings.resume else None
    # The machine failed, or may have caused the time-out.
    again = (NOT_JUDGED,) if settings.resume else (NOT_JUDGED, "timed_out")
    return known if known and known.status not in again else None


def records(
    paths: Sequence[str | PathLike[str]], seed: int, course: str | PathLike[str], jobs: int
) -> Iterator[dict[str, Any]]:
    """Yield one record for each submission. Errors: see `labkit.grade.grade`."""
    project = use(Path(course))
    settings = Settings(jobs, seed, project.budgets)
    for fault in wrong_parts(project, project.course.names):
        raise UserError(fault)
    largest = WITH_OUTPUTS * settings.budgets.submission_bytes
    with tempfile.TemporaryDirectory(prefix="labkit-") as out, extraction_directory(largest) as directory:
        files = discover(project, map(Path, paths), None, directory)
        check_isolation(project, (each.path for each in files), unsandboxed=False)
        submissions = choose(project, files, settings.budgets)
        yield from map(facts_of, grade_class(project, submissions, Path(out), settings, lambda _: None))
