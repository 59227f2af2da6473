"""What grading gives: for every submission facts, as a worker sends them and the cache keeps them.

They hold no points, which are looked up in the lab's tests when somebody reads, and no words, which are chosen then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from labkit.judge.outcomes import said
from labkit.judge.points import points_by_check
from labkit.judging.finding import Finding, brief, from_json, to_json
from labkit.judging.words import say, say_all
from labkit.model import course

NOT_HANDED_IN = "not_handed_in"  # the status of a missing submission
# The machine or the grader failed, which is nobody's result and is kept nowhere. Also the check that stands for an exercise.
NOT_JUDGED = "not_judged"
STATUSES = ("graded", "unreadable", "timed_out", "crashed", "not_a_lab", NOT_HANDED_IN, NOT_JUDGED)
OUTCOMES = ("passed", "failed", "error", "missing", "manual")
FACTS = ("lab", "status", "seed", "written", "pictures")  # of a result that follow from the bytes handed in
REFERENCE_OUTPUTS = "reference_outputs"  # the check that is nbval's word on the cells of an exercise, and no test
RUBRIC = "rubric"  # the check that stands for the reader of a written answer


@dataclass(frozen=True)
class Check:
    """One check of one exercise: its outcome, and what was found where it is not passed."""

    exercise: str
    name: str
    outcome: str
    findings: tuple[Finding, ...] = ()

    def message(self, language: str = "en") -> str:
        return say_all(self.exercise, (brief(finding, 1000) for finding in self.findings), language)

    @property
    def is_test(self) -> bool:
        """Whether it is one of the lab's tests, so that a student could pass it."""
        return self.name not in (NOT_JUDGED, REFERENCE_OUTPUTS, RUBRIC)

    @property
    def mistakes(self) -> tuple[Finding, ...]:
        """Those of the catalogue."""
        return tuple(finding for finding in self.findings if finding.named)

    @property
    def mistake(self) -> str | None:
        return self.mistakes[0].mistake if self.mistakes else None


def all_passed(checks: Iterable[Check]) -> bool:
    """Whether every test among these checks is passed; a cell whose output differs fails none."""
    return all(check.outcome == "passed" for check in checks if check.name != REFERENCE_OUTPUTS)


@dataclass(frozen=True)
class Result:
    """One submission: a student and a lab. `score` and `max_score` count what has been judged.

    A written answer counts in neither until a person has read it.
    """

    student: str
    lab: str
    status: str
    reason: Finding | None = None
    seed: int = 0
    checks: tuple[Check, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)  # the text of each written answer, "" when untouched
    file: str = ""  # which of the student's files this is, and those for the same lab that do not count
    by: str = ""  # what says whose it is: folder, file, or the convention of a download
    passed_over: tuple[str, ...] = ()
    submitted_at: str | None = None  # in UTC, as ISO 8601 writes it
    late: bool | None = None  # as the LMS marks it; None where it marks nothing
    attempt: int = 0  # 1 for the student's first file for the lab, and 0 where there is none
    language: str = "en"  # of the notebook
    pictures: Mapping[str, str] = field(default_factory=dict)  # of figures, by exercise: PNG in base64

    @cached_property
    def score(self) -> float:
        return sum(self.points(check) for check in self.checks)

    @cached_property
    def max_score(self) -> float:
        return sum(self.max_points(check) for check in self.checks)

    def points(self, check: Check) -> float:
        return self.max_points(check) if check.outcome == "passed" else 0

    def max_points(self, check: Check) -> float:
        """What the test states of which the check is a case, in brackets; 0 for a check that is no test."""
        if check.name == NOT_JUDGED:
            return sum(points for points, exercise in self._points_by_check.values() if exercise == check.exercise)
        points, exercise = self._points_by_check.get(check.name.partition("[")[0], (0, ""))
        return points if exercise == check.exercise else 0

    @cached_property
    def _points_by_check(self) -> Mapping[str, tuple[float, str]]:
        return points_by_check(self.lab)

    def written_points(self) -> tuple[tuple[str, float], ...]:
        """The written exercises of its lab and what a reader may give for each; none where the lab is not known."""
        here = course.current()
        asked = here.labs[self.lab].exercises if self.lab in here.names else ()
        return tuple((exercise.name, exercise.points) for exercise in asked if exercise.written)

    def of_exercise(self, name: str) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.exercise == name)

    def why(self, language: str = "en") -> str:
        """The reason for its status, in words."""
        return say("", self.reason, language) if self.reason else ""

    def stored(self) -> dict:
        """The facts alone: not whose they are, since the same bytes may have been handed in by several."""
        checks = [[check.exercise, check.name, check.outcome, to_json(check.findings)] for check in self.checks]
        facts = {name: getattr(self, name) for name in FACTS}
        return {**facts, "reason": to_json(self.reason), "checks": checks}

    @classmethod
    def from_stored(cls, stored: dict) -> Result:
        """Errors: KeyError, TypeError, ValueError or AttributeError for what `stored` did not write."""
        checks = tuple(Check(*facts, tuple(from_json(findings))) for *facts, findings in stored["checks"])
        facts = {name: stored[name] for name in FACTS}
        return cls("", **facts, reason=from_json(stored["reason"]), checks=checks)


def unjudged(student: str, lab: str, status: str, reason: str, seed: int) -> Result:
    """The row of a submission that could not be judged: where its lab is known, no points out of the lab's."""
    here, why = course.current(), said(reason)
    asked = here.labs[lab].exercises if lab in here.names else ()
    checks = tuple(Check(each.name, NOT_JUDGED, "error", (why,)) for each in asked)
    return Result(student, lab, status, why, seed, checks)
