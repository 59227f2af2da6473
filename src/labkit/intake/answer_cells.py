"""Which cell of a submission answers which exercise, and whether anything was written there."""

from __future__ import annotations

from labkit.intake.handout import handout
from labkit.intake.notebooks import Cell, Submission


def find_answers(submission: Submission) -> dict[str, Cell]:
    """For each exercise the cell that answers it: by id, else by metadata, else by the name that it defines.

    A cell that is still the stub gives way to one that is not: the student wrote the answer in a cell of their own.
    """
    handed_out, found = handout(submission.lab_name), {}
    for name, kind in handed_out.exercises.items():
        cells = [cell for cell in submission.cells if cell.kind == kind]
        ranked = (
            [cell for cell in cells if cell.id == name]
            + [cell for cell in cells if cell.id != name and cell.exercise == name]
            + [cell for cell in cells if name not in (cell.id, cell.exercise) and name in cell.defines()]
        )
        touched = [cell for cell in ranked if is_written(cell, handed_out.sources[name])]
        if ranked:
            found[name] = (touched or ranked)[0]
    return found


def answered(submission: Submission) -> int:
    """How many exercises have something else than what was handed out: none in an untouched copy."""
    sources = handout(submission.lab_name).sources
    return sum(is_written(cell, sources[name]) for name, cell in find_answers(submission).items())


def is_written(cell: Cell, stub: str) -> bool:
    return bool(cell.source.strip()) and not same_source(cell.source, stub)


def same_source(one: str, other: str) -> bool:
    """Equal but for white space at the ends of lines and of the cell."""
    return [line.rstrip() for line in one.strip().splitlines()] == [
        line.rstrip() for line in other.strip().splitlines()
    ]
