"""The frame around a written answer, and whether a cell contains an answer at all."""

from __future__ import annotations

from collections.abc import Iterable

from labkit.grade.intake.notebooks import Cell

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
