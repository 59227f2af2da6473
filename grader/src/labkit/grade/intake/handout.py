"""The released notebook as plain data: its cells and exercises. Pictures in a cell are named by their content."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from urllib.parse import unquote

from labkit.student.model.budgets import MIB
from labkit.student.model.project import Project

SETUP = "setup"  # the id of the setup cell, which all others need
PICTURE = re.compile(r"image/(png|jpeg|gif|webp)")
ATTACHED = re.compile(r"(?<=\(attachment:)[^\s()]{1,200}")
LARGEST = 8 * MIB  # characters of a picture in base64


def with_pictures(cell: Mapping[str, Any], source: str) -> tuple[str, dict[str, str]]:
    """Name each picture attached to a cell by its content. Returns the source with these names, and the pictures as data URLs.

    Jupyter calls every pasted picture image.png, so that two different answers would be the same text.
    """
    attachments: Any = cell.get("attachments")
    pictures: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        forms = attachments.get(unquote(found[0]), attachments.get(found[0]))
        kind = next((kind for kind in forms if PICTURE.fullmatch(kind)), "") if isinstance(forms, dict) else ""
        data = forms[kind] if kind else None
        if not isinstance(data, str) or len(data) > LARGEST or not re.fullmatch(r"[A-Za-z0-9+/=\s]+", data):
            return found[0]
        name = f"{hashlib.sha256(data.encode()).hexdigest()[:12]}-{found[0]}"
        pictures[name] = f"data:{kind};base64,{''.join(data.split())}"
        return name

    return ATTACHED.sub(named, source) if isinstance(attachments, dict) else source, pictures


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
    sources, *other_sources = [
        {cell["id"]: with_pictures(cell, "".join(cell["source"]))[0] for cell in each} for each in (cells, *others)
    ]
    return Handout(sources, {name: kind for name, kind in asked.items() if name}, tuple(other_sources))
