"""The notebook that students get, as plain data: its cells, and what it asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from labkit.model.project import Project

SETUP = "setup"  # the id of the cell that all others rely on


@dataclass(frozen=True)
class Handout:
    """What a lab hands out. Reading it imports nothing of the course, so that files can be looked at before all else."""

    sources: Mapping[str, str]  # of each cell, by its id
    exercises: Mapping[str, str]  # the kind of the cell that answers each: code or markdown


@cache
def handout(project: Project, lab: str) -> Handout:
    """The notebook of the lab of this name. Errors: FileNotFoundError, with what to do."""
    path = project.labs / f"{lab}.ipynb"
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing in {path.parent.name}/: run `make build`")
    cells = json.loads(path.read_text("utf-8"))["cells"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells}
    asked = {cell["metadata"].get("labkit", {}).get("exercise"): cell["cell_type"] for cell in cells}
    return Handout(sources, {name: kind for name, kind in asked.items() if name})
