"""Read an exercise's question from the lab's notebook, and its rubric from the solution, which students do not get."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from labkit.student.model.project import Project

HINTS = re.compile(r"<details>.*?</details>", re.DOTALL | re.IGNORECASE)
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


def question_of(project: Project, lab: str, exercise: str) -> str:
    """Return the Markdown from the last heading before the answer cell up to that cell, without hints; "" without a notebook."""
    cells = _cells_of(project.labs / f"{lab}.ipynb")
    place = next((at for at, cell in enumerate(cells) if _exercise(cell) == exercise), 0)
    asked: list[str] = []
    for cell in reversed(cells[:place]):
        if _exercise(cell):
            break
        if cell["cell_type"] == "markdown":
            asked.insert(0, "".join(cell["source"]))
            if asked[0].lstrip().startswith("#"):
                break
    return HINTS.sub("", "\n\n".join(asked)).strip()


def rubric_of(project: Project, lab: str, exercise: str) -> Rubric:
    """Read the rubric from the cell NAME_rubric or rubric; empty if the solution has none."""
    cells = _cells_of(project.solutions / f"{lab}.ipynb")
    sources = {cell.get("id"): "".join(cell["source"]) for cell in cells}
    alone = sum(each.written for each in project.course.labs[lab].exercises) == 1
    text = sources.get(f"{exercise}_rubric") or (sources.get("rubric", "") if alone else "")
    parts = ITEM.split(text)
    pairs = zip(parts[1::2], parts[2::2])
    return Rubric(text, tuple(Item(float(points.replace(",", ".")), _plain(what)) for points, what in pairs))


def _cells_of(path: Path) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads(path.read_text("utf-8"))["cells"]) if path.exists() else []


def _exercise(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("labkit", {}).get("exercise", ""))


def _plain(text: str) -> str:
    """Join an item's lines, without the next item's bullet at the end."""
    return " ".join(re.sub(r"\s*\n\s*[-*]\s*\Z", "", text).split())
