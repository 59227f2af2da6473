"""deadlines.toml: when each lab is due, and the penalty for lateness. Every grading run reads the file again.

days late = submission time - (deadline + the student's extension), in days, at least 0
          = 1 if the LMS marks the submission as late but gives no time, and there is no extension
penalty   = score · min(percent · (days late, rounded up - free days used), most) / 100
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.sheets import read_toml
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.text import in_a_line

NAME = "deadlines.toml"
NUMBERS = ("percent", "most", "free_days")  # keys of [late] other than function
EXAMPLE = "2026-03-01T23:59:00+01:00"

Own = Callable[[FinalScore], "float | tuple[float, str]"]


@dataclass(frozen=True)
class Policy:
    """The late policy of a class. By default no points are taken off."""

    deadlines: Mapping[str, datetime] = field(default_factory=dict)  # by lab
    percent: float = 0.0  # of the score, for each day or part of a day
    most: float = 100.0  # percent
    free_days: float = 0.0  # shared by all labs; labs with earlier deadlines use them first
    own: Own | None = None  # the course's function: FinalScore -> points to take off, or (points, reason)

    @property
    def costs(self) -> bool:
        """Whether lateness can cost points."""
        return bool(self.deadlines) and (self.own is not None or self.percent > 0)

    def days_late(self, lab: str, submitted_at: str | None, late: bool | None, extension: float) -> float:
        """Compute the days late: 0 if there is no deadline, or if the LMS marks the submission as on time.

        Without a submission time: 1 if the LMS marks the submission as late and the student has no extension, otherwise 0.
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
        """Add days late and penalties to the final scores, in the same order. Each student's scores must be consecutive.

        Errors: UserError if the course's own function fails.
        """
        for _, group in groupby(final_scores, lambda final_score: final_score.result.student):
            own = [replace(each, days_late=self._days_late(each)) for each in group]
            left, used = self.free_days, {}
            for each in sorted(filter(lambda each: each.days_late, own), key=self._due):
                used[each.result.lab] = min(left, math.ceil(each.days_late))
                left -= used[each.result.lab]
            yield from (self._with_penalty(each, used[each.result.lab]) if each.days_late else each for each in own)

    def _due(self, final_score: FinalScore) -> tuple[datetime, str]:
        return self.deadlines[final_score.result.lab], final_score.result.lab

    def _with_penalty(self, final_score: FinalScore, free: float) -> FinalScore:
        """Add the penalty for a late submission; `free` of its days cost nothing."""
        if self.own:
            penalty, why = _own_penalty(self.own, final_score)
            return replace(final_score, penalty=penalty, why_late=why)
        days = math.ceil(final_score.days_late)
        percent = min(self.percent * max(0.0, days - free), self.most)
        facts = {"days": days, "free": free, "percent": percent, "score": final_score.score}
        named = "handed-in-late" if final_score.result.submission.submitted_at else "marked-late"
        named += "-free" if free else ""
        why = say("", Finding(named, facts), final_score.result.language)
        return replace(final_score, penalty=round(final_score.score * percent / 100, 2), why_late=why)


def _own_penalty(own: Own, final_score: FinalScore) -> tuple[float, str]:
    subject = f"{own.__name__} for {final_score.result.student}, {final_score.result.lab}"
    try:
        answer = own(final_score)
        points, why = answer if isinstance(answer, tuple) else (answer, "")
        penalty, why = float(points), str(why)
    except Exception as error:  # the course's own code may raise anything
        raise UserError(f"{NAME}: {subject}: {in_a_line(error)}") from None
    if not 0 <= penalty < math.inf:
        raise UserError(
            f"{NAME}: {subject} returned {points!r}; it must return the number of points to take off, 0 or more"
        )
    return penalty, why


def read(course: Course, path: Path) -> Policy:
    """Read the policy; without a file there are no penalties. Errors: UserError, naming the invalid key."""
    if not path.exists():
        return Policy()
    entries = read_toml(path)
    _only(path, "", entries, ("deadlines", "late"))
    for table in entries:
        if not isinstance(entries[table], dict):
            raise UserError(f"{path}: [{table}] must be a table")
    deadlines, late = entries.get("deadlines", {}), entries.get("late", {})
    _only(path, "deadlines.", deadlines, course.names)
    _only(path, "late.", late, (*NUMBERS, "function"))
    numbers = {name: _number(path, name, late[name]) for name in NUMBERS if name in late}
    if "free_days" in numbers:
        numbers.setdefault("percent", 100.0)  # without a percentage, any day beyond the free ones costs all points
    due = {lab: _moment(path, lab, moment) for lab, moment in deadlines.items()}
    return Policy(due, **numbers, own=_own(path, late["function"]) if "function" in late else None)


def _only(path: Path, table: str, entries: Mapping[str, object], known: Iterable[str]) -> None:
    for name in entries:
        if name not in known:
            raise UserError(f"{path}: unknown key {table}{name}; use {', '.join(known)}")


def _number(path: Path, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise UserError(f"{path}: late.{name} must be a number, 0 or more, not {value!r}")
    return float(value)


def _moment(path: Path, lab: str, value: object) -> datetime:
    """Check that a time has a time zone, so that the deadline is the same everywhere."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        moment = None
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise UserError(f"{path}: deadlines.{lab} must be a time with a zone, such as {EXAMPLE}, not {value}")
    return moment


def _own(path: Path, name: object) -> Own:
    """Load the function FILE.py:NAME. FILE.py is a path relative to the folder of the deadlines file."""
    file, _, function = str(name).partition(":")
    try:
        spec = importlib.util.spec_from_file_location("labkit_late_policy", path.parent / file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        own = getattr(module, function)
    except Exception as error:
        raise UserError(f"{path}: late.function = {name!r}: {in_a_line(error)}") from None
    if not callable(own):
        raise UserError(f"{path}: late.function = {name!r} is not a function")
    return own
