"""Match submissions to the people in a class, without guessing, and make one row for each student and lab.

A submission matches a person by id, by e-mail address or the part before the @, or by the LMS's own number if the roster has
it; otherwise by full name in either order. It is then listed under the id in the roster. If several people match, or if one
person matches several submissions for one lab, a submission stays unmatched and keeps its name from the download.

A submission under a group's name belongs to the group, and one submission for a lab counts for all members. If several
members submitted, one submission is chosen by the same rules as for several attempts by one student.

A lab counts as assigned if a student submitted it, unless another lab has more than ten times as many submitters: then those
few students were probably ahead of the class, or sent the wrong file. A lab named with --lab counts as assigned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from labkit.desk.people.roster import Roster
from labkit.grade.intake.choose import best
from labkit.grade.intake.discover import NOTHING
from labkit.grade.intake.files import Refusal
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_HANDED_IN
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.text import printable, shortened, some

NAMED = 3  # maximum number of people or submissions named in a message
TIMES = 10  # a lab does not count as assigned if another has more than this many times its submitters


def check_roster(roster: Roster, submissions: Sequence[Submission]) -> None:
    """Check that at least one submission matches the roster. Errors: UserError."""
    names = {each.student: each for each in submissions}
    if names and not any(map(roster.owners_of, names.values())):
        raise UserError(
            f"no submission matches the roster: the submissions are named {_examples(names)}, and the roster's ids are "
            f"{_examples(roster.people)}; give the folder that directly contains the students' folders or files, or a "
            "roster with these names"
        )


def _examples(names: Iterable[str]) -> str:
    return some([repr(shortened(printable(each), 60)) for each in names], NAMED)


def join(course: Course, roster: Roster, submissions: Sequence[Submission]) -> tuple[list[Submission], dict[str, str]]:
    """Rename submissions to the ids and groups in the roster, and add a row for each missing submission.

    Also returns the unmatched submissions by name, with a reason if several people or submissions match.
    """
    labs: dict[str, set[str]] = defaultdict(set)  # labs by student
    fitting: dict[str, set[str]] = {}
    for each in submissions:
        labs[each.student].add(each.lab)
        if each.student not in fitting:
            fitting[each.student] = roster.owners_of(each)
    claims: dict[str, list[str]] = defaultdict(list)  # for each person or group, the names that match only them
    for student, found in fitting.items():
        if len(found) == 1:
            claims[next(iter(found))].append(student)
    claimed = {id: [*_conflicting(students, labs)] for id, students in claims.items()}
    ids = {student: id for id, students in claims.items() for student in students if student not in claimed[id]}
    rows, strangers = [], {}
    for each in submissions:
        name = ids.get(each.student) or _unmatched_name(each, roster, labs)
        rows.append(replace(each, student=name))
        if each.student not in ids:
            strangers[name] = _why(roster, fitting[each.student], claimed)
    rows += _absent(course, roster, rows, {id: students for id, students in claimed.items() if students})
    return sorted(rows, key=lambda each: (each.student, each.lab)), dict(sorted(strangers.items()))


def _conflicting(students: Sequence[str], labs: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the names that have a submission for the same lab as another of these names.

    `students`: names of submissions that all match the same person.
    """
    for student in students:
        if any(labs[student] & labs[other] for other in students if other != student):
            yield student


def _unmatched_name(each: Submission, roster: Roster, taken: Mapping[str, object]) -> str:
    """Name an unmatched submission.

    If its name is also an id or a group in the roster, the download's naming convention is added, as in "ada (canvas)".
    """
    name = each.student
    if name in roster.people or name in roster.groups:
        name = f"{name} ({each.by})"
        while name in taken or name in roster.people or name in roster.groups:
            name += "'"
    return name


def _why(roster: Roster, fit: set[str], claimed: Mapping[str, Sequence[str]]) -> str:
    if len(fit) > 1:
        named = [
            f"the group {id}" if id in roster.groups else f"{roster.people[id].name or id} ({id})" for id in sorted(fit)
        ]
        return f"matches several: {some(named, NAMED)}"
    return "".join(f"several submissions match {id}: {some(claimed[id], NAMED)}" for id in fit)


def _absent(
    course: Course, roster: Roster, submissions: Iterable[Submission], claimed: Mapping[str, Sequence[str]]
) -> Iterator[Submission]:
    there, other = {(each.student, each.lab) for each in submissions}, defaultdict(list)
    known = {lab for _, lab in there} & {*course.names}
    for each in submissions:
        if each.lab not in known:
            other[each.student].append(each.file or each.instead)
    for id in roster.people:
        for lab in sorted(known):
            if (id, lab) in there:
                continue
            reason = "no submission for this lab"
            group = roster.group_of(id)
            if id in claimed or group in claimed:
                kind, several = ("person", claimed[id]) if id in claimed else ("group", claimed[group])
                reason = f"several submissions may belong to this {kind}: {some(several, NAMED)}; keep one and remove or rename the rest"
            elif other[id]:
                reason += f"; the lab of {', '.join(other[id][:3])} is unknown"
            yield Submission(id, lab, refusal=Refusal(NOT_HANDED_IN, reason))


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
    # If there is a readable lab, files that match no lab do not count.
    if any(not each.refusal for found in labs.values() for each in found):
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


def tidied(course: Course, submissions: Sequence[Submission]) -> tuple[list[Submission], list[str]]:
    """Return one row for each student and assigned lab, and a line for each lab that does not count as assigned."""
    submitted: dict[str, set[str]] = defaultdict(set)  # students by lab
    for each in submissions:
        if not is_missing(each) and each.lab in course.names:
            submitted[each.lab].add(each.student)
    most = max(map(len, submitted.values()), default=0)
    ahead = {lab: len(students) for lab, students in sorted(submitted.items()) if TIMES * len(students) < most}
    rows = [each for each in submissions if not (is_missing(each) and each.lab in ahead)]
    by_student: dict[str, list[Submission]] = defaultdict(list)
    for each in rows:
        by_student[each.student].append(each)
    kept = [each for own in by_student.values() for each in _of_student(course, own)]
    lines = [
        f"{lab}: submitted by {count} (another lab by {most}), so it does not count as assigned and the other students get "
        f"no row; to grade it as assigned, add --lab {lab}."
        for lab, count in ahead.items()
    ]
    return sorted(kept, key=lambda each: (each.student, each.lab)), lines


def is_missing(each: Submission) -> bool:
    """Whether the submission is missing."""
    return each.refusal is not None and each.refusal.status == NOT_HANDED_IN


def _of_student(course: Course, rows: list[Submission]) -> Iterator[Submission]:
    """If a student is missing one lab and submitted one file that matches no lab, assign the file to the missing lab."""
    missing = [each for each in rows if is_missing(each)]
    unknown = [each for each in rows if each.lab not in course.names]
    empty = [each for each in unknown if each.path is None]
    if len(missing) == len(unknown) == 1 and unknown[0].instead != NOTHING:
        yield from (each for each in rows if each not in missing and each not in unknown)
        yield replace(unknown[0], lab=missing[0].lab, refusal=_in_place(unknown[0]))
    elif missing:
        yield from (each for each in rows if each not in empty)
    else:
        yield from rows


def _in_place(each: Submission) -> Refusal:
    if each.path is None:
        return Refusal(each.refusal.status, f"submitted in place of a notebook: {each.instead}")
    reason = f"{each.refusal.reason}; assigned to this lab, the only one that this student has not submitted"
    return Refusal(each.refusal.status, reason)
