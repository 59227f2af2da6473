"""Lab 03's gallery of wrong tables, each made from the locked module's with one mistake."""

from __future__ import annotations

import numpy as np

MISTAKES = {
    "A": "the first token has position 1",
    "B": "all sines first, then all cosines",
    "C": "every entry is multiplied by the square root of d",
    "D": "every odd column holds 0",
    "E": "1000 in place of 10000",
    "F": "the last two columns hold 0",
    "G": "cosine in the even columns, sine in the odd ones",
    "H": "sine in both columns of every pair",
    "I": "row 0 holds only zeros",
    "J": "every position from 20 on gets the row of position 20",
}


def tables(T: int = 40, d: int = 8) -> dict[str, np.ndarray]:
    """The table of T positions in d dimensions with each of these mistakes, by letter; shape (T, d), float32."""
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
