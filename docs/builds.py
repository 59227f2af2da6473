"""Ways to build the float32 table of T positions in d dimensions, and their errors. Measured by precision_and_cost.py."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from minimodel.positional.sinusoidal import sinusoidal_pe

ROWS = 4_096  # rows compared at a time; the largest table would take half a GiB in float64


def fill(T: int, d: int) -> np.ndarray:
    """Allocate an array and fill it with ones. This makes no table; its time is a lower bound for building one."""
    return np.full((T, d), 1, dtype=np.float32)


def doubling(T: int, d: int) -> np.ndarray:
    """Lab 07's doubling, in one array: each step rotates the existing rows and writes the result below them."""
    omega = 10000.0 ** (-2 * np.arange(d // 2) / d)
    z = np.empty((T, d // 2), dtype=np.complex64)
    z[:1] = 1j  # at position 0 the sine is 0 and the cosine is 1
    n = 1
    while n < T:
        turn = np.exp(-1j * n * omega).astype(np.complex64)
        more = min(n, T - n)
        np.multiply(z[:more], turn, out=z[n : n + more])
        n *= 2
    return z.view(np.float32)


def float64_angles(T: int, d: int) -> np.ndarray:
    """The formula with angles in float64, cast to float32 at the end."""
    angle = np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    table = np.empty((T, d), dtype=np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


def float32_exponentials(T: int, d: int) -> np.ndarray:
    """As in tutorials for float32 frameworks: frequencies from exp and log, and every step in float32."""
    frequency = np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(10000.0) / d))
    angle = np.arange(T, dtype=np.float32)[:, None] * frequency
    table = np.zeros((T, d), dtype=np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


def angle_for_every_column(T: int, d: int) -> np.ndarray:
    """As in tutorials for NumPy: a float64 angle for every column, sine and cosine in place, then a cast to float32."""
    column = np.arange(d)[None, :]
    angle = np.arange(T)[:, None] / np.power(10000, 2 * (column // 2) / np.float32(d))
    angle[:, 0::2] = np.sin(angle[:, 0::2])
    angle[:, 1::2] = np.cos(angle[:, 1::2])
    return angle.astype(np.float32)


def loops(T: int, d: int) -> np.ndarray:
    """Compute the table entry by entry."""
    table = np.zeros((T, d), dtype=np.float32)
    for p in range(T):
        for k in range(d // 2):
            angle = p / 10000 ** (2 * k / d)
            table[p, 2 * k], table[p, 2 * k + 1] = math.sin(angle), math.cos(angle)
    return table


FILL, DOUBLING, LOCKED = "fill the memory", "doubling", "locked formula"


def ways(entries: int) -> dict[str, Callable]:
    """All ways, by name. The loops are included only for tables so small that they take less than a second."""
    few = {"loops over entries": loops} if entries <= 300_000 else {}
    return {
        FILL: fill,
        DOUBLING: doubling,
        LOCKED: sinusoidal_pe,
        "float32, exp and log": float32_exponentials,
        "float64 angles": float64_angles,
        "float64, an angle for every column": angle_for_every_column,
        **few,
    }


def error(build: Callable, T: int, d: int) -> float:
    """The largest absolute difference from the same table computed in float64."""
    table, worst = build(T, d), 0.0
    for start in range(0, T, ROWS):
        angle = np.arange(start, min(start + ROWS, T))[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
        rows = table[start : start + ROWS]
        worst = max(worst, np.abs(rows[:, 0::2] - np.sin(angle)).max(), np.abs(rows[:, 1::2] - np.cos(angle)).max())
    return float(worst)
