"""manual.csv: the points that people gave for written answers, one row for each student, exercise and reader.

It is beside the results and grading never writes it, so it survives every regrade. A row may name the answer that was read, by
its digest: when the student changes the answer, the row no longer counts, and the answer awaits grading again. A row
without a digest, written by hand, counts for whatever was submitted. Of several readers, those who agree count.
"""

from __future__ import annotations

import csv
import fcntl
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from labkit.desk.final_score import FinalScore, Reading
from labkit.desk.readers import DECISION, Key, Mark, Marks, settled
from labkit.desk.sheets import DeskProblem, number_in, read_sheet
from labkit.grading.cache import whole
from labkit.model.course import Course, Exercise, Lab
from labkit.model.text import did_you_mean, for_a_cell, in_points, printable

NAME = "manual.csv"
COLUMNS = ("student", "lab", "exercise", "points", "comment", "items", "answer", "reader")


def read(course: Course, path: Path) -> dict[Key, Mark]:
    """The points that count, by student, lab and exercise. Errors: DeskProblem, with the line."""
    return settled(read_all(course, path))


def read_all(course: Course, path: Path) -> Marks:
    """All that was given, by reader too; nothing where there is no file. Errors: DeskProblem, with the line.

    Labs, exercises and points are held to the course.
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
            whose = f" of {printable(reader)}" if reader else ""
            said = f"{printable(key[0])} has points{whose} for {key[2]} already"
            raise DeskProblem(f"{where}: {said}, in {manual[key].where}")
        rest = {name: row.get(name, "") for name in ("comment", "items", "answer")}
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


def change(course: Course, path: Path, changes: Mapping[Key, Mark | None], reader: str = DECISION) -> Marks:
    """Give as this reader, or take back with None; return all that is there then.

    Others may read and write it at the same time: each change is made to the file as it is.
    Errors: DeskProblem or OSError, and nothing is changed.
    """
    with alone(path):
        manual = read_all(course, path)
        for key, given in changes.items():
            manual.pop((*key, reader), None)  # the latest row of an exercise says which answer is read
            if given is not None:
                manual[(*key, reader)] = given
        with_readers = any(each[3] for each in manual)
        with whole(path) as file:
            rows = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
            rows.writerow(COLUMNS if with_readers else COLUMNS[:-1])
            for (*whose, by), given in manual.items():
                texts = [for_a_cell(text) for text in (*whose, given.comment, given.items, given.answer)]
                rows.writerow([*texts[:3], in_points(given.points), *texts[3:], *([for_a_cell(by)] * with_readers)])
    return manual


@contextmanager
def alone(*paths: Path) -> Iterator[None]:
    """While no other process changes these files of one folder; what a killed process left of them is removed."""
    handle = os.open(paths[0].parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        for left in (left for path in paths for left in path.parent.glob(f".{path.name}-*.part")):
            left.unlink(missing_ok=True)
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
