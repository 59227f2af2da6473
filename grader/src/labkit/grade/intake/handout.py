"""The released notebook as plain data: its cells and exercises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from labkit.student.model.project import Project

SETUP = "setup"  # the id of the setup cell, which all others need


@dataclass(frozen=True)
class Handout:
    """A released lab. Reading it does not import the course's code."""

    sources: Mapping[str, str]  # by cell id, in English
    exercises: Mapping[str, str]  # the kind of each answer cell: code or markdown
    editions: tuple[Mapping[str, str], ...] = ()  # the sources in every other language

    def copies(self, cell: str) -> list[str]:
        """The released sources of this cell, in every language; empty if the lab has no such cell."""
        return [sources[cell] for sources in (self.sources, *self.editions) if cell in sources]

    @cached_property
    def by_source(self) -> dict[str, str]:
        """Cell ids by source, in every language."""
        return {source.strip(): cell for sources in (*self.editions, self.sources) for cell, source in sources.items()}


@cache
def handout(project: Project, lab: str) -> Handout:
    """Read the released notebook of this lab. Errors: FileNotFoundError, with the command that builds it."""
    path = project.labs / f"{lab}.ipynb"
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing from {path.parent.name}/: run `make build`")
    editions = (path, *(each for each in project.editions_of(lab).values() if each != path))
    cells, *others = [json.loads(each.read_text("utf-8"))["cells"] for each in editions]
    asked = {cell["metadata"].get("labkit", {}).get("exercise"): cell["cell_type"] for cell in cells}
    sources, *other_sources = [{cell["id"]: "".join(cell["source"]) for cell in each} for each in (cells, *others)]
    return Handout(sources, {name: kind for name, kind in asked.items() if name}, tuple(other_sources))
