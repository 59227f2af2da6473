"""Reference answers for lab 07, precision and cost."""

import numpy as np

from encoding_labs.precision_and_cost.exercises import FIRST_BAD_POSITION

# Upper bound on the largest error in a row, divided by the position. With five ways to write the frequencies in float32, d of 32 or
# more and positions up to 10**7, we measured at most 2e-7. The bound is three times that.
MOST = 6e-7
SLOW = 3e-9  # the same at d = 4, where only the slow pair is off: 2.7e-9 if its frequency is two float32 numbers off
PAIRS = 24  # pairs used for the lower bound; later pairs turn more slowly and add little
CAST = 1e-6  # upper bound on the error added by rounding the entries
ENTRY = 2e-8  # rounding sin(1) and cos(1) to float32 gives an error above this


def table(positions, d):
    """The table's rows at these positions, in float64, shape (n, d)."""
    angle = np.multiply.outer(np.asarray(positions, dtype=np.float64), 10000.0 ** (-2.0 * np.arange(d // 2) / d))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(angle), d)


def error_of_the_position(positions):
    """The error at d = 2 if only the position is rounded to float32: how far the rounded position's row is from the right row."""
    positions = np.asarray(positions)
    return np.abs(table(positions.astype(np.float32), 2) - table(positions, 2)).max(axis=1)


def least_error(positions, d):
    """A lower bound on the largest error in each row, for any way to compute the float32 frequencies.

    Float32 products and quotients are the same on every machine. So we multiply each position by every float32 number near the
    exact frequency, divide it by every float32 number near the inverse frequency, and take the smallest error. A frequency more
    than two float32 numbers off cannot give a smaller error than the nearest one.
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
    """The first and the last of the positions that can be right. Which of them is right depends on the machine.

    With 32 columns or more, the errors of rounded angles exceed the tolerance before the last of these positions on every machine.
    At d = 2, if the tolerance is smaller than the error from rounding an entry, both are 1, because row 0 is exact and row 1 is not.
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
