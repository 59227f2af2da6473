"""Find missing submissions: which labs count as assigned, and what was submitted in place of a notebook.

A lab counts as assigned if a student submitted it, unless another lab has more than ten times as many submitters: then those
few students were probably ahead of the class, or sent the wrong file. A lab named with --lab counts as assigned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from labkit.desk.people.roster import Known, Roster
from labkit.grade.intake.discover import NOTHING
from labkit.grade.intake.files import Refusal
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_HANDED_IN
from labkit.student.model.course import Course
from labkit.student.model.text import printable, shortened

TIMES = 10  # a lab does not count as assigned if another has more than this many times its submitters


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


def with_online_text(roster: Roster, submissions: Sequence[Submission]) -> list[Submission]:
    """Quote what students without a notebook typed into the LMS in the reason, so that the instructor reads it."""
    return [_quoted(each, roster.known[each.student]) if each.student in roster.known else each for each in submissions]


def _quoted(each: Submission, known: Known) -> Submission:
    if each.path or not each.refusal or not (text := shortened(printable(known.online_text), 200)):
        return each
    return replace(each, refusal=replace(each.refusal, reason=f"{each.refusal.reason}; online text: “{text}”"))


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
