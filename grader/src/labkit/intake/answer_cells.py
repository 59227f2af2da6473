"""Find the cell that answers each exercise in a submission, and decide whether it contains an answer."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping

from labkit.intake.handout import Handout
from labkit.intake.notebooks import Cell, Notebook

_FRAME = """<div style="border: 1px dashed; padding: 0.2em 1em">

{}

</div>"""
FRAMES = {
    "en": _FRAME.format("**Your answer.** *Double-click here and replace this line with your answer.*"),
    "es": _FRAME.format("**Tu respuesta.** *Haz doble clic aquí y escríbela en lugar de esta línea.*"),
}
WRITE_HERE = FRAMES["en"]
# Lines that are not part of an answer: the frame around it, and the prompts of labs released earlier.
FRAME_LINES = {
    *(line for frame in FRAMES.values() for line in frame.splitlines() if line),
    "**Your answer.** *Double-click here, and write it in place of this line.*",
    "*Write your answer here, instead of this line.*",
}


def find_answers(handed_out: Handout, notebook: Notebook) -> dict[str, Cell]:
    """Find the cell that answers each exercise: by id, else by metadata, else by the name that it defines.

    An edited cell wins over an unedited answer cell, because students may answer in a cell that they added. A written answer
    defines no name, so text that the student added directly before or after the answer cell counts.
    """
    found: dict[str, Cell] = {}
    for name, kind in handed_out.exercises.items():
        cells = [cell for cell in notebook.cells if cell.kind == kind]
        answer = next((cell for cell in _ranked(cells, name) if is_written(cell, handed_out.copies(name))), None)
        if kind == "markdown" and not answer and (text := _text_around(handed_out, notebook, name)):
            answer = Cell(kind, text, name, name)
        if answer := answer or next(_ranked(cells, name), None):
            found[name] = answer
    return found


def _ranked(cells: list[Cell], name: str) -> Iterator[Cell]:
    """Yield cells that may answer an exercise, most likely first. Cells are parsed only when needed."""
    yield from (cell for cell in cells if cell.id == name)
    yield from (cell for cell in cells if cell.id != name and cell.exercise == name)
    yield from (
        cell
        for cell in cells
        if name not in (cell.id, cell.exercise) and cell.mentions(name) and name in cell.defines()
    )


def _text_around(handed_out: Handout, notebook: Notebook, name: str) -> str:
    """Join the text of cells that the student added directly before or after the answer cell."""
    order = [*handed_out.sources]
    start = {name, *order[: order.index(name)][-1:]}
    last, texts = "", []
    for cell in notebook.cells:
        known = cell.id if cell.id in handed_out.sources else handed_out.by_source.get(cell.source.strip())
        last = known or last
        if not known and last in start and (cell.kind != "code" or _is_prose(cell)):
            texts.append(unframed(cell.source).strip())
    return "\n\n".join(filter(None, texts))


def _is_prose(cell: Cell) -> bool:
    """Whether the cell contains text rather than Python. A code cell may contain prose."""
    if not cell.is_parsed or cell.source.lstrip()[:1] in ("%", "!", "?"):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(cell.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return False


def answered(handed_out: Handout, answers: Mapping[str, Cell]) -> int:
    """Count the exercises with an answer that differs from the released notebook. For an untouched copy, the count is 0."""
    return sum(is_written(cell, handed_out.copies(name)) for name, cell in answers.items())


def is_written(cell: Cell, stubs: Iterable[str]) -> bool:
    """Whether the cell has an answer: it is neither empty nor equal to a released version, in any language."""
    source = unframed(cell.source)
    return bool(source.strip()) and not any(same_source(source, unframed(stub)) for stub in stubs)


def unframed(text: str) -> str:
    """Remove the frame and the prompt from a written answer. Students may leave them in place."""
    lines = text.splitlines()
    kept = [line for line in lines if line.strip() not in FRAME_LINES]
    return text if len(kept) == len(lines) else "\n".join(kept).strip("\n")


def same_source(one: str, other: str) -> bool:
    """Whether two sources are equal apart from trailing white space."""
    return [line.rstrip() for line in one.strip().splitlines()] == [
        line.rstrip() for line in other.strip().splitlines()
    ]
