"""Lab 05, base sweep: right and wrong answers to `decode`."""

import cmath
import math

import numpy as np

from autograder.samples import Samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import TURN, right_wavelengths

ANSWERS = Samples()


def angles(row):
    return np.arctan2(row[0::2], row[1::2]) % TURN


def from_slow_to_fast(angle, turns):
    """What every hand says, from the slowest to the fastest, each up to whole turns of its own."""
    readings = angle / TURN * turns
    position = readings[-1]
    for reading, turn in zip(readings[-2::-1], turns[-2::-1]):
        position = reading + turn * round((position - reading) / turn)
    return position


def in_plain_numbers(row):
    d = len(row)
    position = None
    for k in reversed(range(d // 2)):
        turn = 2 * math.pi * 10_000 ** (2 * k / d)
        reading = math.atan2(row[2 * k], row[2 * k + 1]) % (2 * math.pi) / (2 * math.pi) * turn
        position = reading if position is None else reading + turn * round((position - reading) / turn)
    return position


ANSWERS.sample("decode")(in_plain_numbers)


@ANSWERS.sample("decode")
def a_vernier_rounded_at_the_end(row):
    return round(2 * from_slow_to_fast(angles(row), right_wavelengths(row.size, 10_000))) / 2


@ANSWERS.sample("decode")
def by_what_is_left_over_at_each_hand(row):
    omega = TURN / right_wavelengths(row.size, 10_000)
    turned = np.arctan2(row[0::2], row[1::2])
    position = turned[-1] % TURN / omega[-1]
    for angle, speed in zip(turned[::-1], omega[::-1]):
        left = (angle - position * speed + np.pi) % TURN - np.pi
        position += left / speed
    return np.round(position, 1)


@ANSWERS.sample("decode")
def with_complex_hands(row):
    hands = row[1::2] + 1j * row[0::2]
    omega = TURN / right_wavelengths(row.size, 10_000)
    position = cmath.phase(hands[-1]) % TURN / omega[-1]
    for hand, speed in zip(hands[-2::-1], omega[-2::-1]):
        position += cmath.phase(hand * cmath.exp(-1j * position * speed)) / speed
    return float(position)


@ANSWERS.sample("decode", "unknown")
def the_nearest_row_of_a_long_enough_table(row):
    table = sinusoidal_pe(int(right_wavelengths(row.size, 10_000)[-1]), row.size)
    return np.argmax(table @ row - (table**2).sum(axis=1) / 2)


@ANSWERS.sample("decode", "unknown")
def the_nearest_row_close_to_what_the_slow_hand_says(row):
    rough = angles(row)[-1] / TURN * right_wavelengths(row.size, 10_000)[-1]
    first = max(0, int(rough) - 100)
    table = sinusoidal_pe(first + 201, row.size)[first:]
    return first + int(np.argmin(np.linalg.norm(table - row, axis=1)))


@ANSWERS.sample("decode", "unknown")
def whole_positions_that_the_fast_hand_allows(row):
    turns = right_wavelengths(row.size, 10_000)
    kept = np.arange(int(turns[-1]))
    for angle, turn in zip(angles(row), turns):
        off = (kept * TURN / turn - angle + np.pi) % TURN - np.pi
        kept = kept[np.abs(off) < 0.02]
    return kept[0]


@ANSWERS.sample("decode")
def an_array_without_dimensions(row):
    return np.array(from_slow_to_fast(angles(row), right_wavelengths(row.size, 10_000)), dtype=np.float32)


@ANSWERS.sample("decode")
def two_turns_of_every_hand(row):
    d = row.size
    position = 0.0
    for k in range(d // 2 - 1, -1, -1):
        turn = TURN * 10_000.0 ** (2 * k / d)
        candidates = (angles(row)[k] / TURN + np.arange(-1, 60_000 / turn + 1)) * turn
        candidates = candidates[candidates > -0.1] if k == d // 2 - 1 else candidates
        position = candidates[0] if k == d // 2 - 1 else candidates[np.argmin(np.abs(candidates - position))]
    return float(position)


@ANSWERS.sample("decode", "fast-hand-alone")
def the_fast_hand_rounded(row):
    return round(float(np.arctan2(row[0], row[1])))


@ANSWERS.sample("decode", "arctan-of-the-quotient")
def sine_over_cosine_rounded(row):
    with np.errstate(divide="ignore"):
        angle = np.arctan(row[0::2] / row[1::2])
    return round(from_slow_to_fast(angle, right_wavelengths(row.size, 10_000)))


@ANSWERS.sample("decode", "slow-hand-alone")
def the_slow_hand_rounded(row):
    return int(round(angles(row)[-1] / TURN * right_wavelengths(row.size, 10_000)[-1]))


@ANSWERS.sample("decode", "slow-hand-alone")
def the_slow_hand_with_its_sign(row):
    return math.atan2(row[-2], row[-1]) * 10_000 ** (1 - 2 / row.size)


@ANSWERS.sample("decode", "arctan2-exchanged")
def cosine_before_sine_with_their_signs(row):
    return round(from_slow_to_fast(np.arctan2(row[1::2], row[0::2]), right_wavelengths(row.size, 10_000)))


@ANSWERS.sample("decode", "half-turn-lost")
def without_whole_turns(row):
    return round(from_slow_to_fast(np.arctan2(row[0::2], row[1::2]), right_wavelengths(row.size, 10_000)))


@ANSWERS.sample("decode", "halves-layout")
def sines_in_the_first_half(row):
    half = row.size // 2
    return from_slow_to_fast(np.arctan2(row[:half], row[half:]) % TURN, right_wavelengths(row.size, 10_000))


@ANSWERS.sample("decode", "positions-from-one")
def counted_from_one(row):
    return round(from_slow_to_fast(angles(row), right_wavelengths(row.size, 10_000))) + 1


@ANSWERS.sample("decode", "cut-off")
def one_less(row):
    return round(in_plain_numbers(row)) - 1


@ANSWERS.sample("decode", "cut-off")
def cut_off_in_place_of_rounded(row):
    return int(from_slow_to_fast(angles(row), right_wavelengths(row.size, 10_000)))


@ANSWERS.sample("decode", "table-too-short")
def the_nearest_of_1000_rows(row):
    return int(np.argmin(np.linalg.norm(sinusoidal_pe(1_000, row.size) - row, axis=1)))


@ANSWERS.sample("decode", "table-too-short")
def the_most_alike_of_5000_rows(row):
    return np.argmax(sinusoidal_pe(5_000, row.size) @ row)


@ANSWERS.sample("decode", "hands-averaged")
def the_mean_of_all_hands(row):
    return np.mean(angles(row) / TURN * right_wavelengths(row.size, 10_000))


@ANSWERS.sample("decode", "fast-to-slow")
def from_fast_to_slow(row):
    turns = right_wavelengths(row.size, 10_000)
    return from_slow_to_fast(angles(row)[::-1], turns[::-1])


@ANSWERS.sample("decode", "one-function-alone")
def arcsine_in_place_of_both(row):
    return from_slow_to_fast(np.arcsin(row[0::2]) % TURN, right_wavelengths(row.size, 10_000))


@ANSWERS.sample("decode", "hands-left-out")
def the_two_slowest_hands(row):
    return from_slow_to_fast(angles(row)[-2:], right_wavelengths(row.size, 10_000)[-2:])


@ANSWERS.sample("decode", "unknown")
def always_32_dimensions(row):
    return from_slow_to_fast(angles(row), right_wavelengths(32, 10_000)[: row.size // 2])


@ANSWERS.sample("decode", "not-combined")
def what_every_hand_says(row):
    return angles(row) / TURN * right_wavelengths(row.size, 10_000)


@ANSWERS.sample("decode")
def all_in_float32(row):
    turns = right_wavelengths(row.size, 10_000).astype(np.float32)
    return from_slow_to_fast(angles(row), turns)


@ANSWERS.sample("decode")
def half_positions_near_what_the_slow_hand_says(row):
    turns = right_wavelengths(row.size, 10_000)
    rough = angles(row)[-1] / TURN * turns[-1]
    near = np.arange(max(0, 2 * int(rough) - 300), 2 * int(rough) + 300) / 2
    off = np.exp(1j * near[:, None] * TURN / turns) - (row[1::2] + 1j * row[0::2])
    return near[np.argmin(np.abs(off).sum(axis=1))]


@ANSWERS.sample("decode", "unknown")
def rounded_to_a_whole_number(row):
    return round(from_slow_to_fast(angles(row), right_wavelengths(row.size, 10_000)))


@ANSWERS.sample("decode", "cut-off")
def whole_turns_of_the_position_so_far(row):
    turns = right_wavelengths(row.size, 10_000)
    readings = angles(row) / TURN * turns
    position = readings[-1]
    for reading, turn in zip(readings[-2::-1], turns[-2::-1]):
        position = reading + turn * (position // turn)
    return position
