"""Lab 05, base sweep: right and wrong answers to `wavelengths`."""

import math

import numpy as np

from autograder.samples import Samples

from . import TURN, right_wavelengths

ANSWERS = Samples()


@ANSWERS.sample("wavelengths")
def a_power_of_an_array(d, base):
    return TURN * base ** (2 * np.arange(d // 2) / d)


@ANSWERS.sample("wavelengths")
def over_the_frequencies(d, base):
    omega = np.exp(-np.log(base) * np.arange(0, d, 2) / d)
    return 2 * math.pi / omega


@ANSWERS.sample("wavelengths")
def float32_throughout(d, base):
    k = np.arange(0, d, 2, dtype=np.float32)
    return np.float32(TURN) * np.float32(base) ** (k / np.float32(d))


@ANSWERS.sample("wavelengths")
def a_comprehension(d, base):
    return np.array([2 * math.pi * math.pow(base, 2 * k / d) for k in range(d // 2)])


@ANSWERS.sample("wavelengths")
def logspace(d, base):
    return TURN * np.logspace(0, (d - 2) / d, d // 2, base=base)


@ANSWERS.sample("wavelengths")
def geomspace(d, base):
    return np.geomspace(TURN, TURN * base, d // 2 + 1)[:-1]


@ANSWERS.sample("wavelengths")
def each_longer_than_the_one_before(d, base):
    found = [TURN]
    while len(found) < d // 2:
        found.append(found[-1] * base ** (2 / d))
    return np.array(found)


@ANSWERS.sample("wavelengths")
def exponentials(d, base):
    return TURN * np.exp(np.log(base) * np.linspace(0, 1, d // 2, endpoint=False))


@ANSWERS.sample("wavelengths", "longest-wavelength")
def without_a_turn(d, base):
    return float(base) ** (np.arange(0, d, 2) / d)


@ANSWERS.sample("wavelengths", "longest-wavelength")
def exponent_k_over_d(d, base):
    return TURN * float(base) ** (np.arange(d // 2) / d)


@ANSWERS.sample("wavelengths", "longest-wavelength")
def k_from_one(d, base):
    return TURN * float(base) ** (2 * np.arange(1, d // 2 + 1) / d)


@ANSWERS.sample("wavelengths", "longest-wavelength")
def exponent_up_to_one(d, base):
    return TURN * float(base) ** np.linspace(0, 1, d // 2)


@ANSWERS.sample("wavelengths", "frequencies-reversed")
def longest_first(d, base):
    return right_wavelengths(d, base)[::-1]


@ANSWERS.sample("wavelengths", "frequencies-given")
def the_frequencies(d, base):
    return TURN / right_wavelengths(d, base)


@ANSWERS.sample("wavelengths", "inverse-power")
def a_turn_times_the_frequency(d, base):
    return TURN * float(base) ** (-2 * np.arange(d // 2) / d)


@ANSWERS.sample("wavelengths", "one-per-column")
def one_for_each_column(d, base):
    return np.repeat(right_wavelengths(d, base), 2)


@ANSWERS.sample("wavelengths", "base-ignored")
def the_base_forgotten(d, base):
    return right_wavelengths(d, 10_000)


@ANSWERS.sample("wavelengths", "unknown")
def rounded_to_whole_positions(d, base):
    return np.round(right_wavelengths(d, base))


@ANSWERS.sample("wavelengths", "unknown")
def half_turns(d, base):
    return right_wavelengths(d, base) / 2


@ANSWERS.sample("wavelengths", "unknown")
def evenly_spaced(d, base):
    return np.linspace(TURN, right_wavelengths(d, base)[-1], d // 2)


@ANSWERS.sample("wavelengths", "unknown")
def a_list(d, base):
    return [TURN * base ** (2 * k / d) for k in range(d // 2)]


KEPT = {}


@ANSWERS.sample("wavelengths", "unseen")
def kept_by_d_alone(d, base):
    return KEPT.setdefault(d, right_wavelengths(d, base))


@ANSWERS.sample("wavelengths", "unseen")
def a_whole_base(d, base):
    return right_wavelengths(d, int(base))
