"""Lab 01, build the table: right answers to `frequencies`."""

import math
from fractions import Fraction

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()
speeds = ANSWERS.sample("frequencies")


@speeds
def power_of_an_array(d):
    return 10000.0 ** (-2 * np.arange(d // 2) / d)


@speeds
def one_over_a_power(d):
    return 1 / 10000 ** (2 * np.arange(d // 2) / d)


@speeds
def power_in_float32(d):
    return np.float32(10000) ** (-2 * np.arange(d // 2, dtype=np.float32) / np.float32(d))


@speeds
def arange_by_two(d):
    return np.power(10000.0, -np.arange(0, d, 2) / d)


@speeds
def exp_and_log(d):
    return np.exp(-2 * np.arange(d // 2) * np.log(10000) / d)


@speeds
def exp_and_log_in_float32(d):
    return np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(10000.0) / d))


@speeds
def logspace(d):
    return np.logspace(0, -4, d // 2, endpoint=False)


@speeds
def geomspace(d):
    return np.geomspace(1, 1e-4, d // 2, endpoint=False)


@speeds
def power_of_minus_linspace(d):
    return 10000 ** -np.linspace(0, 1, d // 2, endpoint=False)


@speeds
def comprehension(d):
    return np.array([10000 ** (-2 * k / d) for k in range(d // 2)])


@speeds
def loop_with_append(d):
    found = []
    for i in range(0, d, 2):
        found.append(1 / (10000 ** (i / d)))
    return np.asarray(found)


@speeds
def loop_into_zeros(d):
    omega = np.zeros(d // 2)
    for k in range(len(omega)):
        omega[k] = math.pow(10000, -2 * k / d)
    return omega


@speeds
def loop_into_float32_zeros(d):
    omega = np.zeros(d // 2, dtype=np.float32)
    for k in range(len(omega)):
        omega[k] = math.exp(-math.log(1e4) * 2 * k / d)
    return omega


@speeds
def cumulative_product(d):
    return np.cumprod(np.r_[1.0, np.full(d // 2 - 1, 1e4 ** (-2 / d))])


@speeds
def ten_to_a_power(d):
    return 10 ** (-8 * np.arange(d / 2) / d)


@speeds
def from_wavelengths(d):
    wavelength = 2 * np.pi * 10000 ** (np.arange(0, d, 2) / d)
    return 2 * np.pi / wavelength


@speeds
def every_other_of_columns(d):
    return (10000.0 ** (-(np.arange(d) // 2 * 2) / d))[::2]


@speeds
def fromfunction(d):
    return np.fromfunction(lambda k: 10000.0 ** (-2 * k / d), (d // 2,))


@speeds
def fractions_of_the_exponent(d):
    return np.array([10000 ** -float(Fraction(2 * k, d)) for k in range(d // 2)])


@speeds
def reversed_twice(d):
    return np.sort(10000.0 ** (-2 * np.arange(d // 2) / d))[::-1]
