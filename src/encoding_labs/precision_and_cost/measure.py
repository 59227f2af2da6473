"""Seconds of builds at a grid of sizes, measured here and now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

import numpy as np

SIZES = tuple((T, d) for d in (32, 128) for T in (256, 1_024, 4_096, 16_384))
ROUNDS = 7


def fill(T: int, d: int) -> np.ndarray:
    """No table, but what any build has to do at least: get the memory and write to all of it."""
    return np.full((T, d), 1, dtype=np.float32)


def by_doubling(double: Callable) -> Callable:
    """A build of the table: row 0, doubled until there are enough rows."""

    def build(T: int, d: int) -> np.ndarray:
        omega = 10_000.0 ** (-2 * np.arange(d // 2) / d)
        rows = np.tile(np.array([0, 1], dtype=np.float32), (1, d // 2))
        for _ in range((T - 1).bit_length()):  # a wrong `double` must not run forever
            rows = double(rows, omega)
        return rows[:T]

    return build


def timings(builds: Mapping[str, Callable]) -> dict[str, np.ndarray]:
    """For each build rows of T, d and seconds, shape (56, 3), in the order in which they were measured.

    Each round calls every build once at every size, one build after the other, so that what else the machine does falls on
    all alike. The first round is cold.
    """
    rows = {name: [] for name in builds}
    for _ in range(ROUNDS):
        for T, d in SIZES:
            for name, build in builds.items():
                start = perf_counter()
                build(T, d)
                rows[name].append((T, d, perf_counter() - start))
    return {name: np.array(each) for name, each in rows.items()}


def warm(rows: np.ndarray) -> np.ndarray:
    """Seconds at each of SIZES: the fastest round, which no other process was in the way of, as far as can be."""
    return rows[:, 2].reshape(ROUNDS, -1).min(axis=0)
