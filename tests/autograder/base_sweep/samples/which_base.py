"""Lab 05, base sweep: right and wrong answers to `which_base`."""

import math

import numpy as np

from autograder.samples import Sample, Samples

from . import TURN, right_wavelengths
from .base_for_length import solved

ANSWERS = Samples()


ANSWERS.several("which_base", from_the_second_hand=lambda row: math.atan2(row[2], row[3]) ** (-len(row) / 2))


@ANSWERS.sample("which_base")
def through_the_length_of_a_turn(row):
    return solved(TURN / np.arctan2(row[-2], row[-1]), len(row))


@ANSWERS.sample("which_base")
def arcsines_and_logarithms(row):
    k, d = np.arange(1, len(row) // 2), len(row)
    return float(np.exp(np.mean(-np.log(np.arcsin(row[2::2].astype(np.float64))) * d / (2 * k))))


@ANSWERS.sample("which_base")
def the_slope_of_the_logarithms(row):
    angle = np.arctan2(row[0::2], row[1::2])
    slope, _ = np.polyfit(np.arange(angle.size), np.log(angle), 1)
    return np.exp(-slope * len(row) / 2)


@ANSWERS.sample("which_base")
def by_bisection(row):
    angle, low, high = np.arctan2(row[-2], row[-1]), 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if TURN / right_wavelengths(len(row), math.exp(middle))[-1] > angle else (low, middle)
        )
    return np.array(math.exp(low))


@ANSWERS.sample("which_base")
def the_nearest_of_many_bases(row):
    bases = np.geomspace(1.5, 2e6, 100_000)
    angle = bases[:, None] ** (-np.arange(0, len(row), 2)[None, [1, -1]] / len(row))
    seen = np.arctan2(row[0::2], row[1::2])[[1, -1]]
    return bases[np.argmin(np.abs(np.log(angle / seen)).sum(axis=1))]


for style, mistake, answer in (
    ("over the arcsine of the last sine", "exponent-forgotten", lambda row: 1 / math.asin(row[-2])),
    ("the longest wavelength", "wavelength-given", lambda row: (TURN / np.arctan2(row[0::2], row[1::2])).max()),
    ("the last angle cut to halves", "halves-layout", lambda row: np.arctan2(*np.split(row, 2))[-1] ** (-len(row) / (len(row) - 2))),
    ("the last arc cosine", "cosines-only", lambda row: np.arccos(row[-1]) ** (-len(row) / (len(row) - 2))),
    ("the second arc cosine in plain numbers", "cosines-only", lambda row: math.acos(row[3]) ** (-len(row) / 2)),
    ("rounded to a whole number", "rounded", lambda row: round(through_the_length_of_a_turn(row))),
    ("rounded in float32", "rounded", lambda row: np.round(np.arctan2(row[2], row[3]) ** (-len(row) / 2))),
    ("always 10000", "unknown", lambda row: 10_000),
    ("always 32 dimensions", "unknown", lambda row: float(np.arctan2(row[-2], row[-1])) ** (-32 / 30)),
    ("one for each hand", "unknown", lambda row: np.arctan2(row[2::2], row[3::2]) ** (-len(row) / np.arange(2, len(row), 2))),
):  # fmt: skip
    ANSWERS.append(Sample("which_base", style, answer, (mistake,)))
