"""Find the cell that answers each exercise in a submission, and decide whether it contains an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from labkit.grade.intake.frames import is_written
from labkit.grade.intake.handout import Handout
from labkit.grade.intake.notebooks import Cell, Notebook
from labkit.grade.intake.written_answers import written_answer


def find_answers(handed_out: Handout, notebook: Notebook) -> dict[str, Cell]:
    """Find the cell that answers each exercise: by id, else by metadata, else by the name that it defines.

    An edited cell wins over an unedited answer cell, because students may answer in a cell that they added. A written answer
    may be spread over several cells.
    """
    found: dict[str, Cell] = {}
    for name, kind in handed_out.exercises.items():
        cells = [cell for cell in notebook.cells if cell.kind == kind]
        answer = written_answer(handed_out, notebook, name) if kind == "markdown" else None
        answer = answer or next(
            (cell for cell in _ranked(cells, name) if is_written(cell, handed_out.copies(name))), None
        )
        if answer := answer or next(_ranked(cells, name), None):
            found[name] = answer
    return found


def changed_kinds(handed_out: Handout, notebook: Notebook) -> dict[str, str]:
    """Find code answers in cells that are not code any more. Returns the kind of each such cell by exercise."""
    found: dict[str, str] = {}
    names = [name for name, kind in handed_out.exercises.items() if kind == "code"]
    for cell in notebook.cells:
        if cell.kind == "code" or cell.source.strip() in handed_out.by_source:
            continue
        for name in names:
            is_own = name in (cell.id, cell.exercise) or _would_define(cell, name)
            if is_own and is_written(cell, handed_out.copies(name)):
                found.setdefault(name, cell.kind)
    return found


def _would_define(cell: Cell, name: str) -> bool:
    return cell.mentions(name) and name in replace(cell, kind="code").defines()


def _ranked(cells: list[Cell], name: str) -> Iterator[Cell]:
    """Yield cells that may answer an exercise, most likely first. Cells are parsed only when needed."""
    yield from (cell for cell in cells if cell.id == name)
    yield from (cell for cell in cells if cell.id != name and cell.exercise == name)
    yield from (
        cell
        for cell in cells
        if name not in (cell.id, cell.exercise) and cell.mentions(name) and name in cell.defines()
    )


def answered(handed_out: Handout, answers: Mapping[str, Cell]) -> int:
    """Count the exercises with an answer that differs from the released notebook. For an untouched copy, the count is 0."""
    return sum(is_written(cell, handed_out.copies(name)) for name, cell in answers.items())
