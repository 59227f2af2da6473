"""Symbolic arguments of lab 03's exercises, other than the course's table."""

from dataclasses import dataclass

import numpy as np

from encoding_labs.rotation_proof import gallery
from labkit.model.course import SymbolicArgument
from labkit.student.judging.finding import Finding


@dataclass(frozen=True)
class Symbol(SymbolicArgument):
    """A symbolic argument for the SymPy symbol of this name. Only the name is sent; the kernel creates the symbol."""

    name: str

    def build(self):
        return self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Pattern(SymbolicArgument):
    """A symbolic argument for a table of shape (T, d) with values from -1 to 1 that are not a positional encoding."""

    T: int
    d: int

    def build(self):
        return np.float32(np.arange(self.T * self.d) ** 2 % 17 / 8 - 1).reshape(self.T, self.d)

    def __str__(self) -> str:
        return f"np.float32(np.arange({self.T * self.d}) ** 2 % 17 / 8 - 1).reshape({self.T}, {self.d})"


@dataclass(frozen=True)
class Row(SymbolicArgument):
    """A symbolic argument for row p of a table whose pairs turn at these frequencies, float64."""

    p: int
    omega: tuple[float, ...]

    def build(self):
        angle = self.p * np.array(self.omega)
        return np.stack([np.sin(angle), np.cos(angle)], axis=-1).ravel()

    def described(self) -> Finding:
        return Finding("row", {"p": self.p})


@dataclass(frozen=True)
class Gallery(SymbolicArgument):
    """A symbolic argument for `gallery.tables(T, d)`, limited to the tables with these letters."""

    T: int = 40
    d: int = 8
    letters: str = "".join(gallery.MISTAKES)

    def build(self):
        made = gallery.tables(self.T, self.d) | gallery.one_sided(self.T, self.d)
        return {letter: made[letter] for letter in self.letters}

    def __str__(self) -> str:
        return "tables"
