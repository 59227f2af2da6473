"""Single rows of the encoding: any row rounded as on a printout, or row 1 at any base."""

from dataclasses import dataclass

import numpy as np

from encoding_labs.tables import Table
from labkit.model.course import SymbolicArgument
from labkit.student.judging.finding import Finding


def printed(p: float, d: int) -> np.ndarray:
    """The row of position p in d dimensions, rounded to two decimals: float32, shape (d,). p need not be whole.

    The angles are computed in float64, so that the two decimals are the same on every machine.
    """
    angle = p * 10000.0 ** (-np.arange(0, d, 2) / d)
    row = np.stack([np.sin(angle), np.cos(angle)], axis=-1).ravel()
    return np.round(row, 2).astype(np.float32) + np.float32(0)  # adding 0 turns -0.0 into 0.0


@dataclass(frozen=True)
class Printed(SymbolicArgument):
    """A symbolic argument for `printed(p, d)`."""

    p: float
    d: int

    def build(self):
        return printed(self.p, self.d)

    def __str__(self) -> str:
        return f"rows.printed({self.p}, {self.d})"


@dataclass(frozen=True)
class RowOne(SymbolicArgument):
    """A symbolic argument for row 1 of the float32 table with d dimensions and this base."""

    base: float
    d: int

    def build(self):
        return Table(2, self.d, self.base).build()[1]

    def described(self) -> Finding:
        return Finding("row-one", {"d": self.d, "base": self.base})
