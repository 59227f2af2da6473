"""Lab 07, precision and cost: the truth."""

import numpy as np

# How much of the position the float32 formula is off by, at d of 32 and more: from 2e-9 of it, at a lucky position, to 2e-7,
# measured for five ways to write the frequencies in float32, p up to 10**7. The bounds leave four times as much, and three.
LEAST, MOST = 5e-10, 6e-7
SLOW = 3e-9  # at d = 4, where the slow pair is the only one to err: 2.7e-9 with its frequency two float32 numbers off
CAST = 1e-6  # what rounding the entries themselves adds
ENTRY = 2e-8  # at d = 2 the angles are exact up to 2**24; sine and cosine of 1 are off by more than this in any float32


def table(positions, d):
    """The rows of these positions, shape (n, d), in float64."""
    angle = np.multiply.outer(np.asarray(positions, dtype=np.float64), 10000.0 ** (-2.0 * np.arange(d // 2) / d))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(angle), d)


def error_of_the_position(positions):
    """At d = 2, where the frequency is 1: how far the row of the float32 position is from the row of the position."""
    positions = np.asarray(positions)
    return np.abs(table(positions.astype(np.float32), 2) - table(positions, 2)).max(axis=1)


def float32_error(positions, d):
    """The least and the largest error that float32 can have, shape (2, n)."""
    position = np.asarray(positions, dtype=np.float64)
    if d == 2:
        return error_of_the_position(positions) + np.array([[-CAST], [CAST]])
    least = np.minimum(LEAST * position, 1e-3) if d >= 32 else 0 * position
    most = SLOW if d == 4 and position.max(initial=0) < 2**24 else MOST
    return np.stack([np.where(position >= 1_000, least, 0), np.minimum(most * position + CAST, 2 + CAST)])


def first_bad_position(d, tolerance):
    """The first and the last position that can be right.

    With 32 columns or more the last one is where the rounding of a product alone is enough, on any machine. At d = 2 and a
    tolerance below what rounding an entry costs it is position 1: row 0 is exact, and row 1 is not.
    """
    if d == 2 and tolerance < ENTRY:
        return [1, 1]
    return [int(tolerance / MOST), int(tolerance / 8e-9)]


def by_doubling(T, d):
    """The table in float64."""
    return table(np.arange(T), d)


def cost(rows):
    """The exponents in T and in d, from the median of each size's warm rounds."""
    sizes = np.unique(rows[:, :2], axis=0)
    medians = [np.median(rows[(rows[:, :2] == size).all(axis=1), 2]) for size in sizes]
    design = np.column_stack([np.ones(len(sizes)), np.log(sizes)])
    return np.linalg.lstsq(design, np.log(medians))[0][1:]
