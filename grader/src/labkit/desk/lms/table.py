"""Fill final scores into the table that an LMS exported. All other bytes of the file stay unchanged.

Students are matched with the table's rows by id, email or login. Students without a clear match are reported.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.sheets import bytes_of
from labkit.grade.batch.store import whole
from labkit.grade.judge.results import NOT_JUDGED
from labkit.student.model.errors import UserError
from labkit.student.model.text import printable

CELL = re.compile(r'"(?:[^"]|"")*"|[^,\r\n"][^,\r\n]*|')
ENDS = re.compile(r"\r\n|\n|\r|\Z")


class Table:
    """Rows of cells as written in the file. `line_of` has the line where each row starts."""

    def __init__(self, path: Path):
        """Read the file. Errors: UserError if it is not comma-separated CSV."""
        content = bytes_of(path)
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise UserError(f"{path}: this file is UTF-16; export it as comma-separated CSV in UTF-8")
        self.name, self._mark = path.name, "\ufeff" if content.startswith(b"\xef\xbb\xbf") else ""
        text = content.decode("utf-8", "surrogateescape").removeprefix("\ufeff")  # invalid bytes are kept for writing
        self._rows, self._ends, self.line_of, line = [], [], [], 1
        place = 0
        while place < len(text):
            self.line_of.append(line)
            start, cells = place, []
            while True:
                cell = CELL.match(text, place)
                cells.append(cell.group())
                place = cell.end()
                if text[place : place + 1] != ",":
                    break
                place += 1
            end = ENDS.match(text, place)
            if not end:
                raise UserError(f"{path.name}, line {line}: not valid CSV (unclosed quote in a cell)")
            place = end.end()
            line += text.count("\n", start, place)
            self._rows.append(cells)
            self._ends.append(end.group())
        if not self._rows:
            raise UserError(f"{path}: the file is empty")

    @property
    def titles(self) -> list[str]:
        return [_value(cell).strip() for cell in self._rows[0]]

    def rows(self) -> range:
        """The numbers of the rows below the header."""
        return range(1, len(self._rows))

    def get(self, row: int, column: int) -> str:
        cells = self._rows[row]
        return _value(cells[column]) if column < len(cells) else ""

    def set(self, row: int, column: int, value: str) -> None:
        cells = self._rows[row]
        cells += [""] * (column + 1 - len(cells))
        quoted = cells[column].startswith('"') or re.search(r'[,"\r\n]|^\s|\s$', value)
        cells[column] = '"' + value.replace('"', '""') + '"' if quoted else value

    def keep(self, columns: Sequence[int]) -> None:
        """Leave out all other columns."""
        self._rows = [[cells[column] for column in columns if column < len(cells)] for cells in self._rows]

    def write(self, path: Path) -> None:
        """Write the file atomically. Errors: OSError."""
        with whole(path) as file:
            file.reconfigure(errors="surrogateescape")
            file.write(self._mark)
            file.writelines(",".join(cells) + end for cells, end in zip(self._rows, self._ends))


def _value(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell


@dataclass
class Export:
    """The number of scores written, and notes for the instructor."""

    filled: int = 0
    notes: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)  # the notes, with the number of students instead of their names

    def nothing(self, what: str) -> UserError:
        """The error if there is nothing to write: what is missing, and why."""
        return UserError("; ".join((what, *self.reasons)))

    def note(self, what: str, whom: Iterable[str]) -> None:
        """Add a note that names everyone concerned. Without names, add nothing."""
        if names := [printable(each) for each in whom]:
            between = "; " if any("," in name for name in names) else ", "  # "Lovelace, Ada" is a single name
            self.reasons.append(f"{what} ({len(names):,})")
            self.notes.append(f"{self.reasons[-1]}: {between.join(names)}")


def names_of(row: FinalScore) -> list[str]:
    """Names that an LMS may use for a row's student."""
    return [name for name in (row.student, row.profile.id, row.profile.email) if name]


NUMBERS = {  # patterns for the names of files and folders in a download
    "brightspace": re.compile(r"(?:^|/)(\d+)-\d+ - [^/]+ [AP]M/"),
    "canvas": re.compile(r"(?:^|/)[^/]+?_(\d+)_\d+_[^/]*\Z"),
    "moodle": re.compile(r"(?:^|/)[^/]+?_(\d+)_assignsubmission_"),
}


def number_of(row: FinalScore, lms: str) -> list[str]:
    """The student's number in the LMS, if the student's own submission is from this LMS's download."""
    submission = row.result.submission
    return NUMBERS[lms].findall(submission.file) if submission.source == lms else []


def alike(name: str) -> str:
    """Normalize a name for comparison: without case, as in logins and email addresses, and without Brightspace's #."""
    return name.strip().removeprefix("#").casefold()


def column_named(table: Table, name: str, further: str) -> int:
    """Find the column with exactly this name, else the column that matches the pattern `further`.

    Errors: UserError if there is no such column, or more than one.
    """
    titles = table.titles
    exact = [index for index, title in enumerate(titles) if title == name.strip()]
    found = exact or [index for index, title in enumerate(titles) if re.fullmatch(further, title)]
    if len(found) == 1:
        return found[0]
    shown = [titles[index] for index in found] or get_close_matches(name, titles, 3, 0.4)
    which = ", ".join(repr(printable(title)) for title in shown)
    several = f"{len(found)} columns match {name!r}: {which}" if found else f"there is no column {name!r}"
    close = f" (there is {which})" if shown and not found else ""
    raise UserError(f"{table.name}: {several}{close}; give its exact name with --assignment [LAB=]NAME")


Names = Callable[[FinalScore], Iterable[str]]  # a row's possible values in a column that identifies people
Keys = Mapping[int, Names]  # by column
Columns = Mapping[int, Callable[[FinalScore], str]]  # what writes the text for a row, by column


def fill(
    table: Table, keys: Keys, people: Iterable[int], rows: Iterable[FinalScore], columns: Columns, excused: str = ""
) -> Export:
    """Fill in the final scores of one lab. `people` has the row numbers of people in the table.

    `excused` is what the LMS expects instead of a score for an excused student. If it is empty, the cell stays unchanged.
    """
    people, export = list(people), Export()
    rows = list(rows)
    if not excused:
        export.note("unchanged, excused", (row.student for row in rows if row.final is None))
    found = _joined(table, keys, people, [row for row in rows if excused or row.final is not None], export)
    for number, row in found.items():
        for column, text in columns.items():
            table.set(number, column, text(row))
    rest = (table.get(number, 0) or f"line {table.line_of[number]}" for number in people if number not in found)
    export.note("rows unchanged because there is no score for them", rest)
    export.filled = len(found)
    return export


def _joined(
    table: Table, keys: Keys, people: list[int], rows: Iterable[FinalScore], export: Export
) -> dict[int, FinalScore]:
    called: dict[tuple[int, str], set[int]] = defaultdict(set)
    for number in people:
        for column in keys:
            if name := alike(table.get(number, column)):
                called[column, name].add(number)
    unmatched, unclear, not_judged, found = [], [], [], defaultdict(list)
    for row in rows:
        if not row.is_scored:
            not_judged += [row.student] if row.result.status == NOT_JUDGED else []
            continue
        names = ((column, alike(name)) for column, names_in in keys.items() for name in names_in(row))
        places = set().union(*(called.get(name, ()) for name in names))
        if len(places) == 1:
            found[places.pop()].append(row)
        else:
            (unclear if places else unmatched).append(row.student)
    export.note("left out because the machine failed while grading them", not_judged)
    export.note("left out because no gradebook row matches", unmatched)
    export.note("left out because several gradebook rows match", unclear)
    shared = [row.student for group in found.values() if len(group) > 1 for row in group]
    export.note("left out because several students match one gradebook row", shared)
    return {number: group[0] for number, group in found.items() if len(group) == 1}


def written(table: Table, exports: list[Export], out: Path) -> list[Export]:
    """Write the table. Errors: UserError if no score was filled in, OSError."""
    if not any(export.filled for export in exports):
        every = Export(reasons=[*dict.fromkeys(reason for export in exports for reason in export.reasons)])
        raise every.nothing(f"{table.name}: no score to fill in, so nothing was written")
    table.write(out)
    return exports
