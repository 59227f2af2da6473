"""Grade written answers in a spreadsheet: write a row for each distinct ungraded answer, and read the points back."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from labkit.desk.people.manual import check_points
from labkit.desk.people.readers import Key, Mark
from labkit.desk.people.sheets import number_in, read_sheet
from labkit.desk.reading.answers import Answer
from labkit.desk.reading.rubric import rubric_of
from labkit.grade.batch.cache import whole
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import for_a_cell, legible, printable

COLUMNS = ("answer", "lab", "exercise", "students", "of", "points", "comment", "text", "rubric")
LONGEST = 30_000  # characters; a spreadsheet cell allows slightly more


def write_sheet(project: Project, path: Path, answers: Iterable[Answer], manual: Mapping[Key, Mark]) -> int:
    """Write the ungraded answers. Returns the number of rows. Errors: OSError."""
    waiting = [answer for answer in answers if answer.given(manual) is None]
    with whole(path) as file:
        file.write("\ufeff")  # tells spreadsheets that this is UTF-8
        rows = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        rows.writerow(COLUMNS)
        for each in waiting:
            most, rubric = project.course.exercises[each.exercise].points, rubric_of(project, each.lab, each.exercise)
            facts = each.id, each.lab, each.exercise, len(each.students), most, "", ""
            rows.writerow([*facts, for_a_cell(_short(legible(each.text))), for_a_cell(rubric.text)])
    return len(waiting)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n… and {len(text) - LONGEST:,} more characters"


def taken_from(course: Course, path: Path, answers: Iterable[Answer]) -> dict[Key, Mark]:
    """Read the points for each answer, and give them to everyone who wrote it. Rows without points stay ungraded.

    Errors: UserError, with the line.
    """
    known = {(answer.lab, answer.exercise, answer.id): answer for answer in answers}
    taken: dict[Key, Mark] = {}
    for where, row in read_sheet(path, ("answer", "lab", "exercise", "points", "comment")):
        if not row["points"].strip():
            if row["comment"].strip():
                raise UserError(f"{where}: this row has a comment but no points; add points, which may be 0")
            continue
        lab, exercise, id = row["lab"].strip(), row["exercise"].strip(), row["answer"].strip()
        points = number_in(where, row["points"])
        check_points(course, where, lab, exercise, points)
        if (lab, exercise, id) not in known:
            raise UserError(f"{where}: {exercise} has no current answer {printable(id)!r}; write the sheet again")
        for key in known[lab, exercise, id].keys():
            if key in taken:
                raise UserError(f"{where}: this answer occurs twice")
            taken[key] = Mark(points, row["comment"], answer=id)
    return taken
