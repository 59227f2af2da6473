"""Read a file nobody trusts: a Submission, or a reason why not. Nothing in it is run, and nothing is taken on faith."""

from __future__ import annotations

import ast
import json
import os
import re
import stat
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from labkit import course
from labkit.budgets import MIB, Budgets
from labkit.course import Lab
from labkit.intake.handout import handout
from labkit.intake.nesting import deeper_than
from labkit.text import clean

MAX_CELLS = 2_000
MAX_SOURCE = 100_000  # characters of a cell that is parsed for its names; parsing takes a thousand times that
SHORT = 5_000  # of one whose names are remembered
MAX_SOURCES = 200_000  # of all cells that are, in their order
MAX_PARTS = 1_000_000  # commas and brackets in a file: what it may grow to when parsed follows from them


@dataclass(frozen=True)
class Cell:
    """What counts of a cell: its id and the exercise in its metadata may be missing or wrong."""

    kind: str  # code, markdown or raw
    source: str
    id: str = ""
    exercise: str = ""
    is_parsed: bool = True

    def defines(self) -> frozenset[str]:
        """The names that a code cell defines at its top level; none when it is not Python."""
        if self.kind != "code" or not self.is_parsed:
            return frozenset()
        return (_known_names if len(self.source) < SHORT else _defined_names)(self.source)

    def mentions(self, name: str) -> bool:
        """Whether it could define the name: told without parsing it. Python takes some other letters for those of ASCII."""
        return name in self.source or not self.source.isascii()


def _defined_names(source: str) -> frozenset[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "invalid escape sequence" and the like are the student's business
            body = ast.parse(_without_magics(source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    names: set[str] = set()
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names |= {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in statement.names}
    return frozenset(names)


_known_names = lru_cache(maxsize=1_000)(_defined_names)  # a class hands in the same cells many times


@dataclass(frozen=True)
class Submission:
    """A notebook that can be graded."""

    lab_name: str
    cells: tuple[Cell, ...]
    skipped: int = 0  # cells of it that are none: neither code nor text, or without a source
    language: str = "en"

    @property
    def lab(self) -> Lab:
        return course.current().labs[self.lab_name]


@dataclass(frozen=True)
class Refusal:
    """Why a file cannot be graded: a status of the contract, and the reason in words."""

    status: str  # unreadable or not_a_lab
    reason: str


def read_submission(path: Path, budgets: Budgets = Budgets()) -> Submission | Refusal:
    """The submission in a file, or the reason why it cannot be graded. Never raises for what the file holds."""
    content = read_file(path, budgets)
    return content if isinstance(content, Refusal) else parse_submission(content, path.stem, budgets)


def read_file(path: Path, budgets: Budgets = Budgets()) -> bytes | Refusal:
    """The bytes of an ordinary file of bounded size. It is looked at first: a pipe would never end, a link leads away."""
    most = budgets.submission_bytes
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return Refusal("unreadable", "this is a link to another file; hand in the file itself")
        if not stat.S_ISREG(found.st_mode):
            return Refusal("unreadable", f"this is not a file but a {_kind(found.st_mode)}")
        if found.st_size > most:
            return Refusal("unreadable", f"the file has {found.st_size / MIB:.1f} MiB; at most {most / MIB:g} are read")
        # By now it may have been exchanged for something else.
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        return Refusal("unreadable", f"the file cannot be read: {error.strerror}")
    if len(content) > most:
        return Refusal("unreadable", f"the file has more than {most / MIB:g} MiB, and that is all that is read")
    return content


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "folder"
    return "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"


def parse_submission(content: bytes, stem: str = "", budgets: Budgets = Budgets()) -> Submission | Refusal:
    """The submission in the bytes of a notebook; `stem` is the file's name, asked last for which lab it is."""
    if not content.strip():
        return Refusal("unreadable", "the file is empty")
    if deeper_than(budgets.json_depth, content):
        return Refusal("unreadable", f"its JSON is nested more than {budgets.json_depth} levels deep")
    if sum(map(content.count, (b"[", b"{", b","))) > MAX_PARTS:
        return Refusal("unreadable", "its JSON has more than a million parts: clear its outputs, and hand it in again")
    try:
        notebook = json.loads(content)
    except (ValueError, MemoryError, RecursionError):  # in UTF-16 the levels cannot be counted beforehand
        return Refusal("unreadable", "this is not a notebook: its content is not JSON")
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        old = isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list)
        mend = "an old notebook format (version 3): open it in JupyterLab, save, hand in again"
        return Refusal("unreadable", mend if old else "this is JSON but not a notebook: it has no list of cells")
    if notebook.get("nbformat") != 4:
        version = ascii(notebook.get("nbformat")).strip("'")[:20]
        return Refusal("unreadable", f"notebook format {version} is not known; 4 is")
    if len(notebook["cells"]) > MAX_CELLS:
        return Refusal("unreadable", f"{len(notebook['cells'])} cells; at most {MAX_CELLS} are read")
    read = [_cell(raw) for raw in notebook["cells"]]
    cells = tuple(_within_bounds(cell for cell in read if cell))
    lab = _lab_of(notebook, cells, stem)
    if lab is None:
        why = "a notebook, but none of this course's labs: no lab's name, cell or exercise is in it"
        return Refusal("not_a_lab", why)
    return Submission(lab, cells, read.count(None), _language(_own(notebook)))


def _cell(raw: object) -> Cell | None:
    if not isinstance(raw, dict) or raw.get("cell_type") not in ("code", "markdown", "raw"):
        return None
    source = raw.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return None
    return Cell(raw["cell_type"], clean(source), _text(raw.get("id")), _text(_own(raw).get("exercise")))


def _within_bounds(cells: Iterable[Cell]) -> Iterator[Cell]:
    """The cells, with a mark at those that are too long to be parsed, alone or with those before."""
    left = MAX_SOURCES
    for cell in cells:
        size = len(cell.source) if cell.kind == "code" else 0
        left -= size if size <= MAX_SOURCE else 0
        yield cell if size <= MAX_SOURCE and left >= 0 else replace(cell, is_parsed=False)


def _own(raw: dict) -> dict:
    """What labkit itself wrote into the metadata of a notebook or a cell."""
    metadata = raw.get("metadata")
    own = metadata.get("labkit") if isinstance(metadata, dict) else None
    return own if isinstance(own, dict) else {}


def _language(own: dict) -> str:
    """The language of the edition, such as es or pt-BR."""
    named = own.get("language")
    return named if isinstance(named, str) and re.fullmatch("[a-z]{2,3}(-[A-Za-z]{2,4})?", named) else "en"


def _text(value: object) -> str:
    return clean(value) if isinstance(value, str) else ""


def _lab_of(notebook: dict, cells: tuple[Cell, ...], stem: str) -> str | None:
    """By its cells' ids and metadata, else the names they define, else the notebook's own metadata, else the file's name.

    Where its cells are of several labs, the one that its metadata name counts, if it is among them.
    """
    named = _own(notebook).get("lab")
    named = named if isinstance(named, str) and named in course.current().names else None
    marked = {cell.id for cell in cells} | {cell.exercise for cell in cells}
    return (
        _lab_with_most(marked, named)
        or _lab_with_most({name for cell in cells for name in cell.defines()}, named)
        or named
        or next((lab for lab in course.current().names if lab in stem), None)
    )


def _lab_with_most(names: set[str], named: str | None) -> str | None:
    """The lab that has most of its exercises among the names; the one that the notebook names where it has any."""
    counts = {lab: len(names & set(handout(lab).exercises)) for lab in course.current().names}
    best = named if named and counts[named] else max(counts, key=counts.get)
    return best if counts[best] else None


def _without_magics(source: str) -> str:
    """Python that parses: IPython's magics and shell lines become `pass` at their own indentation."""
    lines = source.splitlines()
    if lines and lines[0].startswith("%%"):
        return ""
    return "\n".join(
        line[: len(line) - len(line.lstrip())] + "pass" if line.lstrip()[:1] in ("%", "!", "?") else line
        for line in lines
    )
