"""Time builds of the table at several sizes, on this machine."""

from collections.abc import Callable, Mapping
from time import perf_counter

import numpy as np

SIZES = tuple((entries // d, d) for d in (32, 128) for entries in (2**13, 2**15, 2**17, 2**19))
ROUNDS = 7
BLOCK = 1024  # rows that fit into a processor's cache


def fill(T: int, d: int) -> np.ndarray:
    """The least that any build must do: allocate the memory and write all of it."""
    return np.full((T, d), 1, dtype=np.float32)


def by_doubling(double: Callable) -> Callable:
    """Make a build that starts with row 0 and doubles until there are enough rows."""

    def build(T: int, d: int) -> np.ndarray:
        omega = 10_000.0 ** (-2 * np.arange(d // 2) / d)
        rows = np.tile(np.array([0, 1], dtype=np.float32), (1, d // 2))
        for _ in range((T - 1).bit_length()):  # limited, so that a wrong `double` cannot run forever
            rows = double(rows, omega)
        return rows[:T]

    return build


def in_blocks(double: Callable) -> Callable:
    """Make a build that writes each row once into one table: beyond BLOCK rows, only the latest BLOCK are doubled."""

    def build(T: int, d: int) -> np.ndarray:
        omega = 10_000.0 ** (-2 * np.arange(d // 2) / d)
        table = np.empty((T, d), dtype=np.float32)
        table[0] = np.tile([0, 1], d // 2)
        done = 1
        while done < T:
            latest = table[max(0, done - BLOCK) : done]
            new = table[done : done + len(latest)]
            new[:] = double(latest, omega)[len(latest) :][: len(new)]
            done += len(new)
        return table

    return build


def timings(builds: Mapping[str, Callable]) -> dict[str, np.ndarray]:
    """Measure how many seconds each build takes at each of SIZES. The fastest warm round counts.

    Each round runs all builds at all sizes in turn, so that other programs slow down all builds alike. The first round is only a warm-up.
    """
    seconds = {name: np.empty((ROUNDS, len(SIZES))) for name in builds}
    for number in range(ROUNDS):
        for size, (T, d) in enumerate(SIZES):
            for name, build in builds.items():
                start = perf_counter()
                build(T, d)
                seconds[name][number, size] = perf_counter() - start
    return {name: rounds[1:].min(axis=0) for name, rounds in seconds.items()}
