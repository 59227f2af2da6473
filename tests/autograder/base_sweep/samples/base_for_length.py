"""Lab 05, base sweep: right and wrong answers to `base_for_length`."""

import math

import numpy as np

from autograder.samples import Sample, Samples

from . import TURN

ANSWERS = Samples()


def refusing(base, refused=lambda T, d: d == 2 or T < TURN, error=ValueError):
    """Make an answer that refuses some arguments and computes a base for the others."""

    def answer(T, d):
        if refused(T, d):
            raise error(f"{T} positions, {d} dimensions")
        return base(T, d)

    return answer


def solved(T, d):
    return (T / (2 * math.pi)) ** (d / (d - 2))


for style, base in (
    ("solved", solved),
    ("logarithms", lambda T, d: np.exp(np.log(T / TURN) / (1 - 2 / d))),
    ("an array without dimensions", lambda T, d: np.array((T / TURN) ** (1 + 2 / (d - 2)))),
):
    ANSWERS.append(Sample("base_for_length", style, refusing(base)))


@ANSWERS.sample("base_for_length")
def refused_by_what_comes_out(T, d):
    if d < 4 or (base := solved(T, d)) <= 1:
        raise ValueError
    return np.float64(base)


for style, mistake, answer in (
    ("over a turn", "longest-wavelength", refusing(lambda T, d: T / TURN)),
    ("logarithms times the exponent", "inverse-power", refusing(lambda T, d: np.exp(np.log(T / TURN) * (1 - 2 / d)))),
    ("a whole number", "rounded", refusing(lambda T, d: int(math.exp(math.log(T / TURN) * d / (d - 2))))),
    ("over 6.28", "rounded", refusing(lambda T, d: (T / 6.28) ** (d / (d - 2)))),
    ("over 6.283", "rounded", refusing(lambda T, d: (T / 6.283) ** (d / (d - 2)))),
    ("nothing refused", "unknown", lambda T, d: solved(T, d) if d > 2 else math.inf),
    ("less than 6 refused", "unknown", refusing(solved, lambda T, d: d == 2 or T < 6)),
    ("7 refused as well", "unknown", refusing(solved, lambda T, d: d == 2 or T < 8)),
    ("2 dimensions accepted", "unknown", refusing(lambda T, d: solved(T, max(d, 3)), lambda T, d: T < TURN)),
    ("another error", "unknown", refusing(solved, error=ArithmeticError)),
):
    ANSWERS.append(Sample("base_for_length", style, answer, (mistake,)))
