"""Fill in individual cells of an LMS's table. All other bytes of the file stay unchanged."""

from __future__ import annotations

import re
from pathlib import Path

from labkit.grade.batch.store import whole
from labkit.student.model.errors import UserError

CELL = re.compile(r'"(?:[^"]|"")*"|[^,\r\n"][^,\r\n]*|')
ENDS = re.compile(r"\r\n|\n|\r|\Z")


class Table:
    """Rows of cells as written in the file. `line_of` has the line where each row starts."""

    def __init__(self, path: Path):
        """Read the file. Errors: UserError if it is not comma-separated CSV."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path}: cannot be read ({error.strerror})") from None
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
    def header(self) -> list[str]:
        return [_value(cell) for cell in self._rows[0]]

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

    def write(self, path: Path) -> None:
        """Write the file atomically. Errors: OSError."""
        with whole(path) as file:
            file.reconfigure(errors="surrogateescape")
            file.write(self._mark)
            file.writelines(",".join(cells) + end for cells, end in zip(self._rows, self._ends))


def _value(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell
