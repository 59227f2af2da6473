"""Formulas for the known mistakes in lab 07, precision and cost. Each returns the values that a mistake leads to.

Mistakes that show only as rounding errors, or differ between machines, are in `src/encoding_labs/precision_and_cost`.
"""

import numpy as np

from labkit.author.source.wrong_formulas import telling, within

from .reference import DAY, time_of_day
from .wrong_errors import WRONG_ERRORS
from .wrong_rows import WRONG_ROWS

SLIGHT = 1e-4  # tolerance: sines of large float32 angles differ between machines, but by less than this
TURN = 2 * np.pi


def hand(angle):
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1)


def at(angle):
    """Make a formula with the hand at the wrong angle `angle(time)`, where the time is in seconds since the start of 1970."""
    return lambda start, seconds: hand(angle(start + seconds.astype(np.float64)))


def turning(scale):
    """Make a formula for each way to write the time: with all its days, without them, or with a start reduced to its day."""
    return [
        at(lambda time: scale * time),
        at(lambda time: scale * (time % DAY)),
        lambda start, seconds: hand(scale * (start % DAY + seconds.astype(np.float64))),
    ]


def after(change):
    """Make a formula that computes the right rows, then changes them."""
    return lambda start, seconds: change(time_of_day(start, seconds))


def a_turn_in(period):
    """Make a formula with a hand that makes one turn in `period` seconds."""
    return lambda start, seconds: telling(at(lambda time: TURN * time / period)(start, seconds), period=period)


def rounded(angle):
    """Make a formula with the hand at a rounded angle, computed by `angle` from the start and the float32 seconds."""
    return within(SLIGHT, lambda start, seconds: hand(angle(start, seconds).astype(np.float64)))


def time_of(start, seconds):
    """The time in float32, where neighbouring numbers are 128 seconds apart."""
    return np.float32(start) + seconds


ROUNDED = [
    lambda start, seconds: TURN * time_of(start, seconds) / DAY,
    lambda start, seconds: time_of(start, seconds) / DAY * TURN,
    lambda start, seconds: time_of(start, seconds) * (TURN / DAY),
    lambda start, seconds: time_of(start, seconds).astype(np.float64) * (TURN / DAY),
    lambda start, seconds: np.float32(TURN * start / DAY) + seconds * np.float32(TURN / DAY),
]

WRONG_TIMES = {
    "time-rounded": [*map(rounded, ROUNDED)],
    "start-ignored": lambda start, seconds: time_of_day(0, seconds),
    "seconds-ignored": lambda start, seconds: time_of_day(start, 0 * seconds),
    "seconds-subtracted": lambda start, seconds: time_of_day(start, -seconds),
    "turn-lost": turning(1 / DAY),
    "half-a-turn": turning(np.pi / DAY),
    "degrees": turning(360 / DAY),
    "other-turn": [a_turn_in(period) for period in (1, 24, 60, 1_440, 3_600, DAY // 2)],
    "runs-backwards": at(lambda time: -TURN * time / DAY),
    "swapped-sin-cos": after(lambda rows: rows[:, ::-1]),
    "one-below-the-other": [after(np.transpose), after(lambda rows: rows.T.ravel())],
    "interleaved": after(np.ravel),
}


WRONG = {
    "float32_error": WRONG_ERRORS,
    "first_bad_position": {"error-for-position": within(2e-4, lambda d, tolerance: tolerance)},
    "double": WRONG_ROWS,
    "time_of_day": WRONG_TIMES,
}
