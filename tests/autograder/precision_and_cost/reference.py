"""Reference answers for lab 07, precision and cost."""

import numpy as np

from encoding_labs.precision_and_cost.exercises import FIRST_BAD_POSITION

# Upper bound on the largest error, divided by the position. For d of 32 and more the largest error is up to 2e-7, measured for five
# ways to write the frequencies in float32 and p up to 10**7. The bound is three times as large.
MOST = 6e-7
SLOW = 3e-9  # at d = 4 only the slow pair is off: by 2.7e-9 times p if its frequency is two float32 numbers off
PAIRS = 24  # pairs used for the lower bound; later pairs turn more slowly and add little
CAST = 1e-6  # what rounding the entries themselves adds
ENTRY = 2e-8  # at d = 2 angles are exact up to 2**24; sine and cosine of 1 are off by more than this in any float32


def table(positions, d):
    """The rows of these positions, shape (n, d), in float64."""
    angle = np.multiply.outer(np.asarray(positions, dtype=np.float64), 10000.0 ** (-2.0 * np.arange(d // 2) / d))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(angle), d)


def error_of_the_position(positions):
    """The error of the float32 position alone, at d = 2: the distance between its row and the right row."""
    positions = np.asarray(positions)
    return np.abs(table(positions.astype(np.float32), 2) - table(positions, 2)).max(axis=1)


def least_error(positions, d):
    """A lower bound on the largest error in each row, whatever the float32 frequencies are.

    A product of float32 numbers is the same on every machine. So each angle is computed with every float32 frequency near the
    exact one, and by dividing the position by every float32 number near the inverse frequency; the smallest error counts. A
    frequency more than two float32 numbers off cannot give a smaller error than the nearest one.
    """
    positions = np.asarray(positions)
    exact = 10000.0 ** (-2.0 * np.arange(1, min(d // 2, PAIRS)) / d)
    angle = np.multiply.outer(positions, exact)
    near, off = positions.astype(np.float32)[:, None], np.full(angle.shape, np.inf)
    for numbers, combine in ((exact.astype(np.float32), np.multiply), ((1 / exact).astype(np.float32), np.divide)):
        for step in range(-2, 3):
            neighbours = (numbers.view(np.int32) + np.int32(step)).view(np.float32)
            off = np.minimum(off, np.abs(combine(near, neighbours).astype(np.float64) - angle))
    steepest = np.maximum(abs(np.sin(angle)), abs(np.cos(angle)))
    return np.where(off < 0.5, off * (steepest - off / 2), 0).max(axis=1, initial=0)


def float32_error(positions, d):
    """The smallest and the largest error possible in float32, shape (2, n)."""
    position = np.asarray(positions, dtype=np.float64)
    if d == 2:
        return error_of_the_position(positions) + np.array([[-CAST], [CAST]])
    most = SLOW if d == 4 and position.max(initial=0) < 2**24 else MOST
    return np.stack([least_error(positions, d) - CAST, np.minimum(most * position + CAST, 2 + CAST)])


def first_bad_position(d, tolerance):
    """The first and the last position that can be right.

    With at least 32 columns, the last one is the position where rounding a product exceeds the tolerance on every machine. At
    d = 2, with a tolerance below the error of rounding an entry, both are position 1: row 0 is exact, and row 1 is not.
    """
    if d == 2 and tolerance < ENTRY:
        return [1, 1]
    return [int(tolerance / MOST), int(tolerance / 8e-9)]


EXTRA = {"first_bad_position": {probe.key: first_bad_position(*probe.args) for probe in FIRST_BAD_POSITION.probes}}


def turned(rows, angle):
    """Turn each pair by its angle, in float64."""
    even, odd = rows[:, 0::2].astype(np.float64), rows[:, 1::2].astype(np.float64)
    pairs = [even * np.cos(angle) + odd * np.sin(angle), odd * np.cos(angle) - even * np.sin(angle)]
    return np.stack(pairs, axis=-1).reshape(rows.shape)


def double(rows, omega):
    """The rows unchanged, and below them the same rows turned by n * omega, in float64."""
    return np.concatenate([rows, turned(rows, len(rows) * omega)])


DAY = 86_400  # seconds


def time_of_day(start, seconds):
    """Sine and cosine of the hand, shape (n, 2). Whole days in the start have no effect."""
    angle = 2 * np.pi / DAY * (start % DAY + seconds.astype(np.float64))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1)
