"""Find the exact table behind rounded numbers. The decoder reads speeds from slow pairs, so it needs all digits."""

from __future__ import annotations

from itertools import product

import numpy as np

from encoding_labs.decoder.readings import RAW_COLUMNS, right_size
from encoding_labs.decoder.spectra import known

# The functions of the two columns of a pair: right, in the other order, and the mistakes that have both from one.
FUNCTIONS = (
    (np.sin, np.cos),
    (np.cos, np.sin),
    (np.sin, np.sin),
    (np.cos, np.cos),
    (np.sin, lambda angle: np.cos(np.sin(angle))),
)


def unrounded(table: np.ndarray, right: np.ndarray, unit: float) -> np.ndarray | None:
    """The simplest wrong table that agrees with this one up to rounding to multiples of `unit`, or None."""
    T, d = table.shape
    size = right_size(right)
    laws, omega = known(size)
    raw = [np.exp(-size.step * factor * np.arange(d)) for factor in RAW_COLUMNS.values()]
    speeds = [(len(law.mistakes), np.repeat(each, 2)) for law, each in zip(laws, omega)] + [(1, each) for each in raw]
    numbered = np.arange(T)
    rows_of = ((0, numbered), (1, numbered + 1), (1, -numbered), (1, numbered[::-1]))
    found: list[tuple[int, np.ndarray]] = []
    for (wrong_rows, rows), (number, (even, odd)), halves in product(rows_of, enumerate(FUNCTIONS), (False, True)):
        for wrong_speeds, columns in speeds:
            mistakes = wrong_rows + wrong_speeds + (number > 0) + halves
            if mistakes > 2 or any(mistakes >= fewer for fewer, _ in found):
                continue
            few = _table(rows[:2], columns, even, odd, halves)
            if np.abs(few - table[:2]).max() <= 0.51 * unit + 1e-5:
                exact = _table(rows, columns, even, odd, halves)
                if np.abs(exact - table).max() <= 0.51 * unit + 1e-6 * (1 + T):
                    found.append((mistakes, exact))
    return min(found, key=lambda each: each[0])[1] if found else None


def _table(rows: np.ndarray, columns: np.ndarray, even, odd, halves: bool) -> np.ndarray:
    """The table in which column j has the speed columns[j], and each function has its half of the columns."""
    angles = rows[:, None] * columns
    first, second = even(angles[:, 0::2]), odd(angles[:, 1::2])
    return np.hstack([first, second]) if halves else np.stack([first, second], axis=-1).reshape(angles.shape)
