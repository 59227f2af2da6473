"""What grading gives: a result for every submission, as the files of the contract hold it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

# not_judged: the machine or the grader failed, which is nobody's result and is kept nowhere.
STATUSES = ("graded", "unreadable", "timed_out", "crashed", "not_a_lab", "not_judged")
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
    mistake: str | None = None  # the first of those named
    mistakes: tuple[dict, ...] = ()  # all of them: {"id": name, "numbers": what shows it}


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
    file: str = ""  # which of the student's files this is, and those for the same lab that do not count
    passed_over: tuple[str, ...] = ()

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
        head = {name: plain.pop(name) for name in ("student", "lab", "status", "reason")}
        passed_over = list(plain.pop("passed_over"))
        checks = [{**check, "mistakes": list(check["mistakes"])} for check in plain.pop("checks")]
        scores = {"score": self.score, "max_score": self.max_score}
        return {**head, **scores, **plain, "passed_over": passed_over, "checks": checks}

    @classmethod
    def from_json(cls, plain: dict) -> Result:
        named = {name: plain[name] for name in ("student", "lab", "status", "reason", "seed", "file")}
        checks = tuple(Check(**{**check, "mistakes": tuple(check["mistakes"])}) for check in plain["checks"])
        return cls(**named, passed_over=tuple(plain["passed_over"]), checks=checks)
