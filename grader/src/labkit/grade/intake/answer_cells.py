"""Find the student's answer to each exercise, wherever it is in the notebook, and decide whether it was written at all."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from labkit.grade.intake.handout import Handout
from labkit.grade.intake.notebooks import Cell, Notebook, statements_in

_FRAME = """<div style="border: 1px dashed; padding: 0.2em 1em">

{}

</div>"""
FRAMES = {  # around a written answer, by language
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
    return _without_trailing_spaces(one) == _without_trailing_spaces(other)


def _without_trailing_spaces(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def find_answers(handed_out: Handout, notebook: Notebook) -> dict[str, Cell]:
    """Find the cell that answers each exercise: by id, else by metadata, else by the name that it defines.

    An edited cell wins over an unedited answer cell, because students may answer in a cell that they added. A written answer
    may be spread over several cells.
    """
    found: dict[str, Cell] = {}
    for name, kind in handed_out.exercises.items():
        cells = [cell for cell in notebook.cells if cell.kind == kind]
        answer = _written_answer(handed_out, notebook, name) if kind == "markdown" else None
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
            would_define = cell.mentions(name) and name in replace(cell, kind="code").defines()
            is_own = name in (cell.id, cell.exercise) or would_define
            if is_own and is_written(cell, handed_out.copies(name)):
                found.setdefault(name, cell.kind)
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


def answered(handed_out: Handout, answers: Mapping[str, Cell]) -> int:
    """Count the exercises with an answer that differs from the released notebook. For an untouched copy, the count is 0."""
    return sum(is_written(cell, handed_out.copies(name)) for name, cell in answers.items())


def _written_answer(handed_out: Handout, notebook: Notebook, name: str) -> Cell | None:
    """Return a cell with all text of the answer; the answer cell itself if nothing else was written; None without any text.

    An answer consists of, in the notebook's order: text added to the task's own cell, the answer cell, and text in cells that
    the student added between the task and the next cell of the lab. Students also change the answer cell's type.
    """
    parts = [*_parts(handed_out, notebook, name)]
    parts = [part for part in parts if not part[2]] or parts  # comments count only if there is nothing else
    if not parts:
        return None
    cell = parts[0][0]
    if len(parts) == 1 and cell.kind == "markdown" and name in (cell.id, cell.exercise):
        return cell
    pictures = {name: each for part, _, _ in parts for name, each in part.pictures.items()}
    return Cell("markdown", "\n\n".join(dict.fromkeys(text for _, text, _ in parts)), name, name, pictures=pictures)


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


def _words_in_code(cell: Cell) -> tuple[str, bool]:
    """The text of a code cell: prose that is not Python, or nothing but strings, or nothing but comments.

    Returns the text, "" for a program, and whether it consists of comments.
    """
    if not cell.is_parsed or cell.source.lstrip()[:1] in ("%", "!", "?"):
        return "", False
    if (body := statements_in(cell.source)) is None:
        return cell.source, False
    if not body:
        return "\n".join(line.strip().lstrip("#").strip() for line in cell.source.splitlines()), True
    strings = [each.value.value for each in body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
    if len(strings) < len(body) or not all(isinstance(each, str) for each in strings):
        return "", False
    return "\n\n".join(map(str, strings)), False
