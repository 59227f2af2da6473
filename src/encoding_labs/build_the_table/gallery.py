"""Tables that lab 01 hands out as data: what real bugs make, and a shuffled one."""

from __future__ import annotations

import numpy as np

from encoding_labs import COURSE
from labkit.model.course import SymbolicArgument
from labkit.notebook.expected import expected_of

LAB = "01_build_the_table"


def gallery() -> dict[str, np.ndarray]:
    """Four tables of shape (24, 16) by letter, each made by one bug."""
    stored = expected_of(COURSE, LAB)["gallery"]
    return {letter: stored[letter].astype(np.float32) for letter in sorted(stored)}


def shuffled() -> np.ndarray:
    """A table of shape (40, 8) for another base, with its columns in disorder."""
    return expected_of(COURSE, LAB)["shuffled"]["40, 8"].astype(np.float32)


class Gallery(SymbolicArgument):
    """Stands for the gallery among the arguments of a call."""

    def build(self) -> dict[str, np.ndarray]:
        return gallery()

    def __repr__(self) -> str:
        return "gallery()"


class Shuffled(SymbolicArgument):
    """Stands for the shuffled table among the arguments of a call."""

    def build(self) -> np.ndarray:
        return shuffled()

    def __repr__(self) -> str:
        return "shuffled()"
