"""manual.csv: the points that people gave for written answers, one row for each student and exercise.

It lies with the results and no grading writes it, so it survives every one. A row may name the answer that was read, by
its digest: when the student changes the answer, the row no longer counts, and the answer waits for a reader again. A row
without a digest, written by hand, counts for whatever was handed in.
"""

from __future__ import annotations

import csv
import fcntl
import hashlib
import os
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from labkit.desk.final_score import FinalScore, Reading
from labkit.desk.sheets import DeskProblem, number_in, read_sheet
from labkit.grading.cache import whole
from labkit.model.course import Course, Exercise, Lab
from labkit.model.text import did_you_mean, for_a_cell, in_points, printable

NAME = "manual.csv"
COLUMNS = ("student", "lab", "exercise", "points", "comment", "items", "answer")

Key = tuple[str, str, str]  # student, lab, exercise


@dataclass(frozen=True)
class Mark:
    """What a reader gave: the points, a comment, which items of the rubric were met ("1 3"), and for which answer."""

    points: float
    comment: str = ""
    items: str = ""
    answer: str = ""
    where: str = field(default="", compare=False)  # the row, for messages

    def counts_for(self, text: str) -> bool:
        return self.answer in ("", digest_of(text))


def digest_of(text: str) -> str:
    """What tells one answer from another; layout does not. It starts with a letter, so that no spreadsheet counts with it."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return "a" + hashlib.sha256(plain.encode("utf-8", "backslashreplace")).hexdigest()[:15]


def read(course: Course, path: Path) -> dict[Key, Mark]:
    """All that was given; nothing where there is no file. Errors: DeskProblem, with the line.

    Labs, exercises and points are held to the course.
    """
    manual: dict[Key, Mark] = {}
    if not path.exists():
        return manual
    for where, row in read_sheet(path, COLUMNS[:4], COLUMNS):
        key = row["student"], row["lab"].strip(), row["exercise"].strip()
        points = number_in(where, row["points"])
        check_points(course, where, *key[1:], points)
        if key in manual:
            raise DeskProblem(f"{where}: {printable(key[0])} has points for {key[2]} already, in {manual[key].where}")
        rest = {name: row.get(name, "") for name in COLUMNS[4:]}
        manual[key] = Mark(points, where=where, **rest)
    return manual


def check_points(course: Course, where: str, lab: str, exercise: str, points: float) -> None:
    """Whether a reader may give them. Errors: DeskProblem."""
    asked = exercise_named(where, lab_named(course, where, lab), exercise)
    if not asked.written:
        raise DeskProblem(
            f"{where}: {exercise} is judged by its checks; a reader gives points for written answers, "
            "and adjustments.csv changes those of others"
        )
    if points > asked.points:
        raise DeskProblem(f"{where}: {points:g} points are too many; {exercise} is worth {asked.points:g}")


def lab_named(course: Course, where: str, lab: str) -> Lab:
    """The lab of this very name. Errors: DeskProblem."""
    if lab not in course.labs:
        raise DeskProblem(f"{where}: there is no lab {printable(lab)!r}{did_you_mean(lab, course.labs)}")
    return course.labs[lab]


def exercise_named(where: str, lab: Lab, exercise: str) -> Exercise:
    """The lab's exercise of this very name. Errors: DeskProblem."""
    asked = {each.name: each for each in lab.exercises}
    if exercise not in asked:
        raise DeskProblem(f"{where}: {lab.name} has no exercise {printable(exercise)!r}{did_you_mean(exercise, asked)}")
    return asked[exercise]


def check_students(manual: Mapping[Key, Mark], handed_in: Collection[tuple[str, str]], labs: Collection[str]) -> None:
    """Whether everybody in it handed in what the row is about; only rows of these labs are looked at. Errors: DeskProblem."""
    students = {student for student, _ in handed_in}
    for (student, lab, _), given in manual.items():
        if lab not in labs or (student, lab) in handed_in:
            continue
        check_student(given.where, student, students)
        raise DeskProblem(f"{given.where}: {printable(student)} has no submission for {lab}")


def check_student(where: str, student: str, students: Collection[str]) -> None:
    """Whether somebody of this very name is in the class. Errors: DeskProblem."""
    if student not in students:
        raise DeskProblem(f"{where}: there is no student {printable(student)!r}{did_you_mean(student, students)}")


def change(course: Course, path: Path, changes: Mapping[Key, Mark | None]) -> dict[Key, Mark]:
    """Give, or take back with None; return all that is there then. Errors: DeskProblem or OSError, and nothing is changed.

    Others may read and write it at the same time: each change is made to the file as it is.
    """
    with _alone(path.parent):
        for left in path.parent.glob(f".{path.name}-*.part"):  # by one who was killed: nobody else writes it now
            left.unlink(missing_ok=True)
        manual = read(course, path)
        for key, given in changes.items():
            if given is None:
                manual.pop(key, None)
            else:
                manual[key] = given
        with whole(path) as file:
            rows = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
            rows.writerow(COLUMNS)
            for key, given in manual.items():
                texts = [for_a_cell(text) for text in (*key, given.comment, given.items, given.answer)]
                rows.writerow([*texts[:3], in_points(given.points), *texts[3:]])
    return manual


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no other process changes what lies in the folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def with_readings(final_scores: Iterable[FinalScore], manual: Mapping[Key, Mark]) -> Iterator[FinalScore]:
    """The same, with what readers gave for the answers that they hold now."""
    of = defaultdict(dict)
    for (student, lab, exercise), given in manual.items():
        of[student, lab][exercise] = given
    for final_score in final_scores:
        result = final_score.result
        readings = {
            exercise: Reading(given.points, given.comment)
            for exercise, given in of.get((result.student, result.lab), {}).items()
            if given.counts_for(result.written.get(exercise, ""))
        }
        yield replace(final_score, readings=readings) if readings else final_score
