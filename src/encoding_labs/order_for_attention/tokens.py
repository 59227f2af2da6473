"""Words as vectors: stand-ins for what a model learns, the same on every machine."""

from dataclasses import dataclass
from hashlib import shake_256

import numpy as np

from labkit.model.course import SymbolicArgument


def embed(text: str, d: int) -> np.ndarray:
    """One row for each word of a text, the same row for the same word, and nothing of where it stands.

    Every row has length 1, and its direction is drawn by the word's letters.
    Shapes: -> (number of words, d), float32.
    """
    drawn = [np.frombuffer(shake_256(word.encode()).digest(2 * d), dtype="<u2") for word in text.split()]
    rows = np.array(drawn, dtype=np.float64).reshape(-1, d) - 32767.5
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@dataclass(frozen=True)
class Words(SymbolicArgument):
    """Stands for times * embed(text, d)."""

    text: str
    d: int
    times: float = 1

    def build(self):
        return np.float32(self.times) * embed(self.text, self.d)

    def __str__(self) -> str:
        call = f"embed({self.text!r}, {self.d})"
        return call if self.times == 1 else f"{self.times:g} * {call}"


@dataclass(frozen=True)
class Positions(SymbolicArgument):
    """Stands for an array of these whole numbers."""

    numbers: tuple[int, ...]

    def build(self):
        return np.array(self.numbers)

    def __str__(self) -> str:
        return f"np.array({list(self.numbers)})"
