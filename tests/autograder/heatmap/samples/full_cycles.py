"""Lab 02, heatmap: right and wrong answers to `full_cycles`."""

import math

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


def all_wavelengths(d):
    return 2 * np.pi * 10000.0 ** (2 * np.arange(d // 2) / d)


def wavelength(k, d):
    return 2 * math.pi * 10000 ** (2 * k / d)


ANSWERS.several(
    "full_cycles",
    vectorised=lambda T, d: np.sum(all_wavelengths(d) <= T),
    true_counts_as_one=lambda T, d: sum(wavelength(k, d) <= T for k in range(d // 2)),
)


@ANSWERS.sample("full_cycles")
def solved_for_k(T, d):
    turns = T / (2 * np.pi)
    return 0 if turns < 1 else float(min(d // 2, np.floor(np.log(turns) / np.log(10000) * d / 2) + 1))


@ANSWERS.sample("full_cycles", "beyond-the-last-pair")
def solved_for_k_without_an_end(T, d):
    turns = T / (2 * np.pi)
    return 0 if turns < 1 else int(np.floor(np.log(turns) / np.log(10000) * d / 2) + 1)


@ANSWERS.sample("full_cycles", "index-for-count")
def the_last_k_of_a_loop(T, d):
    last = 0
    for k in range(d // 2):
        if wavelength(k, d) <= T:
            last = k
    return last


for mistake, style, answer in (
    ("turns-added-up", "whole_turns_in_a_loop", lambda T, d: sum(int(T / wavelength(k, d)) for k in range(d // 2))),
    ("cycles", "by_frequencies", lambda T, d: sum(1 for k in range(d // 2) if T * 10000.0 ** (-2 * k / d) >= 1)),
    (
        "exponent-k-over-d",
        "base_100_in_a_loop",
        lambda T, d: sum(math.tau * 100 ** (2 * k / d) < T for k in range(d // 2)),
    ),
    ("nothing-found", "the_first_false", lambda T, d: np.argmin(all_wavelengths(d) <= T)),
    ("k-from-one", "pairs_from_one_in_a_loop", lambda T, d: sum(wavelength(k, d) <= T for k in range(1, d // 2 + 1))),
    (
        "wavelengths-alike",
        "divided_to_a_whole_number",
        lambda T, d: sum(math.tau * 10000 ** (2 * k // d) <= T for k in range(d // 2)),
    ),
    ("columns-for-pairs", "every_column_by_its_pair", lambda T, d: sum(wavelength(i // 2, d) <= T for i in range(d))),
    ("unknown", "nothing_returned", lambda T, d: print((all_wavelengths(d) <= T).sum())),
    ("unknown", "a_mask_in_place_of_a_count", lambda T, d: all_wavelengths(d) <= T),
    ("unknown", "without_two_pi_and_k_over_d", lambda T, d: int((10000.0 ** (np.arange(d // 2) / d) <= T).sum())),
    ("unseen", "pi_with_two_decimals", lambda T, d: int((all_wavelengths(d) * 3.14 / np.pi <= T).sum())),
    ("unseen", "pi_as_a_fraction", lambda T, d: int((all_wavelengths(d) * 22 / 7 / np.pi <= T).sum())),
):
    ANSWERS.several("full_cycles", mistake, **{style: answer})
