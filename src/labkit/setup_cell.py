"""A lab's setup cell: what every other cell of it relies on."""

from __future__ import annotations

import ast
import json
from functools import cache

from labkit import project

SETUP = "setup"  # its id


@cache
def setup_imports(lab: str) -> tuple[str, ...]:
    """The modules that it imports in the lab of this name, so that a warm kernel has them already."""
    handed_out = json.loads((project.LABS / f"{lab}.ipynb").read_text("utf-8"))
    source = next("".join(cell["source"]) for cell in handed_out["cells"] if cell["id"] == SETUP)
    names: set[str] = set()
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            names.add(statement.module)
    return tuple(sorted(names))


def has_locked_module(lab: str) -> bool:
    """Whether minimodel is in reach while the lab of this name is graded: it is where the setup imports it."""
    return any(name.partition(".")[0] == "minimodel" for name in setup_imports(lab))
