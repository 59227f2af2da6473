"""Lab 02, heatmap: right and wrong answers to `full_cycles`."""

import math

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


@ANSWERS.sample("full_cycles")
def vectorised(T, d):
    k = np.arange(d // 2)
    return np.sum(2 * np.pi * 10000 ** (2 * k / d) <= T)


@ANSWERS.sample("full_cycles")
def counted_in_a_loop(T, d):
    count = 0
    for k in range(d // 2):
        if T * 10000 ** (-2 * k / d) >= 2 * np.pi:
            count += 1
    return count


@ANSWERS.sample("full_cycles")
def by_bisection_in_float32(T, d):
    wavelengths = np.float32(2 * np.pi) * np.float32(10000) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    return int(np.searchsorted(wavelengths, T, side="right"))


@ANSWERS.sample("full_cycles")
def solved_for_k(T, d):
    turns = T / (2 * np.pi)
    return 0 if turns < 1 else float(min(d // 2, np.floor(np.log(turns) / np.log(10000) * d / 2) + 1))


@ANSWERS.sample("full_cycles")
def true_counts_as_one(T, d):
    return sum(2 * np.pi / 10000 ** (-2 * k / d) <= T for k in range(d // 2))


@ANSWERS.sample("full_cycles")
def turns_floored(T, d):
    turns = T * 10000.0 ** (-2 * np.arange(d // 2) / d) / (2 * np.pi)
    return int(np.count_nonzero(np.floor(turns)))


@ANSWERS.sample("full_cycles")
def a_list_of_pairs(T, d):
    return len([k for k in range(d // 2) if 2 * math.pi * math.exp(2 * k / d * math.log(10000)) <= T])


@ANSWERS.sample("full_cycles")
def stops_at_the_first_slow_pair(T, d):
    k = 0
    while k < d // 2 and 2 * np.pi * 10000 ** (2 * k / d) <= T:
        k += 1
    return np.int64(k)


@ANSWERS.sample("full_cycles")
def by_the_angle_at_position_T(T, d):
    angles = T * np.geomspace(1, 10000 ** (-(d - 2) / d), d // 2)
    return int((angles >= 2 * np.pi).sum())


@ANSWERS.sample("full_cycles", "beyond-the-last-pair")
def solved_for_k_without_an_end(T, d):
    turns = T / (2 * np.pi)
    return 0 if turns < 1 else int(np.floor(np.log(turns) / np.log(10000) * d / 2) + 1)


@ANSWERS.sample("full_cycles", "unknown")
def nothing_returned(T, d):
    print((2 * np.pi * 10000.0 ** (2 * np.arange(d // 2) / d) <= T).sum())


@ANSWERS.sample("full_cycles", "unknown")
def a_mask_in_place_of_a_count(T, d):
    return 2 * np.pi * 10000 ** (2 * np.arange(d // 2) / d) <= T


@ANSWERS.sample("full_cycles", "turns-added-up")
def whole_turns_of_all_pairs(T, d):
    return sum(int(T / (2 * np.pi * 10000 ** (2 * k / d))) for k in range(d // 2))


@ANSWERS.sample("full_cycles", "turns-added-up")
def turns_of_all_pairs_rounded(T, d):
    return round(sum(T / (2 * np.pi * 10000 ** (2 * k / d)) for k in range(d // 2)))


@ANSWERS.sample("full_cycles", "cycles")
def by_frequencies_in_place_of_wavelengths(T, d):
    return sum(1 for k in range(d // 2) if T * 10000.0 ** (-2 * k / d) >= 1)


@ANSWERS.sample("full_cycles", "exponent-k-over-d")
def base_100_in_a_loop(T, d):
    return len([k for k in range(d // 2) if 2 * math.pi * 100 ** (2 * k / d) < T])


@ANSWERS.sample("full_cycles", "index-for-count")
def the_last_k_of_a_loop(T, d):
    last = 0
    for k in range(d // 2):
        if 2 * math.pi * 10000 ** (2 * k / d) <= T:
            last = k
    return last


@ANSWERS.sample("full_cycles", "nothing-found")
def the_first_false(T, d):
    return np.argmin(2 * np.pi * 10000 ** (2 * np.arange(d // 2) / d) <= T)


@ANSWERS.sample("full_cycles", "k-from-one")
def pairs_from_one_in_a_loop(T, d):
    return sum(2 * math.pi * 10000 ** (2 * k / d) <= T for k in range(1, d // 2 + 1))


@ANSWERS.sample("full_cycles", "wavelengths-alike")
def divided_to_a_whole_number(T, d):
    return sum(2 * math.pi * 10000 ** (2 * k // d) <= T for k in range(d // 2))


@ANSWERS.sample("full_cycles", "columns-for-pairs")
def every_column_by_its_pair(T, d):
    return sum(2 * np.pi * 10000 ** (2 * (i // 2) / d) <= T for i in range(d))


@ANSWERS.sample("full_cycles", "unknown")
def without_two_pi_and_k_over_d(T, d):
    return int((10000.0 ** (np.arange(d // 2) / d) <= T).sum())


@ANSWERS.sample("full_cycles", "unseen")
def pi_with_two_decimals(T, d):
    return int((2 * 3.14 * 10000 ** (2 * np.arange(d // 2) / d) <= T).sum())


@ANSWERS.sample("full_cycles", "unseen")
def pi_as_a_fraction(T, d):
    return int((44 / 7 * 10000 ** (2 * np.arange(d // 2) / d) <= T).sum())


@ANSWERS.sample("full_cycles")
def by_logarithms(T, d):
    return 0 if T < 2 * math.pi else min(d // 2, math.floor(d / 2 * math.log(T / (2 * math.pi), 10_000)) + 1)
