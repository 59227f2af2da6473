"""Lab 04, dot-product decay: right and wrong answers to `closed_form`."""

import math

import numpy as np

from autograder.samples import Samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import omega, total

ANSWERS = Samples()


@ANSWERS.sample("closed_form")
def offsets_by_pairs(offsets, d):
    return np.cos(offsets[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)).sum(axis=1)


@ANSWERS.sample("closed_form")
def outer_product_with_exp(offsets, d):
    frequency = np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    return np.sum(np.cos(np.outer(offsets, frequency)), axis=-1)


@ANSWERS.sample("closed_form")
def pair_after_pair(offsets, d):
    result = np.zeros(len(offsets))
    for k in range(d // 2):
        result += np.cos(offsets / 10000 ** (2 * k / d))
    return result


@ANSWERS.sample("closed_form")
def float32_throughout(offsets, d):
    return np.cos(offsets.astype(np.float32)[:, None] * omega(d, np.float32)).sum(axis=1)


@ANSWERS.sample("closed_form")
def plain_python(offsets, d):
    return np.array([sum(math.cos(p * 10000 ** (-2 * k / d)) for k in range(d // 2)) for p in offsets.tolist()])


@ANSWERS.sample("closed_form")
def real_part_of_turning_numbers(offsets, d):
    return np.exp(1j * np.multiply.outer(offsets, omega(d))).sum(axis=-1).real


@ANSWERS.sample("closed_form")
def geometric_frequencies(offsets, d):
    return np.cos(np.outer(offsets, np.geomspace(1, 1e-4, d // 2 + 1)[:-1])) @ np.ones(d // 2)


@ANSWERS.sample("closed_form")
def one_offset_at_a_time(offsets, d):
    return np.array([np.cos(offset * omega(d)).sum() for offset in offsets], dtype=np.float32)


@ANSWERS.sample("closed_form")
def products_of_two_tables(offsets, d):
    angles = (offsets - offsets.min())[:, None] * omega(d)
    zero = -offsets.min() * omega(d)
    return np.sin(angles) @ np.sin(zero) + np.cos(angles) @ np.cos(zero)


@ANSWERS.sample("closed_form", "d-terms")
def twice_the_sum(offsets, d):
    return 2 * total(offsets, d)


@ANSWERS.sample("closed_form", "exponent-4k-over-d")
def exponent_4k_over_d(offsets, d):
    return np.cos(offsets[:, None] * 10000.0 ** (-2 * np.arange(0, d, 2) / d)).sum(axis=1)


@ANSWERS.sample("closed_form", "exponent-d-minus-2")
def frequencies_down_to_1_over_10000(offsets, d):
    return np.cos(offsets[:, None] * np.geomspace(1, 1e-4, d // 2)).sum(axis=1)


@ANSWERS.sample("closed_form", "degrees")
def angles_in_degrees(offsets, d):
    return np.cos(np.radians(np.outer(offsets, omega(d)))).sum(axis=1)


@ANSWERS.sample("closed_form", "angles-summed")
def sum_of_the_angles_first(offsets, d):
    return np.cos((offsets[:, None] * omega(d)).sum(axis=1))


@ANSWERS.sample("closed_form", "unknown")
def negative_offsets_at_the_end(offsets, d):
    return total(np.arange(600), d)[offsets]


@ANSWERS.sample("closed_form", "unknown")
def a_list_of_sums(offsets, d):
    return [float(value) for value in total(offsets, d)]


@ANSWERS.sample("closed_form", "unseen")
def from_a_table_of_256_rows(offsets, d):
    table = sinusoidal_pe(256, d)
    return table[np.abs(offsets)] @ table[0]
