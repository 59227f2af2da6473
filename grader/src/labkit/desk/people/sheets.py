"""Read CSV from any spreadsheet, and the numbers and times in it.

Times may have any form that an LMS writes: 2026-03-01T23:59+01:00, or "Sunday, 1 March 2026, 11:59 PM".
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from labkit.grade.batch.store import whole
from labkit.student.model.errors import UserError
from labkit.student.model.text import did_you_mean, from_a_cell, printable, shortened, some

SEPARATORS = ",;\t"  # spreadsheets use semicolons where the decimal mark is a comma
EXAMPLE = "2026-03-01T23:59"
SAKAIS_TITLES = re.compile(r'.*\n.*\n(?="Display ID")')  # the assignment, above the header of Sakai's grades.csv
NONE = ("", "-", "–")  # cells that mean "not submitted"
MONTHS = {  # by the first three letters, in English and Spanish
    name: number
    for number, names in enumerate(
        ("jan ene", "feb", "mar", "apr abr", "may", "jun", "jul", "aug ago", "sep set", "oct", "nov", "dec dic"), 1
    )
    for name in names.split()
}
IN_WORDS = re.compile(  # Moodle's long form: day or month first, optional weekday
    r"(?:[^\W\d]+\.?,?\s+)?"
    r"(?:(?P<day>\d{1,2})\.?(?:\s+de)?\s+(?P<month>[^\W\d]{3,})\.?|(?P<month_2>[^\W\d]{3,})\.?\s+(?P<day_2>\d{1,2}))"
    r"(?:\s+de)?,?\s+(?P<year>\d{4}),?\s+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?"
    r"\s*(?:(?P<half>[ap])\.?\s*m\.?)?",
    re.IGNORECASE,
)


def write_rows(path: Path, columns: Iterable[object], rows: Iterable[Iterable[object]], **form: Any) -> None:
    """Write the rows atomically. Errors: OSError."""
    with whole(path) as file:
        table = csv.writer(file, lineterminator="\n", **form)
        table.writerow(columns)
        table.writerows(rows)


def columns_of(path: Path) -> list[str]:
    """Read the column names in lower case. Errors: UserError."""
    return _names(next(_rows(path), ("", []))[1])


def read_sheet(
    path: Path, needed: Collection[str], known: Collection[str] = (), once: Collection[str] | None = None
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row as its file and line, "manual.csv, line 3", and its cells by column name. Empty rows are skipped.

    With `known`, other columns are errors. Columns in `once` (by default, all) must not repeat. Errors: UserError.
    """
    rows = _rows(path)
    where, header = next(rows, (f"{path.name}, line 1", []))
    names = _names(header)
    _check_header(where, names, needed, known, names if once is None else once)
    for where, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(names):
            raise UserError(
                f"{where}: this row has {len(cells)} cells, but the header has {len(names)}; "
                "put quotes around text that contains a separator"
            )
        yield where, dict.fromkeys(names, "") | {name: from_a_cell(cell) for name, cell in zip(names, cells)}


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each row as its file and line, and its cells. The first row is the header. Errors: UserError."""
    text = _decoded(path.name, bytes_of(path))
    first, titles = text.partition("\n")[0], SAKAIS_TITLES.match(text)
    mark = max(SEPARATORS, key=lambda mark: first.count(mark))
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    while True:
        where = f"{path.name}, line {rows.line_num + 1}"
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise UserError(f"{where}: not valid CSV ({error})") from None
        if not titles or rows.line_num > titles[0].count("\n"):
            yield where, cells


def bytes_of(path: Path) -> bytes:
    """Read a file. Errors: UserError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def _names(cells: Iterable[str]) -> list[str]:
    return [cell.strip().casefold() for cell in cells]


def _decoded(name: str, content: bytes) -> str:
    encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UserError(f"{name}, line {line}: this is not UTF-8; save it as CSV UTF-8") from None


def _check_header(
    where: str, names: list[str], needed: Collection[str], known: Collection[str], once: Collection[str]
) -> None:
    if missing := [name for name in needed if name not in names]:
        own = [*filter(None, names)]
        renamed = f", or rename one of its columns ({some(own, 8)})" if own else ""
        raise UserError(f"{where}: the header has no {', '.join(missing)}; add it{renamed}")
    if twice := [name for name in names if name and name in once and names.count(name) > 1]:
        raise UserError(f"{where}: the column {printable(twice[0])} occurs twice")
    if known and (unknown := [name for name in names if name not in known]):
        raise UserError(f"{where}: unknown column {printable(unknown[0])!r}; use {', '.join(known)}")


def check_known(where: object, what: str, name: str, among: Collection[str]) -> None:
    """Check that a name in a hand-written file is one of these. Errors: UserError."""
    if name not in among:
        raise UserError(f"{where}: there is no {what} {printable(name)!r}{did_you_mean(name, among)}")


def number_of(text: str) -> float:
    """Parse a number with a decimal comma or point; NaN if the text is not a number."""
    try:
        return float(text.strip().replace(",", ".").replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        return math.nan


def number_in(where: str, text: str, least: float = 0) -> float:
    """Parse a number of points, at least `least`. Errors: UserError."""
    points = number_of(text)
    if not (math.isfinite(points) and points >= least):
        from_0 = "" if least else ", 0 or more"
        raise UserError(f"{where}: {printable(text)!r} is not a number of points{from_0}")
    return points


def moment(text: str) -> datetime | None:
    """Parse a time, with a zone only if the text has one. Returns None if the text means "not submitted". Errors: UserError."""
    if text in NONE:
        return None
    try:
        if found := IN_WORDS.fullmatch(text):
            return _in_words(found)
        if ":" in text:
            return datetime.fromisoformat(text)
    except (ValueError, KeyError):
        pass
    raise UserError(f"{shortened(printable(text), 40)!r} is not a readable time; write it as {EXAMPLE}")


def _in_words(found: re.Match) -> datetime:
    month = MONTHS[(found["month"] or found["month_2"])[:3].casefold()]
    hour, half = int(found["hour"]), (found["half"] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return datetime(int(found["year"]), month, int(found["day"] or found["day_2"]), hour, int(found["minute"]))
