"""Groups in a roster: one submission for a lab counts for all members.

If several members submitted, one submission is chosen by the same rules as for several attempts by one student.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from labkit.desk.people.missing import is_missing
from labkit.desk.people.roster import Roster
from labkit.grade.intake.choose import best
from labkit.grade.intake.submission import Submission
from labkit.student.model.course import Course


def shared(course: Course, roster: Roster, submissions: Iterable[Submission]) -> list[Submission]:
    """Give each member the group's submission, and sort the rows by student and lab."""
    rows: list[Submission] = []
    of: dict[str, list[Submission]] = defaultdict(list)
    for each in submissions:
        group = roster.group_of(each.student)
        (of[group] if group else rows).append(each)
    for group, several in of.items():
        rows += _of_group(course, group, roster.groups[group], several)
    return sorted(rows, key=lambda each: (each.student, each.lab))


def _of_group(
    course: Course, group: str, members: Sequence[str], several: Sequence[Submission]
) -> Iterator[Submission]:
    labs: dict[str, list[Submission]] = defaultdict(list)
    for each in several:
        if not is_missing(each):
            labs[each.lab].append(each)
    aside: list[Submission] = []
    if any(
        not each.refusal for found in labs.values() for each in found
    ):  # if there is a readable lab, files that match no lab do not count
        aside = [each for lab, found in labs.items() if lab not in course.names for each in found]
        labs = {lab: found for lab, found in labs.items() if lab in course.names}
    for lab in sorted(labs):
        yield from _rows(course, group, members, labs[lab], aside if lab == min(labs) else ())
    yield from (each for each in several if is_missing(each) and each.lab not in labs)


def _rows(
    course: Course, group: str, members: Sequence[str], found: Sequence[Submission], aside: Sequence[Submission]
) -> Iterator[Submission]:
    """Make a row for each member."""
    with_file = [each for each in found if each.path]
    chosen = best(with_file, course.names) if with_file else found[0]
    others = {each.file for each in (*found, *aside) if each.file and each.digest != chosen.digest}
    others |= {file for each in found for file in each.passed_over}
    same = {each.student: each for each in found if each.digest and each.digest == chosen.digest}
    for member in members:
        row = chosen if member == chosen.student else _member_row(chosen, member, group, same.get(member))
        yield row.passing_over(others) if others else row


def _member_row(chosen: Submission, member: str, group: str, own: Submission | None) -> Submission:
    """Make another member's row from the group's submission.

    `own`: an identical file that the member submitted too, which is then named in the row. If the submission time is known, the
    LMS's mark "on time" is dropped, because it may be due to the submitter's own extension.
    """
    submitter = f"group {group}" if chosen.student == group else chosen.student
    late = None if chosen.late is False and chosen.submitted_at else chosen.late
    row = replace(chosen, student=member, submitter=submitter, late=late)
    return replace(row, path=own.path, file=own.file, by=own.by, submitter="") if own else row


def missing_members(roster: Roster, submissions: Iterable[Submission], strangers: Mapping[str, str]) -> dict[str, str]:
    """Add a reason to each unmatched name that shares its submission with a group in the roster.

    This person may be a member of the group who is not in the roster.
    """
    submissions = [each for each in submissions if each.path]
    groups = {each.path: group for each in submissions if (group := roster.group_of(each.student))}
    found = {each.student: groups[each.path] for each in submissions if each.path in groups}
    return {
        name: why or (f"submitted together with the group {found[name]}" if name in found else "")
        for name, why in strangers.items()
    }
