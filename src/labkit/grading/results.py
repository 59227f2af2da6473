"""What grading gives: a result for every submission, as the files of the contract hold it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from labkit.course import NAMES, labs

STATUSES = ("graded", "unreadable", "timed_out", "crashed", "not_a_lab")
OUTCOMES = ("passed", "failed", "error", "missing", "manual")


@dataclass(frozen=True)
class Check:
    """One check of one exercise."""

    exercise: str
    name: str
    points: float
    max_points: float
    outcome: str
    message: str = ""
    mistake: str | None = None


@dataclass(frozen=True)
class Result:
    """One submission: a student and a lab. `score` and `max_score` count what has been judged.

    A written answer counts in neither until a person has read it.
    """

    student: str
    lab: str
    status: str
    reason: str = ""
    seed: int = 0
    checks: tuple[Check, ...] = field(default_factory=tuple)

    @classmethod
    def unjudged(cls, student: str, lab: str, status: str, reason: str, seed: int) -> Result:
        """The row of a submission that could not be judged: where its lab is known, no points out of the lab's."""
        asked = labs()[lab].exercises if lab in NAMES else ()
        checks = (
            Check(each.name, "not_judged", 0, 0 if each.written else each.points, "error", reason) for each in asked
        )
        return cls(student, lab, status, reason, seed, tuple(checks))

    @property
    def score(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def max_score(self) -> float:
        return sum(check.max_points for check in self.checks)

    def of_exercise(self, name: str) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.exercise == name)

    def as_json(self) -> dict:
        plain = asdict(self)
        checks = plain.pop("checks")
        seed = plain.pop("seed")
        return {**plain, "score": self.score, "max_score": self.max_score, "seed": seed, "checks": list(checks)}

    @classmethod
    def from_json(cls, plain: dict) -> Result:
        named = {name: plain[name] for name in ("student", "lab", "status", "reason", "seed")}
        return cls(**named, checks=tuple(Check(**check) for check in plain["checks"]))
