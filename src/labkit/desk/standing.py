"""What a submission comes to: its raw result, what its reader gave for written answers, and what lateness takes off.

    score = points of the checks + points of the written answers that were read
    final = score - penalty, and never below 0

Nothing here is kept: a deadline that moves, or a written answer that is read again, gives another standing of the same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from labkit.grading.results import Result


@dataclass(frozen=True)
class Person:
    """Somebody of the roster."""

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    extension: float = 0.0  # days


@dataclass(frozen=True)
class Reading:
    """What a person gave for a written answer."""

    points: float
    comment: str = ""


@dataclass(frozen=True)
class Standing:
    """One submission with everything that decides about its points."""

    result: Result
    person: Person | None = None
    readings: Mapping[str, Reading] = field(default_factory=dict)  # by exercise
    days_late: float = 0.0
    penalty: float = 0.0  # points
    why_late: str = ""  # the policy's own words

    @property
    def score(self) -> float:
        """The points so far, before the penalty."""
        return self.result.score + sum(reading.points for reading in self.readings.values())

    @property
    def max_score(self) -> float:
        """All points of the lab: those that wait for a reader too."""
        return self.result.max_score + sum(points for _, points in self.result.written_points())

    @property
    def to_read(self) -> float:
        """The points that wait for a reader; an answer that was not written waits for nobody."""
        waiting = {check.exercise for check in self.result.checks if check.outcome == "manual"} - self.readings.keys()
        return sum(points for exercise, points in self.result.written_points() if exercise in waiting)

    @property
    def final(self) -> float:
        return max(0.0, self.score - self.penalty)
