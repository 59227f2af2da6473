"""Lab 01, build the table: bugs that real programs have had, written as those programs compute the table."""

import math

import numpy as np

from . import TableSamples, k_of, omega_of, weave

ANSWERS = TableSamples()
of_table, of_speeds = ANSWERS.of_table, ANSWERS.of_speeds


of_speeds(
    "// where one / is meant",
    lambda d: np.exp(np.arange(0, d, 2) * (-math.log(10000.0) / d // 2)),
    "operator-precedence",
)
of_speeds(
    "an int around the factor",
    lambda d: np.exp(np.arange(0, d, 2) * int(-math.log(10000.0) / d)),
    "integer-division",
)
of_speeds("a power of the pair", lambda d: (k_of(d) / (d // 2)) ** (1 / 10000), "base-and-exponent-swapped")


def bfloat16(values):
    """Keep the upper 16 bits of each float32, rounded to nearest even."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


@of_table("low-precision")
def all_in_bfloat16(T, d):
    angles = bfloat16(bfloat16(np.arange(T)[:, None]) * bfloat16(omega_of(d)))
    return weave(angles, lambda a: bfloat16(np.sin(a)), lambda a: bfloat16(np.cos(a)))


@of_table("low-precision")
def angles_in_bfloat16(T, d):
    return weave(bfloat16(np.arange(T)[:, None] * omega_of(d)))


@of_table("low-precision")
def positions_in_bfloat16(T, d):
    return weave(bfloat16(np.arange(T))[:, None] * omega_of(d))


@of_table("base-and-exponent-swapped", "halves-layout")
def powers_of_the_pair_in_halves(T, d):
    angles = np.arange(T)[:, None] * (k_of(d) / (d // 2)) ** 1e-4
    return np.hstack([np.sin(angles), np.cos(angles)]).astype(np.float32)
