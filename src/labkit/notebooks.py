"""Read a file nobody trusts: a Submission, or a reason why not. Nothing in it is run, and nothing is taken on faith."""

from __future__ import annotations

import ast
import json
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from labkit.budgets import MIB, Budgets
from labkit.course import Lab, labs
from labkit.nesting import deeper_than

MAX_CELLS = 2_000


@dataclass(frozen=True)
class Cell:
    """What counts of a cell: its id and the exercise in its metadata may be missing or wrong."""

    kind: str  # code or markdown
    source: str
    id: str = ""
    exercise: str = ""

    def defines(self) -> frozenset[str]:
        """The names that a code cell defines at its top level; none when it is not Python."""
        if self.kind != "code":
            return frozenset()
        return _defined_names(self.source)


@lru_cache(maxsize=1_000)  # a class hands in the same cells many times
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


@dataclass(frozen=True)
class Submission:
    """A notebook that can be graded."""

    lab: Lab
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Refusal:
    """Why a file cannot be graded: a status of the contract, and the reason in words."""

    status: str  # unreadable or not_a_lab
    reason: str


def read_submission(path: Path, budgets: Budgets = Budgets()) -> Submission | Refusal:
    """The submission in a file, or the reason why it cannot be graded. Never raises for what the file holds."""
    try:
        if path.is_symlink():
            return Refusal("unreadable", "this is a link to another file; hand in the file itself")
        size = path.stat().st_size
        if size > budgets.submission_bytes:
            most = budgets.submission_bytes / MIB
            return Refusal("unreadable", f"the file has {size / MIB:.1f} MiB; at most {most:g} are read")
        content = path.read_bytes()
    except OSError as error:
        return Refusal("unreadable", f"the file cannot be read: {error.strerror}")
    return parse_submission(content, path.stem, budgets)


def parse_submission(content: bytes, stem: str = "", budgets: Budgets = Budgets()) -> Submission | Refusal:
    """The submission in the bytes of a notebook; `stem` is the file's name, asked last for which lab it is."""
    if not content.strip():
        return Refusal("unreadable", "the file is empty")
    if deeper_than(budgets.json_depth, content):
        return Refusal("unreadable", f"its JSON is nested more than {budgets.json_depth} levels deep")
    try:
        notebook = json.loads(content)
    except (ValueError, MemoryError, RecursionError):  # in UTF-16 the levels cannot be counted beforehand
        return Refusal("unreadable", "this is not a notebook: its content is not JSON")
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        if isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):
            return Refusal(
                "unreadable", "an old notebook format (version 3): open it in JupyterLab, save, hand in again"
            )
        return Refusal("unreadable", "this is JSON but not a notebook: it has no list of cells")
    if notebook.get("nbformat") != 4:
        version = ascii(notebook.get("nbformat")).strip("'")[:20]
        return Refusal("unreadable", f"notebook format {version} is not known; 4 is")
    if len(notebook["cells"]) > MAX_CELLS:
        return Refusal("unreadable", f"{len(notebook['cells'])} cells; at most {MAX_CELLS} are read")
    cells = tuple(cell for cell in map(_cell, notebook["cells"]) if cell)
    lab = _lab_of(notebook, cells, stem)
    if lab is None:
        return Refusal(
            "not_a_lab", "a notebook, but none of this course's labs: no lab's name, cell or exercise is in it"
        )
    return Submission(lab, cells)


def _cell(raw: object) -> Cell | None:
    if not isinstance(raw, dict) or raw.get("cell_type") not in ("code", "markdown"):
        return None
    source = raw.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return None
    metadata = raw.get("metadata")
    own = metadata.get("labkit") if isinstance(metadata, dict) else None
    exercise = own.get("exercise") if isinstance(own, dict) else None
    return Cell(raw["cell_type"], _clean(source), _text(raw.get("id")), _text(exercise))


def _text(value: object) -> str:
    return _clean(value) if isinstance(value, str) else ""


def _clean(text: str) -> str:
    """Text that can be written as UTF-8: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _lab_of(notebook: dict, cells: tuple[Cell, ...], stem: str) -> Lab | None:
    """By the notebook's metadata, else its cells' ids and metadata, else the names it defines, else the file's name."""
    metadata = notebook.get("metadata")
    own = metadata.get("labkit") if isinstance(metadata, dict) else None
    named = own.get("lab") if isinstance(own, dict) else None
    if isinstance(named, str) and named in labs():
        return labs()[named]
    marked = {cell.id for cell in cells} | {cell.exercise for cell in cells}
    best = _most_exercises(marked) or _most_exercises({name for cell in cells for name in cell.defines()})
    return best or next((lab for lab in labs().values() if lab.name in stem), None)


def _most_exercises(names: set[str]) -> Lab | None:
    counts = {lab.name: len(names & {exercise.name for exercise in lab.exercises}) for lab in labs().values()}
    best = max(counts, key=counts.get)
    return labs()[best] if counts[best] else None


def _without_magics(source: str) -> str:
    """Python that parses: IPython's magics and shell lines become `pass` at their own indentation."""
    lines = source.splitlines()
    if lines and lines[0].startswith("%%"):
        return ""
    return "\n".join(
        line[: len(line) - len(line.lstrip())] + "pass" if line.lstrip()[:1] in ("%", "!", "?") else line
        for line in lines
    )
