"""Features of a table of numbers: which columns form pairs, how fast each pair turns, and where it starts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product

import numpy as np

ROWS = 64  # speeds are decoded from this many rows; later rows add only rounding errors


@dataclass(frozen=True)
class Turning:
    """Pairs that turn uniformly: z[p] = radius * start * exp(i * speed * p), with a column for each pair."""

    z: np.ndarray  # (rows, pairs), of length 1
    radius: float
    start: np.ndarray
    speed: np.ndarray  # radians per row, known only up to full turns
    error: np.ndarray  # upper bound on the error of `speed`


def turning(sines: np.ndarray, cosines: np.ndarray) -> Turning | None:
    """Read pairs (sine, cosine) as turning clock hands. Returns None if their lengths differ or they do not turn uniformly."""
    square = sines**2 + cosines**2
    mean = square.mean()
    if len(sines) < 3 or not mean > 1e-12 or np.abs(square - mean).max() > 1e-3 * mean:
        return None
    radius = float(np.sqrt(mean))
    z = (cosines + 1j * sines) / radius
    few = z[:ROWS]
    ratio = few[1:] * few[:-1].conj()
    middle = ratio.mean(axis=0)
    if np.abs(ratio - middle).max() > 0.2:
        return None
    speed, row = np.angle(middle), 2
    while row < len(few):
        speed = speed + np.angle(few[row] * few[0].conj() * np.exp(-1j * row * speed)) / row
        row *= 2
    # Slow pairs are read from row 1: a small sine keeps its relative precision in float32.
    slow = (sines[0] == 0) & (cosines[0] > 0) & (np.abs(speed) < 0.01)
    speed = np.where(slow, np.arctan2(sines[1], cosines[1]), speed)
    return Turning(z, radius, few[0], speed, np.where(slow, 2e-6 * np.abs(speed) + 1e-14, 2e-6))


def pairs_of(layout: str, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the second member of every pair in a layout, each of shape (T, d/2)."""
    half = table.shape[1] // 2
    return (table[:, :half], table[:, half:]) if layout == "halves" else (table[:, 0::2], table[:, 1::2])


def restacked(table: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Move each value of the table to the cell whose flat index is in `cells`."""
    values = np.empty(table.size)
    values[cells] = table.ravel()
    return values.reshape(table.shape)


@lru_cache(maxsize=32)
def stackings(T: int, d: int) -> list[np.ndarray]:
    """Wrong ways to stack or reshape the right values. Each array gives the flat index where each cell's value belongs."""
    cell = np.arange(T * d).reshape(T, d // 2, 2)
    plain = cell.reshape(T, d)
    halves = np.hstack([plain[:, 0::2], plain[:, 1::2]])
    ways = {}
    for axes, order in product(permutations(range(3)), "CF"):
        moved = cell.transpose(axes)
        for way in (moved.reshape(T, d, order=order), moved.reshape(d, T, order=order).T):
            ways[way.tobytes()] = way.ravel()
    for layout in (plain, halves, plain.reshape(T, -1, 2)[:, :, ::-1]):
        ways.pop(layout.tobytes(), None)
    return list(ways.values())


def never_written(columns: np.ndarray) -> np.ndarray:
    """Whether each column looks unwritten: constant, or with numbers that cannot be sines."""
    size = np.abs(columns)
    with np.errstate(invalid="ignore"):
        same = (columns == columns[:1]).all(axis=0)
        leftover = ((size > 1.001) | ((size > 0) & (size < 1e-30)) | ~np.isfinite(columns)).any(axis=0)
    return same | leftover


def coarse(table: np.ndarray) -> str | None:
    """How a table was rounded: "float16", or a number of decimals such as "3". Returns None if it was not rounded."""
    for decimals in (1, 2, 3, 4, 5):
        if np.abs(table - np.round(table, decimals)).max() <= 1e-7:
            return str(decimals)
    return "float16" if (table == table.astype(np.float16)).all() else None


def coarse_angles(angles: np.ndarray) -> set[str]:
    """The roundings that fit all angles: numbers of decimals such as "3", and "float16"."""
    angles = angles[:ROWS]
    kept = {str(n) for n in (1, 2, 3, 4) if np.abs(angles - np.round(angles, n)).max() <= 1e-5}
    large = angles[:, 1:][angles[:, 1:] > 0.03]  # not the first pair: its angles are whole numbers, exact in float16
    if large.size > 3 and np.abs(large - large.astype(np.float16)).max() <= 2e-6:
        kept.add("float16")
    return kept
