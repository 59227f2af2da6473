"""A lab's setup cell: what every other cell of it relies on."""

from __future__ import annotations

import ast
import json
from functools import cache

from labkit import project
from labkit.course import Lab

SETUP = "setup"  # its id


@cache
def setup_imports(lab: Lab) -> tuple[str, ...]:
    """The modules that it imports, so that a warm kernel has them already."""
    handed_out = json.loads((project.LABS / f"{lab.name}.ipynb").read_text("utf-8"))
    source = next("".join(cell["source"]) for cell in handed_out["cells"] if cell["id"] == SETUP)
    names: set[str] = set()
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            names.add(statement.module)
    return tuple(sorted(names))
