"""Symbolic arguments for lab 07: positions, rows of turning pairs, and seconds."""

from dataclasses import dataclass

import numpy as np

from labkit.model.course import SymbolicArgument


@dataclass(frozen=True)
class Positions(SymbolicArgument):
    """A symbolic argument for an int64 array with the positions in `each`."""

    each: tuple[int, ...]

    def build(self):
        return np.array(self.each, dtype=np.int64)

    def __str__(self) -> str:
        return f"np.array({list(self.each)})"


@dataclass(frozen=True)
class Seconds(SymbolicArgument):
    """A symbolic argument for a float32 array with the seconds in `each`."""

    each: tuple[float, ...]

    def build(self):
        return np.array(self.each, dtype=np.float32)

    def __str__(self) -> str:
        return f"np.array({list(self.each)}, dtype=np.float32)"


@dataclass(frozen=True)
class Frequencies(SymbolicArgument):
    """A symbolic argument for m frequencies in radians per position: first * base**(-k/m) for pair k."""

    m: int
    first: float
    base: float

    def build(self):
        return self.first * self.base ** (-np.arange(self.m) / self.m)

    def __str__(self) -> str:
        return f"omega[:{self.m}]"


@dataclass(frozen=True)
class Turning(SymbolicArgument):
    """A symbolic argument for a float32 array of shape (n, 2m): n rows of m pairs that turn with the frequencies `omega`.

    The first row is drawn at random: each pair has a length from 0.3 to 0.95 and any angle. So no formula can compute
    the rows from their positions.
    """

    n: int
    omega: Frequencies
    seed: int

    def build(self):
        random, m = np.random.default_rng(self.seed), self.omega.m
        length, start = random.uniform(0.3, 0.95, m), random.uniform(0, 2 * np.pi, m)
        angle = start + np.arange(self.n)[:, None] * self.omega.build()
        pairs = np.stack([length * np.sin(angle), length * np.cos(angle)], axis=-1)
        return pairs.reshape(self.n, 2 * m).astype(np.float32)

    def __str__(self) -> str:
        return f"rows[:{self.n}]"


def turning(n: int, m: int, first: float, base: float, seed: int) -> tuple[Turning, Frequencies]:
    """Make the two arguments of `double`."""
    omega = Frequencies(m, first, base)
    return Turning(n, omega, seed), omega
