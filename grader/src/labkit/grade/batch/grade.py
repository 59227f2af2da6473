"""Grade a class. Every submission gets a row, and no submission can affect another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from labkit.grade.batch.cache import ResultCache
from labkit.grade.batch.course_check import must_be_right
from labkit.grade.batch.local_executor import judge_locally
from labkit.grade.batch.settings import Settings
from labkit.grade.intake.choose import solution_of
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_JUDGED, Result, unjudged
from labkit.grade.kernel import workdir
from labkit.student.judging.words import load
from labkit.student.model.project import Project

Executor = Callable[
    [Mapping[str, Submission], Settings], Iterator[tuple[str, Result]]
]  # grades submissions by cache key; yields each key with its result


class Results:
    """The results of a class by student and lab, read from the cache one at a time."""

    def __init__(self, cache: ResultCache, rows: list[tuple[Submission, str | Result]]):
        self._cache, self.rows = cache, sorted(rows, key=lambda row: (row[0].student, row[0].lab))
        self._targets: dict[str, Mapping[str, str]] = {}  # by lab
        self._places: dict[tuple[str, str], int] = {}  # row numbers by student and lab

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Result]:
        load(self._cache.project.course)
        return (self._result(*row) for row in self.rows)

    def _result(self, submission: Submission, kept: str | Result) -> Result:
        lost = "its result was removed while the class was graded: grade it again"
        known = kept if isinstance(kept, Result) else self._cache.get(kept, submission)
        return known or unjudged(self._cache.project, submission, NOT_JUDGED, lost, 0)

    def of(self, student: str, lab: str) -> Result | None:
        """A student's result for a lab, or None."""
        if not self._places:
            self._places = {(each.student, each.lab): number for number, (each, _) in enumerate(self.rows)}
        number = self._places.get((student, lab))
        return None if number is None else self._result(*self.rows[number])

    def target(self, lab: str, exercise: str) -> str:
        """An exercise's expected figure as PNG in base64, or "" if none is stored."""
        if lab not in self._targets:
            known = self._cache.get(self._cache.key(solution := solution_of(self._cache.project, lab)), solution)
            self._targets[lab] = known.pictures if known else {}
        return self._targets[lab].get(exercise, "")


def grade_class(
    project: Project,
    submissions: Sequence[Submission],
    out: Path,
    settings: Settings,
    tell: Callable[[Result], None],
    judged: Executor | None = None,
    others: Sequence[tuple[Submission, str | Result]] = (),
) -> Results:
    """Grade all submissions. The results are sorted by student and lab; `tell` is called with each one as soon as it is ready.

    `others` are finished rows to include. The executor `judged` grades the rest, on this machine or elsewhere, starting with each
    lab's solution.
    Errors: UserError if a lab's solution fails; finished results stay in the cache.
    """
    workdir.keep_short()
    cache = ResultCache(project, out / "cache", settings.seed, settings.budgets)
    rows: list[tuple[Submission, str | Result]] = [*others]
    for key, result in _results(submissions, cache, settings, judged or partial(judge_locally, project)):
        tell(result)
        rows.append((result.submission, key or result))
    return Results(cache, rows)


def _results(
    submissions: Sequence[Submission], cache: ResultCache, settings: Settings, judged: Executor
) -> Iterator[tuple[str | None, Result]]:
    """Yield each submission's result, with its cache key if the result is stored."""
    solutions = {}
    for lab in {each.lab for each in submissions if not each.refusal}:
        solution = solution_of(cache.project, lab)
        if known := _known(cache, key := cache.key(solution), solution, settings):
            must_be_right(cache.project.course, known)
        else:
            solutions[key] = solution
    waiting: dict[str, list[Submission]] = {}  # identical files have the same result, so one of them is run
    for each in submissions:
        if each.refusal:
            yield None, unjudged(cache.project, each, each.refusal.status, each.refusal.reason, settings.seed)
        elif known := _known(cache, key := cache.key(each), each, settings):
            yield key, known
        else:
            waiting.setdefault(key, []).append(each)
    queue = {**solutions, **{key: several[0] for key, several in waiting.items()}}
    in_turn = dict(sorted(queue.items(), key=lambda item: _turn(item[0], item[1], solutions)))
    for key, result in judged(in_turn, settings):
        kept = result.status != NOT_JUDGED and cache.put(key, result)
        if key in solutions:
            must_be_right(cache.project.course, result)
        for each in waiting.get(key, ()):
            yield key if kept else None, replace(result, submission=each)


def _turn(key: str, submission: Submission, solutions: Mapping[str, Submission]) -> tuple[str, bool, str, str]:
    """Sort key: lab by lab, so that kernels stay warm, with each lab's solution first."""
    return submission.lab, key not in solutions, submission.student, submission.file


def _known(cache: ResultCache, key: str, submission: Submission, settings: Settings) -> Result | None:
    known = cache.get(key, submission) if settings.use_cache or settings.resume else None
    # The machine may have caused a time-out, so the submission is graded again.
    return known if known and (known.status != "timed_out" or settings.resume) else None
