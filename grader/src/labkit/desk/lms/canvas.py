"""Canvas: write final scores into the assignment columns of an exported gradebook.

A column's title is the assignment's name and id, such as "Lab 2 (4711)". All other cells stay unchanged, and so do rows
without a person's id, such as "Points Possible". EX marks an excused student.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from labkit.desk.lms.joining import Export, column_named, fill, names_of, number_of, written
from labkit.desk.lms.table import Table
from labkit.desk.people.final_score import FinalScore
from labkit.student.model.errors import UserError
from labkit.student.model.text import in_points

IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
POSSIBLE = "Points Possible"
EXCUSED = "EX"


def filled(gradebook: Path, labs: Iterable[tuple[str, list[FinalScore]]], out: Path) -> list[Export]:
    """Write a copy of the gradebook. `labs` has each assignment's name and its rows. Errors: UserError, OSError."""
    table = Table(gradebook)
    titles = [title.strip() for title in table.header]
    keys = {titles.index(title): names_of for title in IDS if title in titles}
    if not keys:
        raise UserError(
            f"{table.name}: the header has none of {', '.join(IDS)}; export the gradebook from Canvas again"
        )
    sis = [titles.index(title) for title in IDS[1:] if title in titles]
    if "ID" in titles:  # compared separately, because a number from another system may be equal by chance
        others = any(table.get(row, column).strip() for row in table.rows() for column in sis)
        names = {table.get(row, titles.index("ID")).strip(): table.get(row, 0).strip() for row in table.rows()}

        def numbers(row: FinalScore) -> list[str]:
            """A person's Canvas numbers. If the roster is a Canvas gradebook, its ids are Canvas numbers too."""
            same = row.person and names.get(row.person.id) == row.person.name
            return [*number_of(row, "canvas"), *(names_of(row) if same or not others else [])]

        keys[titles.index("ID")] = numbers
    people = [row for row in table.rows() if any(table.get(row, column).strip() for column in keys)]
    exports = []
    for name, rows in labs:
        column = column_named(table, name, rf"{re.escape(name)} \(\d+\)")

        def score(row: FinalScore) -> dict[int, str]:
            return {column: EXCUSED if row.final is None else in_points(row.final)}

        export = fill(table, keys, people, rows, score, EXCUSED)
        exports.append(export)
        possible = [table.get(row, column) for row in table.rows() if table.get(row, 0).strip() == POSSIBLE]
        most = {in_points(row.max_score) for row in rows if row.max_score}
        if possible and most - {_plain(possible[0])}:
            there = f"{name} has {possible[0].strip()} points in Canvas"
            export.note(f"scores are not rescaled: {there}, but a different number in the course", sorted(most))
    return written(table, exports, out)


def _plain(number: str) -> str:
    try:
        return in_points(float(number))
    except ValueError:
        return number
