"""Collect the text of a written answer. Students also write it around the answer cell, or change the cell's type.

An answer consists of, in the notebook's order: text added to the task's own cell, the answer cell, and text in cells that the
student added between the task and the next cell of the lab.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from labkit.grade.intake.frames import is_written, unframed
from labkit.grade.intake.handout import Handout
from labkit.grade.intake.notebooks import Cell, Notebook


def written_answer(handed_out: Handout, notebook: Notebook, name: str) -> Cell | None:
    """Return a cell with all text of the answer; the answer cell itself if nothing else was written; None without any text."""
    parts = [*_parts(handed_out, notebook, name)]
    parts = [part for part in parts if not part[2]] or parts  # comments count only if there is nothing else
    if not parts:
        return None
    cell = parts[0][0]
    if len(parts) == 1 and cell.kind == "markdown" and name in (cell.id, cell.exercise):
        return cell
    return Cell("markdown", "\n\n".join(dict.fromkeys(text for _, text, _ in parts)), name, name)


def _parts(handed_out: Handout, notebook: Notebook, name: str) -> Iterator[tuple[Cell, str, bool]]:
    """Yield each cell with a part of the answer, the part, and whether it consists of a program's comments."""
    order = [*handed_out.sources]
    task = next(iter(order[: order.index(name)][-1:]), "")
    last = ""
    for cell in notebook.cells:
        is_known = cell.id in handed_out.sources or cell.id in ("rubric", f"{name}_rubric")  # a solution has rubrics
        known = cell.id if is_known else handed_out.by_source.get(cell.source.strip())
        if name in (cell.id, cell.exercise):
            known = name
            if is_written(cell, handed_out.copies(name)):
                yield cell, unframed(cell.source).strip(), False
        elif added := _added_to_task(handed_out, cell, task):
            known = task
            yield cell, added, False
        elif not known and last in (task, name):
            text, is_comment = (cell.source, False) if cell.kind != "code" else _words_in_code(cell)
            if text := unframed(text).strip():
                yield cell, text, is_comment
        last = known or last


def _added_to_task(handed_out: Handout, cell: Cell, task: str) -> str:
    """The text that the student added before or after the task in its own cell. The task itself must be unchanged."""
    if cell.kind != "markdown":
        return ""
    source = _without_trailing_spaces(cell.source)
    for copy in map(_without_trailing_spaces, handed_out.copies(task)):
        before, is_there, after = source.partition(copy) if copy else ("", "", "")
        if is_there and (added := "\n\n".join(filter(None, (unframed(before).strip(), unframed(after).strip())))):
            return added
    return ""


def _without_trailing_spaces(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _words_in_code(cell: Cell) -> tuple[str, bool]:
    """The text of a code cell: prose that is not Python, or nothing but strings, or nothing but comments.

    Returns the text, "" for a program, and whether it consists of comments.
    """
    if not cell.is_parsed or cell.source.lstrip()[:1] in ("%", "!", "?"):
        return "", False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(cell.source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return cell.source, False
    if not body:
        return "\n".join(line.strip().lstrip("#").strip() for line in cell.source.splitlines()), True
    strings = [each.value.value for each in body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
    if len(strings) < len(body) or not all(isinstance(each, str) for each in strings):
        return "", False
    return "\n\n".join(map(str, strings)), False
