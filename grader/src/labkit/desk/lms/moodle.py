"""Moodle: write final scores into an exported gradebook, or into the grading worksheet of one assignment.

In a gradebook, from Grades → Export, a lab's column is called "Assignment: Lab 2 (Real)". In a worksheet, the columns are
"Grade" and "Feedback comments". People are identified by Email address, ID number or Username. In a worksheet they are also
identified by the participant number, which is part of file names in downloads.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path

from labkit.desk.lms.items import lines_of
from labkit.desk.lms.joining import Export, column_named, fill, names_of, number_of, written
from labkit.desk.lms.table import Table
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.names import in_one_word
from labkit.student.model.errors import UserError
from labkit.student.model.text import html_for_a_cell, in_points

IDS = ("Email address", "ID number", "Username")
WORKSHEET = ("Identifier", "Grade")
NAME, GROUP = "Full name", "Group"
WORDS = "Feedback comments"


def filled(gradebook: Path, labs: Iterable[tuple[str, list[FinalScore]]], out: Path) -> list[Export]:
    """Write a copy of the gradebook. `labs` has each grade item's name and its rows. Errors: UserError, OSError."""
    table, labs = Table(gradebook), list(labs)
    titles = [title.strip() for title in table.header]
    keys = {titles.index(title): names_of for title in IDS if title in titles}
    worksheet = all(title in titles for title in WORKSHEET)
    if worksheet:
        keys[titles.index("Identifier")] = lambda row: [*names_of(row), *_participants(row, table, titles)]
        if len(labs) > 1:
            raise UserError(f"{table.name}: this worksheet is for one assignment; choose its lab with --lab")
    if not keys:
        raise UserError(f"{table.name}: the header has none of {', '.join(IDS)}; export the grades from Moodle again")
    exports = []
    for name, rows in labs:
        column = titles.index("Grade") if worksheet else column_named(table, name, _titles(name))
        words = titles.index(WORDS) if worksheet and WORDS in titles else None

        def cells(row: FinalScore) -> dict[int, str]:
            comment = (
                {words: html_for_a_cell("<br>".join(map(html.escape, lines_of(row))))} if words is not None else {}
            )
            return {column: in_points(row.final), **comment}

        exports.append(fill(table, keys, table.rows(), rows, cells))
    if worksheet:
        exports[-1].notes.append(
            "upload this worksheet before the feedback zip: after the zip, Moodle skips the students who got feedback, "
            "unless you allow updating records that were modified more recently in Moodle"
        )
    return written(table, exports, out)


def _participants(row: FinalScore, table: Table, titles: list[str]) -> list[str]:
    """Find participants by the number in a file's name. The person's name must match too, because the number may belong to a group."""
    numbers = [f"Participant {number}" for number in number_of(row, "moodle")]
    if GROUP not in titles:
        return numbers
    submitted = re.findall(r"([^/]+)_\d+_assignsubmission_", row.result.submission.file)
    at, name = titles.index("Identifier"), titles.index(NAME) if NAME in titles else len(titles)
    named = {table.get(each, at).strip(): in_one_word(table.get(each, name)) for each in table.rows()}
    known = set().union(*map(in_one_word, submitted))
    return [each for each in numbers if known & (named.get(each, set()) | {"participant"})]


def _titles(name: str) -> str:
    """A pattern that matches an activity's column of points, but not its columns of percentages and letter grades."""
    return rf"(?:[^:]+: )?{re.escape(name)}(?: \(Real\))?"
