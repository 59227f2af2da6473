"""Word vectors in place of a trained model. They are the same on every machine."""

from dataclasses import dataclass
from hashlib import shake_256

import numpy as np

from labkit.model.course import SymbolicArgument


def embed(text: str, d: int) -> np.ndarray:
    """Make one row for each word of a text. The same word has the same row at every position.

    Each row has length 1 and a pseudo-random direction that depends only on the word's letters.
    Shapes: -> (number of words, d), float32.
    """
    drawn = [np.frombuffer(shake_256(word.encode()).digest(2 * d), dtype="<u2") for word in text.split()]
    rows = np.array(drawn, dtype=np.float64).reshape(-1, d) - 32767.5
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@dataclass(frozen=True)
class Words(SymbolicArgument):
    """A symbolic argument for times * embed(text, d)."""

    text: str
    d: int
    times: float = 1

    def build(self):
        return np.float32(self.times) * embed(self.text, self.d)

    def __str__(self) -> str:
        call = f"embed({self.text!r}, {self.d})"
        return call if self.times == 1 else f"{self.times:g} * {call}"
