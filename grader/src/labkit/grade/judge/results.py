"""What a worker gets and sends: tasks, and results with the facts about each submission, which the cache stores.

Results contain neither points, which are looked up in the lab's tests when a result is read, nor words, which are chosen when
the result is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from labkit.grade.intake.submission import Submission
from labkit.grade.judge.points import LabPoints
from labkit.student.judging.finding import Finding, brief, from_json, said, to_json, together
from labkit.student.judging.words import say, say_all
from labkit.student.model.budgets import Budgets
from labkit.student.model.project import Project
from labkit.student.model.text import shortened

NOT_HANDED_IN = "not_handed_in"  # the status of a missing submission
# The machine or the grader failed. This is not a grading result, so it is never cached. Each exercise gets a check with this name.
NOT_JUDGED = "not_judged"
STATUSES = ("graded", "unreadable", "timed_out", "crashed", "not_a_lab", NOT_HANDED_IN, NOT_JUDGED)
OUTCOMES = ("passed", "failed", "error", "missing", "manual")
FACTS = (
    "status",
    "seed",
    "written",
    "attached",
    "pictures",
    "code",
)  # fields of a result that depend only on the submitted bytes
# Not a test: whether an exercise's cell runs, and its check in the notebook passes.
REFERENCE_OUTPUTS = "reference_outputs"
RUBRIC = "rubric"  # the placeholder check for a manually graded answer
LONGEST_CODE = 10_000  # characters of a code answer that are kept for pages
NAMED = 3  # ignored files named in the reason for 0 points


@dataclass(frozen=True)
class Task:
    """Grade one submission, unless its file no longer has this digest."""

    submission: Submission
    seed: int = 0
    budgets: Budgets = Budgets()


@dataclass(frozen=True)
class CourseCheck:
    """Check that these labs can be graded. The answer is a list of problems, one line each."""

    labs: tuple[str, ...]
    probe: Budgets | None = None  # if set, also check that a kernel with these budgets is isolated


@dataclass(frozen=True)
class Check:
    """One check of one exercise: its outcome, and findings if it did not pass."""

    exercise: str
    name: str
    outcome: str
    findings: tuple[Finding, ...] = ()

    def message(self, language: str = "en") -> str:
        return say_all(self.exercise, (brief(finding, 1000) for finding in self.findings), language)

    @property
    def is_test(self) -> bool:
        """Whether the check is one of the lab's tests, which a student can pass."""
        return self.name not in (NOT_JUDGED, REFERENCE_OUTPUTS, RUBRIC)

    @property
    def mistakes(self) -> tuple[Finding, ...]:
        """The findings that are mistakes in the catalogue."""
        return tuple(finding for finding in self.findings if finding.named)

    @property
    def mistake(self) -> str | None:
        return self.mistakes[0].mistake if self.mistakes else None


def all_passed(checks: Iterable[Check]) -> bool:
    """Whether all these checks passed, ignoring REFERENCE_OUTPUTS."""
    return all(check.outcome == "passed" for check in checks if check.name != REFERENCE_OUTPUTS)


@dataclass(frozen=True)
class Result:
    """The result of grading one submission. `score` and `max_score` include only what has been graded.

    Written answers are left out until they are graded by hand. `Result.of` looks up the points.
    """

    submission: Submission
    status: str
    reason: Finding | None = None
    seed: int = 0
    checks: tuple[Check, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)  # the text of each written answer, "" if unanswered
    attached: Mapping[str, str] = field(default_factory=dict)  # pictures in written answers, as data URLs by name
    pictures: Mapping[str, str] = field(default_factory=dict)  # figures by exercise, as PNG in base64
    code: Mapping[str, str] = field(default_factory=dict)  # the source of each answer in code, by exercise
    lab_points: LabPoints = field(default=LabPoints({}, ()), compare=False, repr=False)

    @classmethod
    def of(cls, project: Project, submission: Submission, *facts: Any, **named: Any) -> Result:
        """Make a result from these facts and the lab's current points. Errors: UserError."""
        return replace(cls(submission, *facts, **named), lab_points=LabPoints.of(project, submission.lab))

    @property
    def student(self) -> str:
        return self.submission.student

    @property
    def lab(self) -> str:
        return self.submission.lab

    @property
    def language(self) -> str:
        return self.submission.language

    @cached_property
    def score(self) -> float:
        return sum(self.points(check) for check in self.checks)

    @cached_property
    def max_score(self) -> float:
        return sum(self.max_points(check) for check in self.checks)

    def points(self, check: Check) -> float:
        return self.max_points(check) if check.outcome == "passed" else 0

    def max_points(self, check: Check) -> float:
        """The points of the check's test. A parametrized case has its test's points. Returns 0 if the check is not a test."""
        if check.name == NOT_JUDGED:
            return sum(points for points, exercise in self.lab_points.by_check.values() if exercise == check.exercise)
        points, exercise = self.lab_points.by_check.get(check.name.partition("[")[0], (0, ""))
        return points if exercise == check.exercise else 0

    def written_points(self) -> tuple[tuple[str, float], ...]:
        """The lab's written exercises and their points; empty for an unknown lab."""
        return self.lab_points.written

    def of_exercise(self, name: str) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.exercise == name)

    def why(self, language: str = "en") -> str:
        """Explain the status in words. If the score is 0, also report how many exercises are answered."""
        reason = self.reason
        if self.status == "graded" and not self.score:
            reason = together(*filter(None, (self._no_points(), self._not_graded(), reason)))
        words = say("", reason, language) if reason else ""
        return words if words.strip() or self.score else "no reason is known; please report this row"

    def _no_points(self) -> Finding:
        """Explain a score of 0: how many exercises were tried, and how many await grading by hand."""
        beside = (REFERENCE_OUTPUTS, RUBRIC)  # these checks are "missing" if the exercise is unanswered
        names = dict.fromkeys(check.exercise for check in self.checks)
        missing = {check.exercise for check in self.checks if check.outcome == "missing" and check.name in beside}
        manual = {check.exercise for check in self.checks if check.outcome == "manual"}
        tried, written = len(names.keys() - missing - manual), len(manual)
        facts = {"count": len(names), "tried": tried, "written": written}
        return Finding("none-right" if tried else "only-written" if written else "no-answers", facts)

    def _not_graded(self) -> Finding | None:
        files = self.submission.passed_over
        more = [f"(+{len(files) - NAMED})"] if len(files) > NAMED else []
        return Finding("not-graded", {"files": [*files[:NAMED], *more]}) if files else None

    def stored(self) -> dict[str, Any]:
        """The facts to store. The student is left out, because several students may have submitted the same file."""
        checks = [[check.exercise, check.name, check.outcome, to_json(check.findings)] for check in self.checks]
        facts = {name: getattr(self, name) for name in FACTS}
        return {**facts, "reason": to_json(self.reason), "checks": checks}

    @classmethod
    def from_stored(cls, project: Project, stored: Mapping[str, Any], submission: Submission) -> Result:
        """Make this submission's result from stored facts. Errors: KeyError, TypeError, ValueError or AttributeError if malformed."""
        checks = tuple(
            Check(exercise, name, outcome, tuple(cast("list[Finding]", from_json(findings))))
            for exercise, name, outcome, findings in stored["checks"]
        )
        facts = {name: stored[name] for name in FACTS}
        return cls.of(
            project, submission, **facts, reason=cast("Finding | None", from_json(stored["reason"])), checks=checks
        )


def unjudged(project: Project, submission: Submission, status: str, reason: str, seed: int) -> Result:
    """Make the result of a submission that could not be graded: 0 out of all points of the lab."""
    here, why = project.course, said(reason)
    asked = here.labs[submission.lab].exercises if submission.lab in here.names else ()
    checks = tuple(Check(each.name, NOT_JUDGED, "error", (why,)) for each in asked)
    return Result.of(project, submission, status, why, seed, checks)


def facts_of(result: Result) -> dict[str, Any]:
    """Convert a result to its record, with points and with messages in English."""
    names = ("submitted_at", "late", "attempt", "language")
    return {
        **{name: getattr(result, name) for name in ("student", "lab", "status")},
        "reason": result.why(),
        **{name: getattr(result, name) for name in ("score", "max_score", "seed")},
        "file": result.submission.file,
        "by": result.submission.source,
        **{name: getattr(result.submission, name) for name in names},
        "passed_over": [*result.submission.passed_over],
        "written": result.written,
        "checks": [_check(result, check) for check in result.checks],
    }


def _check(result: Result, check: Check) -> dict[str, Any]:
    def shown(fact: object) -> object:
        """Shorten a fact to a number, a short text, or a list of these."""
        if isinstance(fact, list):
            return [shown(each) for each in fact[:20]]
        fact = say(check.exercise, fact) if isinstance(fact, Finding) else fact
        return shortened(fact) if isinstance(fact, str) else fact

    numbers = [{name: shown(fact) for name, fact in each.facts.items()} for each in check.mistakes]
    return {
        "exercise": check.exercise,
        "name": check.name,
        "points": result.points(check),
        "max_points": result.max_points(check),
        "outcome": check.outcome,
        "message": check.message(),
        "mistake": check.mistake,
        "mistakes": [{"id": each.mistake, "numbers": own} for each, own in zip(check.mistakes, numbers)],
    }
