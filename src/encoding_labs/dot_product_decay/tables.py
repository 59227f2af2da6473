"""Tables to compare with the locked one. In some, dot products depend only on the offset."""

from dataclasses import dataclass

import numpy as np

from encoding_labs.tables import Table
from labkit.model.course import SymbolicArgument


def in_float64(T: int, d: int) -> np.ndarray:
    """The table of T positions in d dimensions, of shape (T, d), without rounding to float32."""
    angles = np.outer(np.arange(T), np.geomspace(1, 1e-4, d // 2 + 1)[:-1])
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d)


def spoiled(T: int, d: int, row: int) -> np.ndarray:
    """The locked table of shape (T, d) with one row overwritten by the row before it."""
    table = Table(T, d).build()
    table[row] = table[row - 1]
    return table


def scrambled(T: int, d: int) -> np.ndarray:
    """A table of shape (T, d) with values from -1 to 1 that are unrelated to position."""
    return (np.arange(T * d) ** 2 % 31 / 15 - 1).astype(np.float32).reshape(T, d)


@dataclass(frozen=True)
class Spoiled(SymbolicArgument):
    """A symbolic argument for `spoiled(T, d, row)`."""

    T: int
    d: int
    row: int

    def build(self):
        return spoiled(self.T, self.d, self.row)

    def __str__(self) -> str:
        return f"tables.spoiled({self.T}, {self.d}, {self.row})"


@dataclass(frozen=True)
class Scrambled(SymbolicArgument):
    """A symbolic argument for `scrambled(T, d)`."""

    T: int
    d: int

    def build(self):
        return scrambled(self.T, self.d)

    def __str__(self) -> str:
        return f"tables.scrambled({self.T}, {self.d})"
