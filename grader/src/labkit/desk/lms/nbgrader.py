"""nbgrader: a CSV with the columns of nbgrader's gradebook, and a row for each student and lab.

Unknown values such as the due date stay empty, as in nbgrader. A name is split into last and first name only at a comma.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from labkit.desk.people.final_score import FinalScore, Person
from labkit.grade.batch.store import whole
from labkit.student.model.text import for_a_cell, printable

COLUMNS = "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score"


def write(rows: Iterable[FinalScore], out: Path) -> None:
    """Write the file. Errors: OSError."""
    with whole(out) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS.split(","))
        for row in rows:
            person = row.person or Person("")
            last, _, first = map(str.strip, person.name.partition(","))
            who = [for_a_cell(printable(text)) for text in (row.student, last, first, person.email)]
            scores = map(float, (row.score, row.penalty, row.final, row.max_score))
            table.writerow([row.lab, "", _when(row.result.submitted_at), *who, *scores])


def _when(time: str | None) -> str:
    """Write a time in UTC without its zone, as nbgrader does."""
    return str(datetime.fromisoformat(time).astimezone(UTC).replace(tzinfo=None)) if time else ""
