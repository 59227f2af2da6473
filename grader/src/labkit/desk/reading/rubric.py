"""Read a written exercise's rubric from the cell NAME_rubric or rubric in the solution. Students do not get this cell."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labkit.desk.reading.question import cells_of
from labkit.student.model.project import Project

ITEM = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)?) (?:points?|puntos?):\s*")


@dataclass(frozen=True)
class Item:
    """One condition in a rubric, and the points for meeting it."""

    points: float
    text: str


@dataclass(frozen=True)
class Rubric:
    """The rubric's text, and its items if each starts like "1 point: …". Without items, the page offers whole points."""

    text: str
    items: tuple[Item, ...]


def rubric_of(project: Project, lab: str, exercise: str) -> Rubric:
    """Read the rubric; empty if the solution has none."""
    cells = cells_of(project.solutions / f"{lab}.ipynb")
    sources = {cell.get("id"): "".join(cell["source"]) for cell in cells}
    alone = sum(each.written for each in project.course.labs[lab].exercises) == 1
    text = sources.get(f"{exercise}_rubric") or (sources.get("rubric", "") if alone else "")
    parts = ITEM.split(text)
    pairs = zip(parts[1::2], parts[2::2])
    return Rubric(text, tuple(Item(float(points.replace(",", ".")), _plain(what)) for points, what in pairs))


def _plain(text: str) -> str:
    """Join an item's lines, without the next item's bullet at the end."""
    return " ".join(re.sub(r"\s*\n\s*[-*]\s*\Z", "", text).split())
