"""Lab 03's gallery of wrong tables, each derived from the locked module's table by one mistake."""

from __future__ import annotations

import numpy as np

from labkit.student.notebook.language import deferred
from labkit.student.notebook.language import translated as _

ONE = np.float32(1)
_MISTAKES = {
    "A": deferred("the first token has position 1"),
    "B": deferred("all sines first, then all cosines"),
    "C": deferred("every entry is multiplied by the square root of d"),
    "D": deferred("every odd column is 0"),
    "E": deferred("base 1000 instead of 10000"),
    "F": deferred("the last two columns are 0"),
    "G": deferred("cosine in the even columns, sine in the odd ones"),
    "H": deferred("sine in both columns of every pair"),
    "I": deferred("row 0 is all zeros"),
    "J": deferred("every position from 20 on gets the row of position 20"),
}


def __getattr__(name: str) -> dict[str, str]:
    """Provide MISTAKES, a dict from each table's letter to its mistake, in the notebook's language."""
    if name != "MISTAKES":
        raise AttributeError(name)
    return {letter: _(mistake) for letter, mistake in _MISTAKES.items()}


def one_sided(T: int, d: int) -> dict[str, np.ndarray]:
    """Two tables whose last row is filled with 1 or -1, so that all errors of a shift by 3 have the same sign."""
    from minimodel.positional.sinusoidal import sinusoidal_pe

    last = np.arange(T)[:, None] == T - 1
    return {letter: np.where(last, value, sinusoidal_pe(T, d)) for letter, value in (("K", ONE), ("L", -ONE))}


def tables(T: int = 40, d: int = 8) -> dict[str, np.ndarray]:
    """Make a dict from letters to tables, each of shape (T, d) in float32 and with one mistake."""
    from minimodel.positional.sinusoidal import sinusoidal_pe

    right, pairs, rows = sinusoidal_pe(T, d), np.arange(d).reshape(-1, 2), np.arange(T)[:, None]
    return {
        "A": sinusoidal_pe(T + 1, d)[1:],
        "B": right[:, pairs.T.ravel()],
        "C": right * np.float32(np.sqrt(d)),
        "D": right * (np.arange(d) % 2 == 0),
        "E": sinusoidal_pe(T, d, base=1000.0),
        "F": right * (np.arange(d) < d - 2),
        "G": right[:, pairs[:, ::-1].ravel()],
        "H": right[:, np.repeat(pairs[:, 0], 2)],
        "I": right * (rows > 0),
        "J": right[np.minimum(np.arange(T), 20)],
    }
