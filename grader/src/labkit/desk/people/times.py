"""Take submission times from the roster, and report doubtful times before they cost students points.

Files in a download from an LMS often have the time of the download. Such times, and times that contradict the LMS's own mark
"late", are reported in one line before grading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from labkit.desk.people.final_score import Person
from labkit.desk.people.late import NAME, Policy
from labkit.desk.people.roster import Roster
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_HANDED_IN
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.text import printable, some

TOGETHER = timedelta(minutes=15)  # longest time between the first and the last file of one download
NEARLY_ALL = 0.9  # fraction of the files; a few may have arrived by e-mail
NAMED = 20  # students named in a line
GRACE = timedelta(minutes=1)  # Canvas marks submissions as late only when they are this long after the deadline
REMEDY = f"correct the time, the extension in the roster, or {NAME}"


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


def check(policy: Policy, submissions: Sequence[Submission], people: Mapping[str, Person]) -> None:
    """Check that no student would lose points because of a time that is probably wrong. Errors: UserError."""
    if not policy.costs:
        return
    _check_marks(policy, submissions, people)
    files = {
        each.path: each for each in submissions if each.by_change and each.submitted_at
    }  # a group's file counts once
    timed = sorted(files.values(), key=_when)
    most = _together(timed)
    together = {each.path for each in most}
    late = {each.path for each in submissions if each.path in together and _days_late(policy, each, people)}
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
    marked = [each for each in submissions if each.late and not each.submitted_at and each.lab in policy.deadlines]
    extended = sorted({each.student for each in marked if _extension(each, people)})
    counted = sorted({each.student for each in marked} - {*extended})
    if counted:
        free = policy.free_days and not policy.own
        yield (
            f"Canvas marks these students' work as late ({len(counted):,}), but does not say how late: {some(counted, NAMED)}. Each "
            f"such submission counts as one day late{', which free days cover while the student has any left' if free else ''}; to "
            "count the actual days, add the submission times to the roster's column submitted_at."
        )
    if extended:
        yield (
            f"Canvas marks these students' work as late ({len(extended):,}), but does not say how late: {some(extended, NAMED)}. It "
            "counts as on time, because they have an extension."
        )


def _days_late(policy: Policy, each: Submission, people: Mapping[str, Person]) -> float:
    return policy.days_late(each.lab, each.submitted_at, each.late, _extension(each, people))


def _when(each: Submission) -> datetime:
    return datetime.fromisoformat(each.submitted_at)


def _together(timed: Sequence[Submission]) -> Sequence[Submission]:
    """The largest set of files changed within TOGETHER of each other. `timed` is sorted by time."""
    first, most = 0, timed[:0]
    for end, each in enumerate(timed, 1):
        while _when(each) - _when(timed[first]) > TOGETHER:
            first += 1
        most = max(most, timed[first:end], key=len)
    return most


def _check_marks(policy: Policy, submissions: Iterable[Submission], people: Mapping[str, Person]) -> None:
    """Check that times from files agree with the LMS's marks. Errors: UserError."""
    wrong = []
    for each in submissions:
        due = policy.deadlines.get(each.lab)
        if due is None or each.late is None or each.submitted_at is None:
            continue
        after = datetime.fromisoformat(each.submitted_at) - due
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
