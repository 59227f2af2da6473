"""Plain CSV: all final scores, with a row for each student and lab."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from labkit.desk.people.final_score import FinalScore, Person, final_text
from labkit.desk.people.score_store import Run
from labkit.grade.batch.store import whole
from labkit.student.model.text import for_a_cell, in_points, printable

WHO = ("id", "name", "email", "section")
SCORES = ("score", "max_score", "to_read", "days_late", "penalty")


def write(rows: Iterable[FinalScore], run: Run, out: Path) -> None:
    """Write the file. Errors: OSError."""
    with whole(out) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["student", *WHO, "lab", "status", *SCORES, "final", "run", "adjusted", "adjustments"])
        for row in rows:
            person = row.person or Person("")
            who = [row.student, *(getattr(person, name) for name in WHO), row.lab]
            texts = [for_a_cell(printable(text)) for text in who]
            scores = [*(in_points(getattr(row, name)) for name in SCORES), final_text(row.final)]
            by_hand = in_points(row.moved), for_a_cell("; ".join(map(str, row.adjustments)))
            table.writerow([*texts, row.result.status, *scores, str(run), *by_hand])
