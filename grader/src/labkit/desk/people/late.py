"""deadlines.toml: when each lab is due, and the penalty for lateness. Every grading run reads the file again.

days late = submission time - (deadline + the student's extension), in days, at least 0
          = 1 if the LMS marks the submission as late but gives no time, and there is no extension
penalty   = score · min(percent · (days late, rounded up - free days used), most) / 100

Doubtful times are reported in one line before grading: files in a download often have the time of the download, and times
may contradict the LMS's own mark "late".
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from labkit.desk.people.final_score import FinalScore, Person
from labkit.desk.people.roster import Roster
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_HANDED_IN
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import only_known, read_toml
from labkit.student.model.text import in_a_line, printable, some

NAME = "deadlines.toml"
NUMBERS = ("percent", "most", "free_days")  # keys of [late] other than function
EXAMPLE = "2026-03-01T23:59:00+01:00"
TOGETHER = timedelta(minutes=15)  # longest time between the first and the last file of one download
NEARLY_ALL = 0.9  # fraction of the files; a few may have arrived by e-mail
NAMED = 20  # students named in a line
GRACE = timedelta(minutes=1)  # Canvas marks submissions as late only when they are this long after the deadline
REMEDY = f"correct the time, the extension in the roster, or {NAME}"

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

    def days_late(self, each: Submission, extension: float) -> float:
        """Compute the days late: 0 if there is no deadline, or if the LMS marks the submission as on time.

        Without a submission time: 1 if the LMS marks the submission as late and the student has no extension, otherwise 0.
        """
        due = self.deadlines.get(each.lab)
        if not due or each.late is False:
            return 0.0
        if not each.when:
            return 1.0 if each.late and not extension else 0.0
        return max(0.0, (each.when - due - timedelta(days=extension)) / timedelta(days=1))

    def _days_late(self, final_score: FinalScore) -> float:
        if final_score.excused:
            return 0.0
        return self.days_late(final_score.result.submission, final_score.profile.extension)

    def applied_to(self, final_scores: Iterable[FinalScore]) -> Iterator[FinalScore]:
        """Add days late and penalties to the final scores, in the same order. Each student's scores must be consecutive.

        Errors: UserError if the course's own function fails.
        """
        for _, group in groupby(final_scores, lambda final_score: final_score.result.student):
            own = [replace(each, days_late=self._days_late(each)) for each in group]
            left, used = self.free_days, {}
            late = [each for each in own if each.days_late]
            for each in sorted(late, key=lambda each: (self.deadlines[each.lab], each.lab)):
                used[each.lab] = min(left, math.ceil(each.days_late))
                left -= used[each.lab]
            yield from (self._with_penalty(each, used[each.lab]) if each.days_late else each for each in own)

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
    only_known(path, "", entries, ("deadlines", "late"))
    for table in entries:
        if not isinstance(entries[table], dict):
            raise UserError(f"{path}: [{table}] must be a table")
    deadlines, late = entries.get("deadlines", {}), entries.get("late", {})
    only_known(path, "deadlines.", deadlines, course.names)
    only_known(path, "late.", late, (*NUMBERS, "function"))
    numbers = {name: _number(path, name, late[name]) for name in NUMBERS if name in late}
    if "free_days" in numbers:
        numbers.setdefault("percent", 100.0)  # without a percentage, any day beyond the free ones costs all points
    due = {lab: _moment(path, lab, moment) for lab, moment in deadlines.items()}
    return Policy(due, **numbers, own=_own(path, late["function"]) if "function" in late else None)


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


def from_roster(course: Course, roster: Roster, policy: Policy, submissions: Iterable[Submission]) -> list[Submission]:
    """Add submission times from the roster. Errors: UserError for a time that could belong to several labs.

    A time without a zone is read in the deadline's zone, or as local time if there is no deadline.
    """
    submissions = list(submissions)
    labs = sorted({each.lab for each in submissions} & {*course.names})
    if len(labs) > 1 and any("" in known.submitted for known in roster.known.values()):
        raise UserError(
            f"the roster has one time for each person, but there are several labs ({', '.join(labs)}): "
            f"name the column of times after its lab, as in 'submitted_at {labs[0]}', or grade one lab with --lab"
        )
    return [_timed(each, roster, policy) if each.lab in labs else each for each in submissions]


def _timed(each: Submission, roster: Roster, policy: Policy) -> Submission:
    times = roster.times(each.student)
    when = times.get(each.lab) or times.get("")
    if not when or each.refusal and each.refusal.status == NOT_HANDED_IN:
        return each
    if when.tzinfo is None:
        due = policy.deadlines.get(each.lab)
        when = when.replace(tzinfo=due.tzinfo) if due else when.astimezone()
    return replace(each, submitted=when.timestamp(), by_change=False)


def check_times(policy: Policy, submissions: Sequence[Submission], people: Mapping[str, Person]) -> None:
    """Check that no student would lose points because of a time that is probably wrong. Errors: UserError."""
    if not policy.costs:
        return
    _check_marks(policy, submissions, people)
    files = {each.path: each for each in submissions if each.by_change and each.when}  # a group's file counts once
    timed = sorted(files.values(), key=lambda each: each.when)
    most = _together(timed)
    together = {each.path for each in most}
    late = {
        each.path for each in submissions if each.path in together and policy.days_late(each, _extension(each, people))
    }
    if late and len({each.student for each in most}) > 1 and len(most) >= NEARLY_ALL * len(timed):
        raise UserError(
            f"{len(most):,} of {len(timed):,} files were changed within {TOGETHER // timedelta(minutes=1)} minutes, probably "
            f"when they were downloaded, and {len(late):,} of them would lose points for lateness: put the submission "
            f"times in the roster's column submitted_at, or remove [late] from {NAME}"
        )


def marks_without_times(
    policy: Policy, submissions: Iterable[Submission], people: Mapping[str, Person]
) -> Iterator[str]:
    """Yield a line for the submissions that an LMS marks as late without a time, and what labkit decided about them."""
    if not policy.costs:
        return
    marked = [each for each in submissions if each.late and not each.when and each.lab in policy.deadlines]
    extended = sorted({each.student for each in marked if _extension(each, people)})
    counted = sorted({each.student for each in marked} - {*extended})
    free = ", which free days cover while the student has any left" if policy.free_days and not policy.own else ""
    one_day = (
        f"Each such submission counts as one day late{free}; to count the actual days, add the submission times to the "
        "roster's column submitted_at."
    )
    on_time = "It counts as on time, because they have an extension."
    for students, what in ((counted, one_day), (extended, on_time)):
        if students:
            named = f"({len(students):,}), but does not say how late: {some(students, NAMED)}"
            yield f"Canvas marks these students' work as late {named}. {what}"


def _together(timed: Sequence[Submission]) -> Sequence[Submission]:
    """The largest set of files changed within TOGETHER of each other. `timed` is sorted by time."""
    first, most = 0, timed[:0]
    for end, each in enumerate(timed, 1):
        while each.when - timed[first].when > TOGETHER:
            first += 1
        most = max(most, timed[first:end], key=len)
    return most


def _check_marks(policy: Policy, submissions: Iterable[Submission], people: Mapping[str, Person]) -> None:
    """Check that times from files agree with the LMS's marks. Errors: UserError."""
    wrong = []
    for each in submissions:
        due = policy.deadlines.get(each.lab)
        if due is None or each.late is None or each.when is None:
            continue
        after = each.when - due
        if each.late and after <= timedelta():
            wrong.append((each, "is marked late by the LMS, but its time is before the deadline"))
        elif not each.late and after - timedelta(days=_extension(each, people)) > GRACE:
            wrong.append((each, "is not marked late by the LMS, but its time is after the deadline"))
    if wrong:
        each, why = wrong[0]
        others = f" (and {len(wrong) - 1:,} more like this)" if wrong[1:] else ""
        raise UserError(f"{printable(each.student)}, {each.lab}, {each.submitted_at}: {why}{others}; {REMEDY}")


def _extension(each: Submission, people: Mapping[str, Person]) -> float:
    return people[each.student].extension if each.student in people else 0.0
