"""Lab 05, base sweep: right and wrong answers to `base_for_length`."""

import math

import numpy as np

from autograder.samples import Samples

from . import TURN, right_wavelengths

ANSWERS = Samples()


def refuse(T, d):
    if d == 2 or T < TURN:
        raise ValueError("no base")


@ANSWERS.sample("base_for_length")
def solved(T, d):
    refuse(T, d)
    return (T / (2 * math.pi)) ** (d / (d - 2))


@ANSWERS.sample("base_for_length")
def with_logarithms(T, d):
    refuse(T, d)
    return np.exp(np.log(T / TURN) / (1 - 2 / d))


@ANSWERS.sample("base_for_length")
def by_bisection(T, d):
    refuse(T, d)
    low, high = 0.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if right_wavelengths(d, math.exp(middle))[-1] < T else (low, middle)
    return math.exp(low)


@ANSWERS.sample("base_for_length")
def from_the_last_k(T, d):
    if d <= 2 or T <= TURN:
        raise ValueError
    k = d // 2 - 1
    return float(np.power(T / TURN, d / (2 * k)))


@ANSWERS.sample("base_for_length")
def logarithms_of_base_10(T, d):
    refuse(T, d)
    return 10 ** (math.log10(T / TURN) * d / (d - 2))


@ANSWERS.sample("base_for_length")
def a_wavelength_of_each_pair(T, d):
    refuse(T, d)
    step = (T / TURN) ** (1 / (d // 2 - 1))
    return step ** (d / 2)


@ANSWERS.sample("base_for_length")
def refused_by_what_comes_out(T, d):
    if d < 4 or (base := (T / TURN) ** (d / (d - 2))) <= 1:
        raise ValueError(f"{T} positions, {d} dimensions")
    return np.float64(base)


@ANSWERS.sample("base_for_length")
def as_an_array_without_dimensions(T, d):
    refuse(T, d)
    return np.array((T / TURN) ** (1 + 2 / (d - 2)))


@ANSWERS.sample("base_for_length", "longest-wavelength")
def over_a_turn(T, d):
    refuse(T, d)
    return T / TURN


@ANSWERS.sample("base_for_length", "inverse-power")
def logarithms_times_the_exponent(T, d):
    refuse(T, d)
    return np.exp(np.log(T / TURN) * (1 - 2 / d))


@ANSWERS.sample("base_for_length", "rounded")
def a_whole_number(T, d):
    refuse(T, d)
    return int(math.exp(math.log(T / TURN) * d / (d - 2)))


@ANSWERS.sample("base_for_length", "unknown")
def without_refusing(T, d):
    return (T / TURN) ** (d / (d - 2)) if d > 2 else math.inf


@ANSWERS.sample("base_for_length", "unknown")
def refuses_less_than_6_alone(T, d):
    if d == 2 or T < 6:
        raise ValueError
    return (T / TURN) ** (d / (d - 2))


@ANSWERS.sample("base_for_length", "unknown")
def refuses_7_as_well(T, d):
    if d == 2 or T < 8:
        raise ValueError
    return (T / TURN) ** (d / (d - 2))


@ANSWERS.sample("base_for_length", "unknown")
def refuses_4_dimensions(T, d):
    if d <= 4 or T < TURN:
        raise ValueError
    return (T / TURN) ** (d / (d - 2))


@ANSWERS.sample("base_for_length", "unknown")
def raises_another_error(T, d):
    if d == 2 or T < TURN:
        raise ArithmeticError
    return (T / TURN) ** (d / (d - 2))


@ANSWERS.sample("base_for_length", "unknown")
def accepts_2_dimensions(T, d):
    if T < TURN:
        raise ValueError
    return (T / TURN) ** (d / max(d - 2, 1))
