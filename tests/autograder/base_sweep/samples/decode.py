"""Lab 05, base sweep: right and wrong answers to `decode`."""

import cmath
import math
from functools import cache

import numpy as np

from autograder.samples import Sample, Samples
from encoding_labs.base_sweep.rows import printed
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import TURN, right_wavelengths

ANSWERS = Samples()


def angles(row):
    return np.arctan2(row[0::2], row[1::2]) % TURN


def turns_of(row):
    return right_wavelengths(len(row), 10_000)


def readings(row):
    """The position that each hand alone would give."""
    return angles(row) / TURN * turns_of(row)


def from_slow_to_fast(angle, turns):
    """Combine the hands from the slowest to the fastest. Each adds whole turns to its reading to match the position so far."""
    said = angle / TURN * turns
    position = said[-1]
    for reading, turn in zip(said[-2::-1], turns[-2::-1]):
        position = reading + turn * round((position - reading) / turn)
    return position


def decoded(row):
    return from_slow_to_fast(angles(row), turns_of(row))


@ANSWERS.sample("decode")
def in_plain_numbers(row):
    d = len(row)
    position = None
    for k in reversed(range(d // 2)):
        turn = 2 * math.pi * 10_000 ** (2 * k / d)
        reading = math.atan2(row[2 * k], row[2 * k + 1]) % (2 * math.pi) / (2 * math.pi) * turn
        position = reading if position is None else reading + turn * round((position - reading) / turn)
    return position


@ANSWERS.sample("decode")
def by_what_is_left_over_at_each_hand(row):
    omega = TURN / turns_of(row)
    turned = np.arctan2(row[0::2], row[1::2])
    position = turned[-1] % TURN / omega[-1]
    for angle, speed in zip(turned[::-1], omega[::-1]):
        left = (angle - position * speed + np.pi) % TURN - np.pi
        position += left / speed
    return np.round(position, 2)


@ANSWERS.sample("decode")
def with_complex_hands(row):
    hands, omega = row[1::2] + 1j * row[0::2], TURN / turns_of(row)
    position = cmath.phase(hands[-1]) % TURN / omega[-1]
    for hand, speed in zip(hands[-2::-1], omega[-2::-1]):
        position += cmath.phase(hand * cmath.exp(-1j * position * speed)) / speed
    return float(position)


@ANSWERS.sample("decode")
def every_turn_of_every_hand(row):
    position = readings(row)[-1]
    for reading, turn in zip(readings(row)[-2::-1], turns_of(row)[-2::-1]):
        candidates = reading + turn * np.arange(-1, 60_000 / turn + 1)
        position = candidates[np.argmin(np.abs(candidates - position))]
    return float(position)


def nearest_in_steps(row, per_position):
    """Find the nearest row in a table with `per_position` rows per position, near the position that the slowest hand gives."""
    rough = int(readings(row)[-1])
    near = np.arange(max(0, rough - 80) * per_position, (rough + 80) * per_position) / per_position
    off = np.exp(1j * near[:, None] * TURN / turns_of(row)) - (row[1::2] + 1j * row[0::2])
    return near[np.argmin((np.abs(off) ** 2).sum(axis=1))]


for style, answer in (
    ("a table in steps of 0.02 near the slow hand", lambda row: nearest_in_steps(row, 50)),
    ("a vernier rounded at the end", lambda row: round(50 * decoded(row)) / 50),
    ("an array without dimensions", lambda row: np.array(decoded(row), dtype=np.float32)),
    ("all in float32", lambda row: from_slow_to_fast(angles(row), turns_of(row).astype(np.float32))),
):
    ANSWERS.append(Sample("decode", style, answer))


@ANSWERS.sample("decode", "step-too-coarse")
def the_nearest_row_of_a_long_enough_table(row):
    table = sinusoidal_pe(int(turns_of(row)[-1]), row.size)
    return np.argmax(table @ row - (table**2).sum(axis=1) / 2)


@ANSWERS.sample("decode", "step-too-coarse")
def the_nearest_row_close_to_what_the_slow_hand_says(row):
    first = max(0, int(readings(row)[-1]) - 100)
    table = sinusoidal_pe(first + 201, row.size)[first:]
    return first + int(np.argmin(np.linalg.norm(table - row, axis=1)))


@cache
def in_halves(positions, d):
    """A table with a row every half position."""
    return np.stack([printed(p, d) for p in np.arange(0, positions, 0.5)])


@ANSWERS.sample("decode", "unknown")
def whole_positions_that_every_hand_allows(row):
    kept = np.arange(int(turns_of(row)[-1]))
    for angle, turn in zip(angles(row), turns_of(row)):
        off = (kept * TURN / turn - angle + np.pi) % TURN - np.pi
        kept = kept[np.abs(off) < 0.02]
    return kept[0]


@ANSWERS.sample("decode", "arctan-of-the-quotient")
def sine_over_cosine_rounded(row):
    with np.errstate(divide="ignore"):
        angle = np.arctan(row[0::2] / row[1::2])
    return round(from_slow_to_fast(angle, turns_of(row)))


@ANSWERS.sample("decode", "cut-off")
def whole_turns_of_the_position_so_far(row):
    position = readings(row)[-1]
    for reading, turn in zip(readings(row)[-2::-1], turns_of(row)[-2::-1]):
        position = reading + turn * (position // turn)
    return position


for style, mistake, answer in (
    ("the fast hand rounded", "fast-hand-alone", lambda row: round(float(np.arctan2(row[0], row[1])))),
    ("the slow hand rounded", "slow-hand-alone", lambda row: int(round(readings(row)[-1]))),
    ("the slow hand with its sign", "slow-hand-alone", lambda row: math.atan2(row[-2], row[-1]) * 10_000 ** (1 - 2 / row.size)),
    ("cosine before sine, rounded", "arctan2-exchanged", lambda row: round(from_slow_to_fast(np.arctan2(row[1::2], row[0::2]), turns_of(row)))),
    ("without whole turns, rounded", "half-turn-lost", lambda row: round(from_slow_to_fast(np.arctan2(row[0::2], row[1::2]), turns_of(row)))),
    ("counted from one, rounded", "positions-from-one", lambda row: round(decoded(row)) + 1),
    ("one less", "cut-off", lambda row: round(in_plain_numbers(row)) - 1),
    ("cut off", "cut-off", lambda row: int(decoded(row))),
    ("cut off after one decimal", "step-too-coarse", lambda row: int(10 * decoded(row)) / 10),
    ("rounded to one decimal", "step-too-coarse", lambda row: np.round(decoded(row), 1)),
    ("rounded to one decimal in float32", "step-too-coarse", lambda row: np.round(np.float32(decoded(row)), 1)),
    ("rounded to halves", "step-too-coarse", lambda row: round(2 * decoded(row)) / 2),
    ("a table in halves near the slow hand", "step-too-coarse", lambda row: nearest_in_steps(row, 2)),
    ("a table in quarters near the slow hand", "step-too-coarse", lambda row: nearest_in_steps(row, 4)),
    ("a table in tenths near the slow hand", "step-too-coarse", lambda row: nearest_in_steps(row, 10)),
    ("a table of 1000 positions in halves", "table-too-short", lambda row: np.argmin(np.linalg.norm(in_halves(1_000, row.size) - row, axis=1)) / 2),
    ("the nearest of 1000 rows", "table-too-short", lambda row: int(np.argmin(np.linalg.norm(sinusoidal_pe(1_000, row.size) - row, axis=1)))),
    ("the most alike of 5000 rows", "table-too-short", lambda row: np.argmax(sinusoidal_pe(5_000, row.size) @ row)),
    ("the nearest of 20,000 rows", "table-too-long", lambda row: int(np.argmin(np.linalg.norm(sinusoidal_pe(20_000, row.size) - row, axis=1)))),
    ("arcsines in float32", "one-function-alone", lambda row: from_slow_to_fast(np.arcsin(row[0::2]) % TURN, turns_of(row))),
    ("halves in float32", "halves-layout", lambda row: from_slow_to_fast(np.arctan2(*np.split(row, 2)) % TURN, turns_of(row))),
    ("the sum of all hands in float32", "hands-averaged", lambda row: readings(row).astype(np.float32).sum()),
    ("the sign of the angle dropped", "one-function-alone", lambda row: from_slow_to_fast(np.abs(np.arctan2(row[0::2], row[1::2])), turns_of(row))),
    ("the fastest hand left out", "hands-left-out", lambda row: from_slow_to_fast(angles(row)[1:], turns_of(row)[1:])),
    ("from fast to slow in float32", "fast-to-slow", lambda row: from_slow_to_fast(angles(row)[::-1], turns_of(row)[::-1])),
    ("in degrees in float32", "degrees", lambda row: from_slow_to_fast(np.degrees(np.arctan2(row[0::2], row[1::2])), turns_of(row))),
    ("always 32 dimensions", "unknown", lambda row: from_slow_to_fast(angles(row), right_wavelengths(32, 10_000)[: row.size // 2])),
):  # fmt: skip
    ANSWERS.append(Sample("decode", style, answer, (mistake,)))
