"""answered.csv: answers to regrade requests."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from labkit.desk.people.readers import Key
from labkit.desk.people.sheets import number_in, read_sheet
from labkit.grade.batch.cache import whole
from labkit.student.model.text import for_a_cell, in_points

NAME = "answered.csv"
COLUMNS = ("request", "student", "lab", "exercise", "before", "after", "reason")


@dataclass(frozen=True)
class Answered:
    """The answer to a request: what it is about (student, lab, exercise), the points before and after, and the reason."""

    key: Key
    before: float
    after: float
    reason: str


def read(path: Path) -> dict[str, Answered]:
    """Read the answers by request id; empty if there is no file. Errors: UserError."""
    found: dict[str, Answered] = {}
    for where, row in read_sheet(path, COLUMNS) if path.exists() else ():
        key = row["student"], row["lab"], row["exercise"]
        before, after = (number_in(where, row[name]) for name in ("before", "after"))
        found[row["request"]] = Answered(key, before, after, row["reason"])
    return found


def write(path: Path, answered: Mapping[str, Answered]) -> None:
    """Write all answers atomically. Errors: OSError."""
    with whole(path) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for id, each in answered.items():
            points = in_points(each.before), in_points(each.after)
            table.writerow([id, *map(for_a_cell, each.key), *points, for_a_cell(each.reason)])
