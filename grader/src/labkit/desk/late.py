"""deadlines.toml: when each lab was due, and what lateness costs. It is read at every grading, and nothing of it is kept.

days late = submission time - (deadline + the student's extension), in days, and never below 0
          = 1 where the LMS only marks that it was late, and there is no extension
penalty   = score · min(percent · days begun beyond the free ones, most) / 100
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from labkit.desk.final_score import FinalScore
from labkit.desk.sheets import DeskProblem, read_toml
from labkit.judging.finding import Finding
from labkit.judging.words import say
from labkit.model.course import Course
from labkit.model.text import in_a_line

NAME = "deadlines.toml"
NUMBERS = ("percent", "most", "free_days")  # of [late], besides a function
EXAMPLE = "2026-03-01T23:59:00+01:00"

Own = Callable[[FinalScore], "float | tuple[float, str]"]


@dataclass(frozen=True)
class Policy:
    """What lateness costs in a class; without anything, nothing."""

    deadlines: Mapping[str, datetime] = field(default_factory=dict)  # by lab
    percent: float = 0.0  # of the score, for each day that has begun
    most: float = 100.0  # percent
    free_days: float = 0.0  # for all labs together; those that were due first use them first
    own: Own | None = None  # a function of an instructor's: a final score -> points to take off, or these and why

    @property
    def costs(self) -> bool:
        """Whether lateness can take points."""
        return bool(self.deadlines) and (self.own is not None or self.percent > 0)

    def days_late(self, lab: str, submitted_at: str | None, late: bool | None, extension: float) -> float:
        """0 where no deadline is known, or neither a time nor a mark of the LMS; never above 0 against such a mark.

        A mark without a time counts as the least that it can mean: a day that has begun, or nothing with an extension.
        """
        due = self.deadlines.get(lab)
        if not due or late is False:
            return 0.0
        if not submitted_at:
            return 1.0 if late and not extension else 0.0
        return max(0.0, (datetime.fromisoformat(submitted_at) - due - timedelta(days=extension)) / timedelta(days=1))

    def _days_late(self, final_score: FinalScore) -> float:
        if final_score.excused:
            return 0.0
        extension = final_score.person.extension if final_score.person else 0.0
        submission = final_score.result.submission
        return self.days_late(submission.lab, submission.submitted_at, submission.late, extension)

    def applied_to(self, final_scores: Iterable[FinalScore]) -> Iterator[FinalScore]:
        """The same, with their days and penalties, in the same order. A student's have to follow one another.

        Errors: DeskProblem when a function of one's own fails.
        """
        for _, group in groupby(final_scores, lambda final_score: final_score.result.student):
            own = [replace(each, days_late=self._days_late(each)) for each in group]
            left, used = self.free_days, {}
            for each in sorted(filter(lambda each: each.days_late, own), key=self._due):
                used[each.result.lab] = min(left, math.ceil(each.days_late))
                left -= used[each.result.lab]
            yield from (self._judged(each, used[each.result.lab]) if each.days_late else each for each in own)

    def _due(self, final_score: FinalScore) -> tuple[datetime, str]:
        return self.deadlines[final_score.result.lab], final_score.result.lab

    def _judged(self, final_score: FinalScore, free: float) -> FinalScore:
        """With the penalty of one that is late, `free` days of which cost nothing."""
        if self.own:
            penalty, why = _asked(self.own, final_score)
            return replace(final_score, penalty=penalty, why_late=why)
        days = math.ceil(final_score.days_late)
        percent = min(self.percent * max(0.0, days - free), self.most)
        facts = {"days": days, "free": free, "percent": percent, "score": final_score.score}
        named = "handed-in-late" if final_score.result.submission.submitted_at else "marked-late"
        named += "-free" if free else ""
        why = say("", Finding(named, facts), final_score.result.language)
        return replace(final_score, penalty=round(final_score.score * percent / 100, 2), why_late=why)


def _asked(own: Own, final_score: FinalScore) -> tuple[float, str]:
    whose = f"{own.__name__} for {final_score.result.student}, {final_score.result.lab}"
    try:
        answer = own(final_score)
        points, why = answer if isinstance(answer, tuple) else (answer, "")
        penalty, why = float(points), str(why)
    except Exception as error:  # an instructor's own code may do anything
        raise DeskProblem(f"{NAME}: {whose}: {in_a_line(error)}") from None
    if not 0 <= penalty < math.inf:
        raise DeskProblem(f"{NAME}: {whose} gave {points!r}; points to take off are asked for, from 0 up")
    return penalty, why


def read(course: Course, path: Path) -> Policy:
    """What the file says; a policy that costs nothing where there is none. Errors: DeskProblem, with the key that is wrong."""
    if not path.exists():
        return Policy()
    said = read_toml(path)
    _only(path, "", said, ("deadlines", "late"))
    for table in said:
        if not isinstance(said[table], dict):
            raise DeskProblem(f"{path}: [{table}] has to be a table")
    deadlines, late = said.get("deadlines", {}), said.get("late", {})
    _only(path, "deadlines.", deadlines, course.names)
    _only(path, "late.", late, (*NUMBERS, "function"))
    numbers = {name: _number(path, name, late[name]) for name in NUMBERS if name in late}
    if "free_days" in numbers:
        numbers.setdefault("percent", 100.0)  # a budget that may be overdrawn says at what price
    due = {lab: _moment(path, lab, moment) for lab, moment in deadlines.items()}
    return Policy(due, **numbers, own=_own(path, late["function"]) if "function" in late else None)


def _only(path: Path, table: str, said: Mapping[str, object], known: Iterable[str]) -> None:
    for name in said:
        if name not in known:
            raise DeskProblem(f"{path}: {table}{name} is not known; it knows {', '.join(known)}")


def _number(path: Path, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise DeskProblem(f"{path}: late.{name} has to be a number from 0 up, and not {value!r}")
    return float(value)


def _moment(path: Path, lab: str, value: object) -> datetime:
    """A time with its zone: the same deadline for all, wherever they are."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        moment = None
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise DeskProblem(f"{path}: deadlines.{lab} has to be a time with its zone, like {EXAMPLE}, and not {value}")
    return moment


def _own(path: Path, name: object) -> Own:
    """The function FILE.py:NAME, of a file that lies beside this one or below it."""
    file, _, function = str(name).partition(":")
    try:
        spec = importlib.util.spec_from_file_location("labkit_late_policy", path.parent / file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        own = getattr(module, function)
    except Exception as error:
        raise DeskProblem(f"{path}: late.function = {name!r}: {in_a_line(error)}") from None
    if not callable(own):
        raise DeskProblem(f"{path}: late.function = {name!r} is no function")
    return own
