"""manual.csv: readers' points for written answers, one row for each student, exercise and reader.

The file is in the results folder. Grading never writes to it, so it survives every regrade. A row may contain a digest of the
graded answer. If the student then changes the answer, the row no longer counts and the answer is ungraded again. A row
without a digest (one typed in by hand) counts for any answer.

Points without a reader's name are a final decision and always count. Otherwise points count if all readers of the answer gave
the same number; if they disagree, the answer awaits a decision.
"""

from __future__ import annotations

import csv
import fcntl
import hashlib
import os
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from labkit.desk.people.final_score import Mark
from labkit.desk.people.sheets import check_known, number_in, read_sheet, write_rows
from labkit.grade.judge.results import Result
from labkit.student.model.course import Course, Exercise, Lab
from labkit.student.model.errors import UserError
from labkit.student.model.text import did_you_mean, for_a_cell, in_points, printable

NAME = "manual.csv"
COLUMNS = ("student", "lab", "exercise", "points", "comment", "items", "answer", "reader")
Key = tuple[str, str, str]  # student, lab, exercise
Marks = dict[tuple[str, str, str, str], Mark]  # by student, lab, exercise and reader, in the order of the file
DECISION = ""  # in place of a reader's name


def digest_of(text: str) -> str:
    """Compute a digest of an answer, ignoring layout. It starts with a letter, so that no spreadsheet reads it as a number."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return "a" + hashlib.sha256(plain.encode("utf-8", "backslashreplace")).hexdigest()[:15]


def counts_for(mark: Mark, text: str) -> bool:
    """Whether a mark was given for this answer."""
    return mark.answer in ("", digest_of(text))


def settled(marks: Mapping[tuple[str, str, str, str], Mark]) -> dict[Key, Mark]:
    """Return the marks that count. Answers on which readers disagree are left out."""
    found: dict[Key, Mark] = {}
    for key, by in of_latest_answers(marks).items():
        if DECISION in by:
            found[key] = by[DECISION]
        elif len({each.points for each in by.values()}) == 1:
            first, *others = by.values()
            comments = dict.fromkeys(each.comment for each in (first, *others) if each.comment)
            found[key] = replace(first, comment="\n".join(comments)) if others else first
    return found


def of_latest_answers(marks: Mapping[tuple[str, str, str, str], Mark]) -> dict[Key, dict[str, Mark]]:
    """Each reader's mark for the latest graded version of each answer. A mark without a digest counts for any version."""
    rows: dict[Key, dict[str, Mark]] = defaultdict(dict)
    for (*key, reader), mark in marks.items():
        rows[key[0], key[1], key[2]][reader] = mark
    for key, by in rows.items():
        latest = next((each.answer for each in reversed(by.values()) if each.answer), "")
        rows[key] = {reader: each for reader, each in by.items() if each.answer in ("", latest)}
    return dict(rows)


def of_reader(marks: Mapping[tuple[str, str, str, str], Mark], reader: str) -> dict[Key, Mark]:
    """Select this reader's marks or, without a reader's name, the marks that count."""
    if reader == DECISION:
        return settled(marks)
    return {(key[0], key[1], key[2]): mark for (*key, by), mark in marks.items() if by == reader}


def read(course: Course, path: Path) -> dict[Key, Mark]:
    """Read the points that count, by student, lab and exercise. Errors: UserError, with the line."""
    return settled(read_all(course, path))


def read_all(course: Course, path: Path) -> Marks:
    """Read all rows, by student, lab, exercise and reader; empty if there is no file.

    Errors: UserError, with the line, for a row that does not fit the course.
    """
    manual: Marks = {}
    if not path.exists():
        return manual
    for where, row in read_sheet(path, COLUMNS[:4], COLUMNS):
        reader = row.get("reader", "").strip()
        key = row["student"], row["lab"].strip(), row["exercise"].strip(), reader
        points = number_in(where, row["points"])
        check_points(course, where, *key[1:3], points)
        if key in manual:
            of_reader = f" of {printable(reader)}" if reader else ""
            problem = f"{printable(key[0])} already has points{of_reader} for {key[2]}"
            raise UserError(f"{where}: {problem}, in {manual[key].where}")
        rest = {name: row.get(name, "") for name in ("comment", "items", "answer")}
        manual[key] = Mark(points, where=where, **rest)
    return manual


def check_points(course: Course, where: str, lab: str, exercise: str, points: float) -> None:
    """Check that a reader can give these points. Errors: UserError."""
    asked = exercise_named(where, lab_named(course, where, lab), exercise)
    if not asked.written:
        raise UserError(
            f"{where}: {exercise} is graded by its checks; readers give points only for written answers, "
            "so change other points in adjustments.csv"
        )
    if points > asked.points:
        raise UserError(f"{where}: {points:g} is too many points; {exercise} is worth {asked.points:g}")


def lab_named(course: Course, where: str, lab: str) -> Lab:
    """Find the lab with exactly this name. Errors: UserError."""
    check_known(where, "lab", lab, course.labs)
    return course.labs[lab]


def exercise_named(where: str, lab: Lab, exercise: str) -> Exercise:
    """Find the lab's exercise with exactly this name. Errors: UserError."""
    asked = {each.name: each for each in lab.exercises}
    if exercise not in asked:
        raise UserError(f"{where}: {lab.name} has no exercise {printable(exercise)!r}{did_you_mean(exercise, asked)}")
    return asked[exercise]


def check_students(manual: Mapping[Key, Mark], handed_in: Collection[tuple[str, str]], labs: Collection[str]) -> None:
    """Check that every row for one of these labs has a submission. Errors: UserError."""
    students = {student for student, _ in handed_in}
    for (student, lab, _), given in manual.items():
        if lab not in labs or (student, lab) in handed_in:
            continue
        check_known(given.where, "student", student, students)
        raise UserError(f"{given.where}: {printable(student)} has no submission for {lab}")


def change(course: Course, path: Path, changes: Mapping[Key, Mark | None], reader: str = DECISION) -> Marks:
    """Give points as this reader, or remove them with None. Returns all rows of the changed file.

    The file is locked and read first, so that changes by other processes are kept. Errors: UserError or OSError; in
    that case the file is unchanged.
    """
    with alone(path):
        manual = read_all(course, path)
        for key, given in changes.items():
            # Added again at the end, because the last row decides which version of the answer counts.
            manual.pop((*key, reader), None)
            if given is not None:
                manual[(*key, reader)] = given
        with_readers = any(each[3] for each in manual)
        columns = COLUMNS if with_readers else COLUMNS[:-1]
        rows = ([for_a_cell(cell) for cell in each] for each in _rows(manual, len(columns)))
        write_rows(path, columns, rows, quoting=csv.QUOTE_NONNUMERIC)
    return manual


def _rows(marks: Marks, width: int) -> Iterator[list[str]]:
    for (*key, reader), given in marks.items():
        yield [*key, in_points(given.points), given.comment, given.items, given.answer, reader][:width]


@contextmanager
def alone(*paths: Path) -> Iterator[None]:
    """Lock these files, which are all in one folder, and remove temporary files left by killed processes."""
    handle = os.open(paths[0].parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        for left in (left for path in paths for left in path.parent.glob(f".{path.name}-*.part")):
            left.unlink(missing_ok=True)
        yield
    finally:
        os.close(handle)


def readings_of(result: Result, given: Mapping[Key, Mark]) -> dict[str, Mark]:
    """The readers' points for the current written answers of a result, by exercise."""
    found = ((name, given.get((result.student, result.lab, name))) for name, _ in result.written_points())
    return {name: mark for name, mark in found if mark and counts_for(mark, result.written.get(name, ""))}
