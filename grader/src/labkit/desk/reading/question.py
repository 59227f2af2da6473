"""Extract the question of an exercise from the lab's notebook."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

from labkit.student.model.project import Project

HINTS = re.compile(r"<details>.*?</details>", re.DOTALL | re.IGNORECASE)


def question_of(project: Project, lab: str, exercise: str) -> str:
    """Return the Markdown from the last heading before the answer cell up to that cell, without hints; "" without a notebook."""
    cells = cells_of(project.labs / f"{lab}.ipynb")
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


def cells_of(path: Path) -> list[dict[str, Any]]:
    """Read a notebook's cells; empty if the file does not exist."""
    return cast("list[dict[str, Any]]", json.loads(path.read_text("utf-8"))["cells"]) if path.exists() else []


def _exercise(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("labkit", {}).get("exercise", ""))
