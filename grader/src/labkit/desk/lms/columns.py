"""CSV exports with a row for each student and lab. A format is a table of columns: a title, and the cell for a final score."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from labkit.desk.lms.table import Export
from labkit.desk.people.final_score import FinalScore, Person, final_text
from labkit.desk.people.score_store import Run
from labkit.grade.batch.store import whole
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED
from labkit.student.model.text import for_a_cell, in_points, printable

Columns = Mapping[str, Callable[[FinalScore, Run], object]]


def _text(text: str) -> str:
    return for_a_cell(printable(text))


def _person(row: FinalScore) -> Person:
    return row.person or Person("")


def _time(row: FinalScore) -> str:
    """Write a time in UTC without its zone, as nbgrader does."""
    time = row.result.submitted_at
    return str(datetime.fromisoformat(time).astimezone(UTC).replace(tzinfo=None)) if time else ""


CSV: Columns = {
    "student": lambda row, run: _text(row.student),
    "id": lambda row, run: _text(_person(row).id),
    "name": lambda row, run: _text(_person(row).name),
    "email": lambda row, run: _text(_person(row).email),
    "section": lambda row, run: _text(_person(row).section),
    "lab": lambda row, run: _text(row.lab),
    "status": lambda row, run: row.result.status,
    "score": lambda row, run: in_points(row.score),
    "max_score": lambda row, run: in_points(row.max_score),
    "to_read": lambda row, run: in_points(row.to_read),
    "days_late": lambda row, run: in_points(row.days_late),
    "penalty": lambda row, run: in_points(row.penalty),
    "final": lambda row, run: final_text(row.final),
    "run": lambda row, run: str(run),
    "adjusted": lambda row, run: in_points(row.moved),
    "adjustments": lambda row, run: for_a_cell("; ".join(map(str, row.adjustments))),
}
NBGRADER: Columns = {  # as in nbgrader's gradebook; a name is split into last and first name only at a comma
    "assignment": lambda row, run: row.lab,
    "duedate": lambda row, run: "",
    "timestamp": lambda row, run: _time(row),
    "student_id": lambda row, run: _text(row.student),
    "last_name": lambda row, run: _text(_person(row).name.partition(",")[0].strip()),
    "first_name": lambda row, run: _text(_person(row).name.partition(",")[2].strip()),
    "email": lambda row, run: _text(_person(row).email),
    "raw_score": lambda row, run: float(row.score),
    "late_submission_penalty": lambda row, run: float(row.penalty),
    "score": lambda row, run: float(row.final),
    "max_score": lambda row, run: float(row.max_score),
}
FORMS = {"nbgrader": NBGRADER, "csv": CSV}


def write(form: str, rows: Iterable[FinalScore], run: Run, out: Path) -> Export:
    """Write the file. Errors: UserError if there is no score to export, OSError."""
    export, columns = Export(), FORMS[form]
    if columns is NBGRADER:
        rows = _with_scores([*rows], export)
    with whole(out) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows([cell(row, run) for cell in columns.values()] for row in rows)
    return export


def _with_scores(rows: list[FinalScore], export: Export) -> list[FinalScore]:
    """Select the rows with a final score, and note the others. A missing submission has one, because nbgrader counts it as 0."""
    counted = [row for row in rows if row.is_scored or row.result.status == NOT_HANDED_IN]
    export.note(f"left out, {NOT_JUDGED}", (row.student for row in rows if row.result.status == NOT_JUDGED))
    export.note("left out, excused", (row.student for row in counted if row.final is None))
    if scored := [row for row in counted if row.final is not None]:
        return scored
    raise export.nothing("no score to export, so nothing was written")
