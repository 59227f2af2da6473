"""Lab 04, dot-product decay: right and wrong answers to `closed_form`."""

import math

import numpy as np
from dot_product_decay_samples import omega, total

from mistaken import Samples

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


@ANSWERS.sample("closed_form", "over-normalised")
def mean_over_the_pairs(offsets, d):
    return np.cos(offsets[:, None] * omega(d)).mean(axis=1)


@ANSWERS.sample("closed_form", "over-normalised")
def sum_divided_by_d(offsets, d):
    return total(offsets, d) / d


@ANSWERS.sample("closed_form", "unknown")
def every_column_counted(offsets, d):
    return np.cos(offsets[:, None] * 10000.0 ** (-2 * (np.arange(d) // 2) / d)).sum(axis=1)


@ANSWERS.sample("closed_form", "unknown")
def exponent_k_over_d(offsets, d):
    return np.cos(offsets[:, None] * 10000.0 ** (-np.arange(d // 2) / d)).sum(axis=1)


@ANSWERS.sample("closed_form", "unknown")
def sines_added(offsets, d):
    return np.sin(offsets[:, None] * omega(d)).sum(axis=1)


@ANSWERS.sample("closed_form", "unknown")
def summed_over_the_offsets(offsets, d):
    return np.cos(offsets[:, None] * omega(d)).sum(axis=0)


@ANSWERS.sample("closed_form", "unknown")
def squared_cosines(offsets, d):
    return (np.cos(offsets[:, None] * omega(d)) ** 2).sum(axis=1)
