"""adjustments.csv: manual changes to points, one row each, with a reason.

The file is in the results folder. Grading never writes to it, so it survives every regrade. A row with an exercise changes
the points of that exercise, before any late penalty. A row without one changes the lab's final score.

A decision is such a row, or a row of manual.csv without a digest. It is made for an attempt: a decision about an exercise for the
student's answer to it, and a decision about a lab for the whole submission. final_scores.json stores digests of these, so a
row that is new in the file belongs to the attempt of the last grading, which is the one that the instructor saw. A row's
`answer` cell, if filled in, decides instead. Decisions that now apply to a different attempt are marked.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from labkit.desk.people import manual
from labkit.desk.people.final_score import Adjustment, FinalScore, Seen
from labkit.desk.people.manual import digest_of, exercise_named, lab_named
from labkit.desk.people.sheets import check_known, number_in, read_sheet, write_rows
from labkit.grade.intake.files import Refusal
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED, Result
from labkit.student.model.course import Course, Exercise, Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import for_a_cell, printable

NAME = "adjustments.csv"
COLUMNS = ("student", "lab", "exercise", "add", "set", "reason")
EXCUSED, ANSWER = "excused", "answer"  # optional columns
Adjustments = dict[tuple[str, str], list[Adjustment]]  # by student and lab, in the order of the file
Rows = list[tuple[str, dict[str, str]]]  # for each row: file and line for messages, and cells by column
NONE = "none"  # in place of a digest, if there is no answer
WHOLE = ""  # in place of an exercise, for the whole submission
YES, NO = ("yes", "y", "x", "true", "1"), ("no", "n", "false", "0", "")
ALPHABET = "bcdfghjkmnpqrstvwxyz"  # no vowels or digits, so that no word or number appears
FORM = re.compile(
    rf"(?<![\w-])([{ALPHABET}]{{3}})[-\u2010-\u2013]([{ALPHABET}]{{3}})[-\u2010-\u2013]([{ALPHABET}]{{3}})(?![\w-])",
    re.IGNORECASE,
)


def read(project: Project, path: Path) -> Adjustments:
    """Read all rows (none if there is no file). Errors: UserError, with the line, for a row that does not fit the course."""
    return made_by(project, rows_in(path))


def rows_in(path: Path) -> Rows:
    """Return each row as its file and line, and its cells by column name. Errors: UserError."""
    return list(read_sheet(path, COLUMNS, (*COLUMNS, EXCUSED, ANSWER))) if path.exists() else []


def made_by(project: Project, rows: Iterable[tuple[str, Mapping[str, str]]]) -> Adjustments:
    """Convert rows to adjustments. Errors: UserError for rows that do not fit the course or contradict each other."""
    found: Adjustments = defaultdict(list)
    for where, row in rows:
        student, lab = row["student"], row["lab"].strip()
        made = replace(_adjustment(project, where, row), answer=row.get(ANSWER, "").strip(), where=where)
        for other in found[student, lab]:
            _check_together(f"{printable(student)}, {made.exercise or lab}", other, made)
        found[student, lab].append(made)
    return found


def _adjustment(project: Project, where: str, row: Mapping[str, str]) -> Adjustment:
    lab, exercise = lab_named(project.course, where, row["lab"].strip()), row["exercise"].strip()
    asked = exercise_named(where, lab, exercise) if exercise else None
    given = {name: row.get(name, "").strip() for name in ("add", "set", EXCUSED)}
    given[EXCUSED] = "" if given[EXCUSED].casefold() in NO else given[EXCUSED]
    if sum(map(bool, given.values())) != 1:
        raise UserError(f"{where}: fill in exactly one of add, set and excused")
    if not (reason := row["reason"].strip()):
        raise UserError(f"{where}: the reason is missing; write one for the student")
    if given[EXCUSED]:
        if given[EXCUSED].casefold() not in YES:
            raise UserError(f"{where}: excused is {printable(given[EXCUSED])!r}; write yes or no")
        if exercise:
            raise UserError(f"{where}: excused is for a whole lab; leave the exercise empty")
        return Adjustment("", reason, excused=True)
    if given["set"]:
        points = number_in(where, given["set"])
        if points > (whole := most(project, lab, asked)):
            raise UserError(
                f"{where}: {points:g} is too many points; {exercise or lab.name} is worth {whole:g}; "
                "to give a bonus, use the add column"
            )
        return Adjustment(exercise, reason, set=points)
    points = number_in(where, given["add"], least=-float("inf"))
    if asked and asked.written and points:
        raise UserError(
            f"{where}: {exercise} is a written answer; set its points, or change the reader's points in {manual.NAME}"
        )
    if abs(points) > (whole := most(project, lab)):
        raise UserError(f"{where}: a change of {points:+g} points is too large; all of {lab.name} is worth {whole:g}")
    return Adjustment(exercise, reason, add=points)


def most(project: Project, lab: Lab, exercise: Exercise | None = None) -> float:
    """The maximum points of an exercise, or of the whole lab."""
    asked = [exercise] if exercise else lab.exercises
    names = {each.name for each in asked}
    checks = sum(points for points, name in points_by_check(project, lab.name).values() if name in names)
    return checks + sum(each.points for each in asked if each.written)


def _check_together(target: str, one: Adjustment, two: Adjustment) -> None:
    """Check that two rows for the same student and lab neither contradict nor repeat each other. Errors: UserError."""
    if one.exercise != two.exercise:
        return
    if one == two:
        raise UserError(f"{two.where}: this repeats {one.where}; remove one of them")
    if one.settles and two.settles or one.excused or two.excused:
        state = EXCUSED if one.excused else "set" if one.settles else "changed"
        raise UserError(f"{two.where}: {target} is already {state} in {one.where}; remove one of them")


def write(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    """Write the rows atomically. Errors: OSError."""
    rows = list(rows)
    columns = (*COLUMNS, EXCUSED, *([ANSWER] if any(row.get(ANSWER) for row in rows) else []))
    numbers = ("add", "set")  # a minus sign there starts no formula
    cells = (
        [row.get(name, "").strip() if name in numbers else for_a_cell(row.get(name, "")) for name in columns]
        for row in rows
    )
    write_rows(path, columns, cells)


def check_students(adjustments: Adjustments, students: Collection[str], labs: Collection[str]) -> None:
    """Check that every row for one of these labs names a student in the class. Errors: UserError."""
    for (student, lab), own in adjustments.items():
        if lab in labs:
            check_known(own[0].where, "student", student, students)


def with_rows(
    given: Iterable[tuple[str, str]], submissions: Sequence[Submission], labs: Collection[str]
) -> list[Submission]:
    """Add a row for each student who has an adjustment but no submission, and sort by student and lab."""
    there = {(each.student, each.lab) for each in submissions}
    wanted = {(student, lab) for student, lab in given if lab in labs} - there
    refusal = Refusal(NOT_HANDED_IN, "no submission for this lab; the points were given by hand")
    added = [Submission(who, lab, by=NAME, refusal=refusal) for who, lab in wanted]
    return sorted([*submissions, *added], key=lambda each: (each.student, each.lab))


def given_to(course: Course, result: Result, adjustments: Adjustments) -> tuple[Adjustment, ...]:
    """The adjustments to a result in the order in which they apply: by exercise, with `set` before `add`."""
    own, order = adjustments.get((result.student, result.lab), ()), [*course.exercises, ""]
    return tuple(sorted(own, key=lambda each: (order.index(each.exercise), not each.settles)))


def reference_of(student: str, lab: str, exercise: str) -> str:
    """Compute the reference: 9 letters of a digest. Among 60,000 references, the probability of a duplicate is 0.4 %."""
    text = f"{student}\0{lab}\0{exercise}".encode("utf-8", "surrogatepass")
    number, letters = int.from_bytes(hashlib.sha256(text).digest(), "big"), ""
    for _ in range(9):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return f"{letters[:3]}-{letters[3:6]}-{letters[6:]}"


def references_in(text: str) -> list[str]:
    """Find words that look like references, in order and without repetition."""
    return list(dict.fromkeys("-".join(found.groups()).lower() for found in FORM.finditer(text)))


def answers_of(result: Result) -> dict[str, str]:
    """A digest of the submission, and of each answer in it."""
    code = {exercise: _digest(source) for exercise, source in result.code.items()}
    written = {exercise: digest_of(result.written.get(exercise, "")) for exercise, _ in result.written_points()}
    return {WHOLE: _whole(result.submission), **code, **written}


def _whole(submission: Submission) -> str:
    return f"a{submission.digest[:15]}" if submission.digest else NONE


def _digest(source: str) -> str:
    return "a" + hashlib.sha256(source.encode("utf-8", "backslashreplace")).hexdigest()[:15]


def marked(final_scores: Iterable[FinalScore], before: Mapping[tuple[str, str], Seen]) -> Iterator[FinalScore]:
    """Mark decisions made for another attempt. `before` has what the last grading stored, by student and lab."""
    for each in final_scores:
        earlier = before.get((each.result.student, each.result.lab), Seen())
        yield replace(each, seen=earlier) if each.result.status == NOT_JUDGED else _marked(each, earlier)


def with_an_old_time(submissions: Iterable[Submission], before: Mapping[tuple[str, str], Seen]) -> list[str]:
    """Students whose submission is new, but has the submission time of their earlier attempt."""
    found = []
    for each in submissions:
        earlier = before.get((each.student, each.lab), Seen())
        known = earlier.submitted_at and earlier.answers.get(WHOLE, NONE) != NONE
        if known and each.submitted_at == earlier.submitted_at and earlier.answers[WHOLE] != _whole(each):
            found.append(each.student)
    return found


def _marked(final_score: FinalScore, before: Seen) -> FinalScore:
    """Mark the decisions about one submission, and store what each was made for."""
    answers, made_for = answers_of(final_score.result), dict[str, str]()

    def confirm(exercise: str, answer: str, decision: str) -> str:
        """The digest that confirms this decision; "" if it was made for the current answer."""
        now = answers.get(exercise, NONE)
        if not answer:
            key = digest_of(f"{exercise} {decision}")
            seen = before.answers.get(exercise, NONE) if before.answers else now
            answer = made_for[key] = before.made_for.get(key, seen)
        return "" if answer == now else now

    given, readings = [], {}
    for each in final_score.given:
        decision = f"{each.add:g} {each.set} {each.excused} {each.reason}"
        given.append(replace(each, confirm=confirm(each.exercise, each.answer, decision)))
    for exercise, mark in final_score.readings.items():
        decision = f"read {mark.points:g} {mark.comment}"
        readings[exercise] = mark if mark.answer else replace(mark, confirm=confirm(exercise, "", decision))
    seen = Seen(answers, made_for, final_score.result.submission.submitted_at)
    return replace(final_score, given=tuple(given), readings=readings, seen=seen)
