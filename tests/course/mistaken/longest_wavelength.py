"""Lab 05, base sweep: right and wrong answers to `longest_wavelength`."""

import math

import numpy as np
from base_sweep_samples import TURN, right_wavelengths

from mistaken import Samples

ANSWERS = Samples()


@ANSWERS.sample("longest_wavelength")
def the_last_of_all(d, base):
    return right_wavelengths(d, base)[-1]


@ANSWERS.sample("longest_wavelength")
def by_the_formula(d, base):
    return 2 * math.pi * base ** ((d - 2) / d)


@ANSWERS.sample("longest_wavelength")
def the_greatest(d, base):
    return max(float(x) for x in right_wavelengths(d, base))


@ANSWERS.sample("longest_wavelength")
def as_an_array_without_dimensions(d, base):
    return np.array(TURN * base ** (1 - 2 / d))


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def a_turn_times_the_base(d, base):
    return TURN * base


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def the_base_itself(d, base):
    return base


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def one_over_omega(d, base):
    return base ** ((d - 2) / d)


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def half_of_the_exponent(d, base):
    return TURN * base ** ((d // 2 - 1) / d)


@ANSWERS.sample("longest_wavelength", "unknown")
def the_shortest(d, base):
    return right_wavelengths(d, base)[0]


@ANSWERS.sample("longest_wavelength", "unknown")
def the_last_but_one(d, base):
    return right_wavelengths(d, base)[-2:][0]
