"""Parse an untrusted file into a Notebook, or give the reason for refusing it. None of its code runs."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from labkit.grade.intake.files import Refusal, as_text, read_notebook, without_outputs
from labkit.grade.intake.handout import handout, with_pictures
from labkit.grade.intake.tree import begins_as_notebook, begins_as_script
from labkit.student.judging.finding import Finding
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Course
from labkit.student.model.project import Project
from labkit.student.model.text import NotJSON, TooDeep, TooManyParts, clean, read_json

MAX_CELLS = 2_000
MAX_SOURCE = 100_000  # characters of a cell that is parsed for names; parsing uses a thousand bytes of memory for each
SHORT = 5_000  # characters; only shorter cells have their names cached
MAX_SOURCES = 200_000  # characters of all parsed cells together, in order
MAX_PARTS = 1_000_000  # maximum commas and brackets in a file, to limit its size in memory
CONFLICT = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)  # git's markers of a merge conflict
LANGUAGE = re.compile("[a-z]{2,3}(?:-[A-Za-z]{2,4})?")
SPEAKS = re.compile(f"use_style\\(language=[\"']({LANGUAGE.pattern})[\"']\\)")
# Of a script: the comment that begins a cell, and what Jupytext and `labkit release` keep in it, as in name="spread".
MARK = re.compile(r"^#[ \t]*%%+(?:[ \t]+(.*))?$", re.MULTILINE)
KIND = re.compile(r'[^"={]*\[(markdown|md|raw)\]')
NAME, EXERCISE = re.compile(r'\bname="([^"]*)"'), re.compile(r'\bexercise"?[=:] ?"([^"]*)"')
QUOTED = re.compile(r'[rR]?("""|\'\'\')(.*)\1', re.DOTALL)  # how some editors write text, in place of comments
FORMAT = 4  # of notebooks since 2015
OTHERS = {  # what students save under a notebook's name
    "a web page": re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body)\b", re.IGNORECASE),
    "a PDF": re.compile(rb"%PDF"),
    "a picture": re.compile(rb"\x89PNG|GIF8|\xff\xd8\xff"),
    "an archive": re.compile(rb"PK\x03\x04|7z|Rar!"),
}


@dataclass(frozen=True)
class Cell:
    """The parts of a cell that grading uses. The id and the exercise in the metadata may be missing or wrong."""

    kind: str  # code, markdown or raw
    source: str
    id: str = ""
    exercise: str = ""
    is_parsed: bool = True
    pictures: Mapping[str, str] = field(default_factory=dict, hash=False)  # attached ones, as data URLs

    def defines(self) -> frozenset[str]:
        """Names that a code cell defines at its top level; empty if the source is not Python."""
        if self.kind != "code" or not self.is_parsed:
            return frozenset()
        return (_known_names if len(self.source) < SHORT else _defined_names)(self.source)

    def mentions(self, name: str) -> bool:
        """Whether the cell might define the name, without parsing. Non-ASCII source might: Python reads some letters as ASCII."""
        return name in self.source or not self.source.isascii()


def statements_in(source: str) -> list[ast.stmt] | None:
    """Parse a student's code. Returns None if it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as "invalid escape sequence"
            return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _defined_names(source: str) -> frozenset[str]:
    names: set[str] = set()
    for statement in statements_in(_without_magics(source)) or ():
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names |= {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in statement.names}
    return frozenset(names)


_known_names = lru_cache(maxsize=1_000)(_defined_names)  # a class submits the same cells many times


@dataclass(frozen=True)
class Notebook:
    """A notebook that can be graded."""

    lab_name: str
    cells: tuple[Cell, ...]
    notes: tuple[Finding, ...] = ()  # about how the file was read, for the gradebook
    language: str = "en"


def notebook_in(project: Project, path: Path, budgets: Budgets = Budgets()) -> Notebook | Refusal:
    """Read the notebook in a file, or return the reason why it cannot be graded. No file content raises an error."""
    content = read_notebook(path, budgets)
    return content if isinstance(content, Refusal) else parse_notebook(project, content, path.stem, budgets)


def parse_notebook(
    project: Project, content: bytes, stem: str = "", budgets: Budgets = Budgets()
) -> Notebook | Refusal:
    """Read the notebook in these bytes. `stem`, the file's name, is the last resort for finding the lab."""
    if not content.strip(b"\0 \t\r\n"):
        return Refusal("unreadable", "the file is empty" + " or has only zero bytes" * bool(content.strip()))
    text, notes = as_text(content)
    try:
        notebook, left = _notebook_in(content, text, budgets)
    except TooDeep:
        return Refusal("unreadable", f"its JSON is nested more than {budgets.json_depth} levels deep")
    except TooManyParts:
        return Refusal("unreadable", "its JSON has more than a million parts, not counting outputs")
    except (NotJSON, MemoryError):
        return Refusal("unreadable", _why_no_json(content, text))
    if left:
        notes += (Finding("left-over", {"count": left}),)
    raw_cells = _cells_of(notebook)
    if isinstance(raw_cells, Refusal):
        return raw_cells
    read = [_cell(raw) for raw in raw_cells]
    cells = tuple(_within_bounds(cell for cell in read if cell))
    lab = _lab_of(project, notebook, cells, stem)
    if lab is None:
        why = "this notebook belongs to no lab in this course: its file name, cells and metadata match none"
        return Refusal("not_a_lab", why)
    if skipped := read.count(None):
        notes += (Finding("cells-skipped", {"count": skipped}),)
    return Notebook(lab, cells, notes, _language(_own(notebook), cells))


def _notebook_in(content: bytes, text: str, budgets: Budgets) -> tuple[Any, int]:
    """Parse the JSON, or split the script. Returns it, and how many characters follow, such as zero bytes after a crash. Errors: NotJSON."""
    if begins_as_script(content) and not CONFLICT.search(text):
        return notebook_of(text, MAX_CELLS + 1), 0
    try:
        return _value_of(text, budgets), 0
    except (TooDeep, TooManyParts):
        raise
    except NotJSON:
        text = text.lstrip("\0")
        try:
            end = json.JSONDecoder().raw_decode(text)[1]
        except (ValueError, RecursionError):
            raise NotJSON("not JSON") from None
        return _value_of(text[:end], budgets), len(text) - end


def notebook_of(script: str, most: int) -> dict[str, Any]:
    """Read percent format, a script in which a comment, such as `# %% [markdown]`, begins each cell.

    If there are more than `most` cells, the last has the rest. The text is only split, because jupytext takes a second to import
    and parses whatever YAML a script begins with.
    """
    head, *parts = MARK.split(clean(script).replace("\r\n", "\n").replace("\r", "\n"), most)
    cells = [_cell_of_script(mark or "", body) for mark, body in zip(parts[::2], parts[1::2])]
    if any(line and not line.startswith("#") for line in head.split("\n")):
        cells.insert(0, _cell_of_script("", head))
    return {"nbformat": 4, "cells": cells}


def _cell_of_script(mark: str, body: str) -> dict[str, Any]:
    kind, name, exercise = (
        found and found[1] for found in (KIND.match(mark), NAME.search(mark), EXERCISE.search(mark))
    )
    source = _uncommented(body.strip("\n")) if kind else body.strip("\n")
    told = {"id": name or "", "metadata": {"labkit": {"exercise": exercise}}}
    return {"cell_type": "raw" if kind == "raw" else "markdown" if kind else "code", "source": source, **told}


def _uncommented(text: str) -> str:
    if quoted := QUOTED.fullmatch(text.strip()):
        return quoted[2].strip("\n")
    return "\n".join(line[1 + line.startswith("# ") :] if line.startswith("#") else line for line in text.split("\n"))


def _value_of(text: str, budgets: Budgets) -> Any:
    """Parse the JSON. If it has too many parts (commas and brackets), it is parsed without outputs. Errors: NotJSON."""
    try:
        return read_json(text, parts=MAX_PARTS, levels=budgets.json_depth)
    except TooManyParts:
        content = text.encode("utf-8", "surrogatepass")
        if (rest := without_outputs([content], len(content))) is None:
            raise
        return read_json(rest.decode("utf-8", "surrogatepass"), parts=MAX_PARTS, levels=budgets.json_depth)


def _why_no_json(content: bytes, text: str) -> str:
    if conflict := CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        return f"the file has an unresolved merge conflict at line {line}: resolve it and submit again"
    found = next((what for what, pattern in OTHERS.items() if pattern.match(content)), "")
    if not found and _is_program(text):
        found = "a Python script"
    if found:
        return f"this is not a notebook but {found} under the name of one: submit the notebook itself"
    if begins_as_notebook(content):
        return "the file is cut off or damaged: it begins like a notebook, but its content is not JSON"
    return "this is not a notebook: its content is not JSON"


def _is_program(text: str) -> bool:
    """Whether this is a Python program, rather than a word that happens to be one."""
    statements = None if len(text) > MAX_SOURCE else statements_in(_without_magics(text))
    return any(not isinstance(each, (ast.Expr, ast.Pass)) for each in statements or ())


def _cells_of(notebook: object) -> list[object] | Refusal:
    """Extract the notebook's list of cells, which is not yet validated."""
    found = notebook.get("cells", notebook.get("worksheets")) if isinstance(notebook, dict) else None
    if not isinstance(notebook, dict) or not isinstance(found, list):
        return Refusal("unreadable", "this is JSON but not a notebook: it has no list of cells")
    if (version := notebook.get("nbformat")) != FORMAT:
        named = ascii(version).strip("'")[:20]
        return Refusal("unreadable", f"notebook format {named} is not supported; save it as format {FORMAT}")
    if len(found) > MAX_CELLS:
        return Refusal("unreadable", f"the notebook has more than {MAX_CELLS:,} cells")
    return found


def _cell(raw: object) -> Cell | None:
    if not isinstance(raw, dict) or raw.get("cell_type") not in ("code", "markdown", "raw"):
        return None
    source = raw.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return None
    source, pictures = with_pictures(raw, source)
    return Cell(raw["cell_type"], source, _text(raw.get("id")), _text(_own(raw).get("exercise")), pictures=pictures)


def _within_bounds(cells: Iterable[Cell]) -> Iterator[Cell]:
    """Mark the cells that are too long to parse, alone or together with earlier ones."""
    left = MAX_SOURCES
    for cell in cells:
        size = len(cell.source) if cell.kind == "code" else 0
        left -= size if size <= MAX_SOURCE else 0
        yield cell if size <= MAX_SOURCE and left >= 0 else replace(cell, is_parsed=False)


def _own(raw: dict[str, Any]) -> dict[str, Any]:
    """labkit's own metadata in a notebook or a cell."""
    metadata = raw.get("metadata")
    own = metadata.get("labkit") if isinstance(metadata, dict) else None
    return own if isinstance(own, dict) else {}


def _language(own: dict[str, Any], cells: Iterable[Cell]) -> str:
    """The edition's language, such as es or pt-BR: from the metadata, or, if a tool dropped that, from the setup cell."""
    named = own.get("language")
    if isinstance(named, str) and LANGUAGE.fullmatch(named):
        return named
    matches = (SPEAKS.search(cell.source) for cell in cells if cell.is_parsed and "use_style(" in cell.source)
    return next((found[1] for found in matches if found), "en")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _lab_of(project: Project, notebook: dict[str, Any], cells: tuple[Cell, ...], stem: str) -> str | None:
    """Identify the lab: by its cells' ids and metadata, else by defined names, else by notebook metadata, else by file name."""
    named = _own(notebook).get("lab")
    named = named if isinstance(named, str) and named in project.course.names else None
    marked = {cell.id for cell in cells} | {cell.exercise for cell in cells}
    return (
        _lab_with_most(project, marked, named)
        or _lab_with_most(project, {name for cell in cells for name in cell.defines()}, named)
        or named
        or lab_in_name(project.course, stem)
    )


def lab_in_name(course: Course, name: str) -> str | None:
    """Return the lab that this file name contains, if any."""
    return next((lab for lab in course.names if lab in name), None)


def _lab_with_most(project: Project, names: set[str], named: str | None) -> str | None:
    """Return the lab with the most exercises among these names; None if no lab has any.

    `named`, the lab that the notebook's metadata names, wins if it has at least one.
    """
    counts = {lab: len(names & set(handout(project, lab).exercises)) for lab in project.course.names}
    best = named if named and counts[named] else max(counts, key=lambda lab: counts[lab])
    return best if counts[best] else None


def _without_magics(source: str) -> str:
    """Make source parse as Python: IPython magics and shell lines become `pass` with the same indentation."""
    lines = source.splitlines()
    if lines and lines[0].startswith("%%"):
        return ""
    return "\n".join(
        line[: len(line) - len(line.lstrip())] + "pass" if line.lstrip()[:1] in ("%", "!", "?") else line
        for line in lines
    )
