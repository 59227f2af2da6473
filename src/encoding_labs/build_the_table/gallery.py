"""Tables used as arguments in lab 01: four with real bugs, stored as data, and shuffled ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from encoding_labs import COURSE
from encoding_labs.tables import Table
from labkit.model.course import SymbolicArgument
from labkit.student.judging.finding import Finding
from labkit.student.notebook.expected import expected_of


def gallery() -> dict[str, np.ndarray]:
    """Four wrong tables of shape (24, 16), by letter. Each has one bug."""
    stored = expected_of(COURSE, "01_build_the_table")["gallery"]
    return {letter: stored[letter].astype(np.float32) for letter in sorted(stored)}


class Gallery(SymbolicArgument):
    """Stands for the tables of `gallery()` among a probe's arguments."""

    def build(self) -> dict[str, np.ndarray]:
        return gallery()

    def __repr__(self) -> str:
        return "gallery()"


@dataclass(frozen=True)
class Shuffled(Table):
    """Stands for a table with reordered columns among a probe's arguments. The table is built only during grading."""

    columns: tuple[int, ...] = ()

    def build(self) -> np.ndarray:
        return super().build()[:, self.columns]

    def described(self) -> Finding:
        return Finding("shuffled")
