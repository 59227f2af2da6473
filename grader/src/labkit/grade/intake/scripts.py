"""Read a notebook in percent format: a Python script in which a comment, such as `# %% [markdown]`, begins each cell.

Jupytext and `labkit release` write such scripts; both keep what they know of a cell behind its comment, as in `name="spread"`.
The text is only split, because jupytext takes a second to import and parses whatever YAML a script begins with.
"""

from __future__ import annotations

import re
from typing import Any

from labkit.student.model.text import clean

MARK = re.compile(r"^#[ \t]*%%+(?:[ \t]+(.*))?$", re.MULTILINE)
KIND = re.compile(r'[^"={]*\[(markdown|md|raw)\]')
NAME, EXERCISE = re.compile(r'\bname="([^"]*)"'), re.compile(r'\bexercise"?[=:] ?"([^"]*)"')
QUOTED = re.compile(r'[rR]?("""|\'\'\')(.*)\1', re.DOTALL)  # how some editors write text, in place of comments


def notebook_of(script: str, most: int) -> dict[str, Any]:
    """The cells of a script, as in a notebook file. If there are more than `most`, the last has the rest."""
    head, *parts = MARK.split(clean(script).replace("\r\n", "\n").replace("\r", "\n"), most)
    cells = [_cell(mark or "", body) for mark, body in zip(parts[::2], parts[1::2])]
    if any(line and not line.startswith("#") for line in head.split("\n")):
        cells.insert(0, _cell("", head))
    return {"nbformat": 4, "cells": cells}


def _cell(mark: str, body: str) -> dict[str, Any]:
    kind, name, exercise = (
        found and found[1] for found in (KIND.match(mark), NAME.search(mark), EXERCISE.search(mark))
    )
    source = _uncommented(body.strip("\n")) if kind else body.strip("\n")
    told = {"id": name or "", "metadata": {"labkit": {"exercise": exercise}}}
    return {"cell_type": "raw" if kind == "raw" else "markdown" if kind else "code", "source": source, **told}


def _uncommented(text: str) -> str:
    if quoted := QUOTED.fullmatch(text.strip()):
        return quoted[2].strip("\n")
    return "\n".join(line[1 + line.startswith("# ") :] if line.startswith("#") else line for line in text.split("\n"))
