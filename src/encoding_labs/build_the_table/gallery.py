"""The bug gallery of lab 01: tables that real mistakes make, stored as data."""

from __future__ import annotations

import numpy as np

from encoding_labs import COURSE
from labkit.model.course import SymbolicArgument
from labkit.notebook.expected import expected_of


def gallery() -> dict[str, np.ndarray]:
    """Four tables of shape (24, 16) by letter, each made by one mistake of the catalogue."""
    stored = expected_of(COURSE, "01_build_the_table")["gallery"]
    return {letter: stored[letter].astype(np.float32) for letter in sorted(stored)}


class Gallery(SymbolicArgument):
    """Stands for the gallery among the arguments of a call."""

    def build(self) -> dict[str, np.ndarray]:
        return gallery()

    def __repr__(self) -> str:
        return "gallery()"
