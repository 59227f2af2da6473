"""Arguments of test calls in lab 08: positions, and learned heads in place of a trained model's."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from labkit.model.course import SymbolicArgument
from labkit.student.judging.finding import Finding

FARTHEST = 12  # largest offset, back or ahead, of a learned head


@dataclass(frozen=True)
class Positions(SymbolicArgument):
    """A symbolic argument for an array that contains `numbers`."""

    numbers: tuple[int, ...]

    def build(self):
        return np.array(self.numbers)

    def __str__(self) -> str:
        return f"np.array({list(self.numbers)})"


def learned_head(offset: int, d: int, seed: int) -> np.ndarray:
    """The matrix M of a head that looks back by an offset. Pairs differ in strength, and every entry has a little noise.

    Apart from strengths and noise, M is proportional to the sum, over a long table, of the outer products of each row with the row
    `offset` positions before it. Shapes: -> (d, d).
    """
    return _learned_head(offset, d, seed).copy()


@lru_cache(maxsize=64)  # a class needs the same heads repeatedly, and a long table takes 30 ms
def _learned_head(offset: int, d: int, seed: int) -> np.ndarray:
    from minimodel.positional.sinusoidal import sinusoidal_pe

    draw = np.random.default_rng(seed)
    rows = sinusoidal_pe(40_000, d).astype(np.float64)
    asks = np.arange(FARTHEST, len(rows) - FARTHEST)
    strength = draw.uniform(2, 4, d // 2) * 0.8 ** np.arange(d // 2)
    m = 2 * rows[asks].T @ rows[asks - offset] / len(asks)
    return strength.repeat(2)[:, None] * m + draw.normal(0, 0.02, (d, d))


@dataclass(frozen=True)
class LearnedHead(SymbolicArgument):
    """A symbolic argument for the matrix M of a learned head. The seed determines its offset too."""

    seed: int
    d: int

    def build(self):
        offset = np.random.default_rng(self.seed).integers(-FARTHEST, FARTHEST + 1)
        return learned_head(int(offset), self.d, self.seed)

    def described(self) -> Finding:
        return Finding("head", {"number": self.seed})
