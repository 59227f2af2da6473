"""Compute a submission's final score from its raw result, points for written answers, lateness and adjustments.

    score = points from checks + points from graded written answers + adjustments to exercises
    final = score - penalty, at least 0; then adjustments to the whole lab are applied

Every run computes the final score again, so a new deadline or new points for a written answer take effect even if the raw
result is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED, Check, Result
from labkit.student.model.text import in_points, printable, shortened

EXCUSED = "excused"  # shown instead of a final score


@dataclass(frozen=True)
class Person:
    """A person in the roster."""

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    extension: float = 0.0  # days
    group: str = ""


@dataclass(frozen=True)
class Mark:
    """A reader's points for a written answer, with a comment and the fulfilled rubric items (such as "1 3")."""

    points: float
    comment: str = ""
    items: str = ""
    answer: str = ""  # the digest of the answer that the reader saw, if known
    where: str = field(default="", compare=False)  # the file and line
    confirm: str = field(default="", compare=False)  # see Adjustment


@dataclass(frozen=True)
class Seen:
    """Digests of the answers in a graded attempt, by exercise, and of what each manual decision was made for."""

    answers: Mapping[str, str] = field(default_factory=dict)
    made_for: Mapping[str, str] = field(default_factory=dict)  # by a digest of the decision
    submitted_at: str | None = None


@dataclass(frozen=True)
class Adjustment:
    """A manual change to the points of an exercise, or to the lab's final score if `exercise` is empty."""

    exercise: str
    reason: str
    add: float = 0.0
    set: float | None = None
    excused: bool = False  # the lab does not count
    answer: str = field(default="", compare=False)  # the digest of what it was made for, if the row has one
    where: str = field(default="", compare=False)  # the file and line
    confirm: str = field(default="", compare=False)  # if made for an earlier attempt: the digest that confirms it

    @property
    def settles(self) -> bool:
        """Whether the adjustment overrides everything before it."""
        return self.set is not None or self.excused

    def of(self, points: float) -> float | None:
        """Return the points after the change, at least 0; None if the lab does not count."""
        return None if self.excused else max(0.0, points + self.add if self.set is None else self.set)


@dataclass(frozen=True)
class Adjusted(Adjustment):
    """An adjustment together with the points before and after it."""

    before: float = 0.0
    after: float | None = None  # None if the lab does not count

    @property
    def moved(self) -> float:
        return 0.0 if self.after is None else self.after - self.before

    def does_the_same_as(self, other: Adjusted) -> bool:
        same = (self.exercise, self.reason) == (other.exercise, other.reason)
        return same and (self.after == other.after or abs(self.moved - other.moved) < 1e-9)

    def __str__(self) -> str:
        """Describe the adjustment for a table or terminal: "midrange 0 → 2: the check was too strict"."""
        moved = EXCUSED if self.after is None else f"{in_points(self.before)} → {in_points(self.after)}"
        return printable(shortened(f"{self.exercise or 'lab'} {moved}: {self.reason}", 500))


@dataclass(frozen=True)
class FinalScore:
    """A submission with everything that decides its points. Final scores are computed only here."""

    result: Result
    person: Person | None = None
    readings: Mapping[str, Mark] = field(default_factory=dict)  # by exercise
    days_late: float = 0.0
    penalty: float = 0.0  # points
    why_late: str = ""  # the policy's reason
    given: tuple[Adjustment, ...] = ()  # adjustments, in the order in which they apply
    seen: Seen = field(default_factory=Seen)  # what the decisions were made for; it does not affect points
    # The words of results.json, if the final score is from a results folder.
    feedback: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def student(self) -> str:
        return self.result.student

    @property
    def lab(self) -> str:
        return self.result.lab

    @property
    def profile(self) -> Person:
        """What the roster says about the student; empty if it lists no such person."""
        return self.person or Person("")

    def without_texts(self) -> FinalScore:
        """A copy with everything that decides points, and without messages, answers and figures."""
        result = self.result
        checks = tuple(Check(each.exercise, each.name, each.outcome) for each in result.checks)
        bare = Result(result.submission, result.status, checks=checks, lab_points=result.lab_points)
        return replace(self, result=bare)

    def points(self, exercise: str) -> float:
        """The points of an exercise."""
        steps = self.adjusted(exercise)
        return steps[-1].after if steps else self._raw(exercise)

    @cached_property
    def from_checks(self) -> Mapping[str, float]:
        """The points from checks, by exercise."""
        points: dict[str, float] = {}
        for check in self.result.checks:
            points[check.exercise] = points.get(check.exercise, 0) + self.result.points(check)
        return points

    @cached_property
    def by_exercise(self) -> Mapping[str, float]:
        """The points of each graded exercise."""
        points = {**self.from_checks}
        for exercise, reading in self.readings.items():
            points[exercise] = points.get(exercise, 0) + reading.points
        for step in self._in_exercises:
            points[step.exercise] = step.after or 0.0
        return {exercise: own for exercise, own in points.items() if exercise not in self.unread}

    def adjusted(self, exercise: str) -> tuple[Adjusted, ...]:
        """The adjustments to an exercise or, if `exercise` is "", to the lab's final score."""
        points, steps = self._raw(exercise) if exercise else self._in_time, []
        for each in (each for each in self.given if each.exercise == exercise):
            steps.append(Adjusted(**vars(each), before=points, after=each.of(points)))
            points = steps[-1].after or 0.0
        return tuple(steps)

    @cached_property
    def adjustments(self) -> tuple[Adjusted, ...]:
        """All adjustments: first to exercises, then to the lab's final score."""
        return (*self._in_exercises, *self.adjusted(""))

    @property
    def moved(self) -> float:
        """The sum of all adjustments."""
        return sum(each.moved for each in self.adjustments)

    @cached_property
    def score(self) -> float:
        """The points so far, before the penalty."""
        read = sum(reading.points for reading in self.readings.values())
        return self.result.score + read + sum(step.moved for step in self._in_exercises)

    @cached_property
    def max_score(self) -> float:
        """All points of the lab, including ungraded ones."""
        return self.result.max_score + sum(points for _, points in self.result.written_points())

    @cached_property
    def unread(self) -> Mapping[str, float]:
        """Ungraded points by exercise. Missing written answers do not count."""
        waiting = {check.exercise for check in self.result.checks if check.outcome == "manual"} - self.readings.keys()
        waiting -= {each.exercise for each in self.given if each.settles}
        return {exercise: points for exercise, points in self.result.written_points() if exercise in waiting}

    @cached_property
    def to_read(self) -> float:
        """Ungraded points that can still change the final score."""
        settled = any(each.settles for each in self.given if not each.exercise)
        return 0 if settled else sum(self.unread.values())

    @cached_property
    def final(self) -> float | None:
        """The final score; None if the lab does not count."""
        steps = self.adjusted("")
        return steps[-1].after if steps else self._in_time

    @cached_property
    def outdated(self) -> tuple[str, ...]:
        """The manual decisions made for an earlier attempt: where each row is, what it does, and the digest that confirms it."""
        read = (
            f"{each.where}: {printable(exercise)} read, {in_points(each.points)} points (answer {each.confirm})"
            for exercise, each in self.readings.items()
            if each.confirm
        )
        changed = (f"{each.where}: {each} (answer {each.confirm})" for each in self.adjustments if each.confirm)
        return (*read, *changed)

    @property
    def excused(self) -> bool:
        return any(each.excused for each in self.given)

    @property
    def status(self) -> str:
        """The status. A missing submission with points given by hand counts as graded."""
        if self.excused:
            return EXCUSED
        return "graded" if self.result.status == NOT_HANDED_IN and self.given else self.result.status

    @property
    def is_scored(self) -> bool:
        """Whether there are points. A missing submission gets points only from adjustments."""
        return self.result.status != NOT_JUDGED and (self.result.status != NOT_HANDED_IN or bool(self.given))

    @cached_property
    def _in_time(self) -> float:
        """The score after the penalty."""
        return max(0.0, self.score - self.penalty)

    def _raw(self, exercise: str) -> float:
        reading = self.readings.get(exercise)
        return self.from_checks.get(exercise, 0) + (reading.points if reading else 0)

    @cached_property
    def _in_exercises(self) -> tuple[Adjusted, ...]:
        names = dict.fromkeys(each.exercise for each in self.given if each.exercise)
        return tuple(step for name in names for step in self.adjusted(name))


def final_text(final: float | None) -> str:
    """A final score as shown in a table."""
    return EXCUSED if final is None else in_points(final)
