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
def exponent_k_over_d_in_a_loop(d, base):
    return np.array([TURN * base ** (k / d) for k in range(d // 2)])


@ANSWERS.sample("wavelengths", "longest-wavelength")
def up_to_the_base_in_float32(d, base):
    return np.geomspace(TURN, TURN * base, d // 2, dtype=np.float32)


@ANSWERS.sample("wavelengths", "frequencies-reversed")
def from_the_slowest_pair(d, base):
    return np.array([TURN * base ** (2 * k / d) for k in reversed(range(d // 2))])


@ANSWERS.sample("wavelengths", "frequencies-given")
def exponentials_of_minus_the_logarithm(d, base):
    return np.exp(np.arange(0, d, 2, dtype=np.float32) * (-math.log(base) / d))


@ANSWERS.sample("wavelengths", "one-per-column")
def a_wavelength_by_the_pair_of_each_column(d, base):
    return np.array([TURN * base ** (2 * (column // 2) / d) for column in range(d)])


@ANSWERS.sample("wavelengths", "inverse-power")
def a_turn_times_the_frequency(d, base):
    return TURN * float(base) ** (-2 * np.arange(d // 2) / d)


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
