"""Lab 01, build the table: wrong answers with two mistakes at once."""

import numpy as np

from . import B, TableSamples, angles_of, k_of, omega_of, weave

ANSWERS = TableSamples()
of_table = ANSWERS.of_table


@of_table("wrong-base", "swapped-sin-cos")
def base_1000_swapped(T, d):
    return weave(angles_of(T, d, 1000.0), np.cos, np.sin)


@of_table("halves-layout", "positions-from-one")
def halves_from_one(T, d):
    angles = np.arange(1, T + 1)[:, None] * omega_of(d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


@of_table("degrees", "frequencies-reversed")
def degrees_reversed(T, d):
    return weave(np.deg2rad(np.arange(T)[:, None] * omega_of(d)[::-1]))


@of_table("scaled-values", "swapped-sin-cos")
def over_sqrt_d_swapped(T, d):
    return weave(angles_of(T, d), np.cos, np.sin) / np.float32(np.sqrt(d))


@of_table("rows-reversed", "exponent-k-over-d")
def rows_reversed_k_over_d(T, d):
    return weave(np.arange(T)[:, None] * B ** (-k_of(d) / d))[::-1]


@of_table("halves-swapped", "exponent-d-minus-2")
def halves_swapped_d_minus_2(T, d):
    angles = np.arange(T)[:, None] * np.geomspace(1, 1e-4, d // 2)
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@of_table("wrong-container", "missing-minus")
def missing_minus_in_a_list(T, d):
    return weave(np.arange(T)[:, None] * B ** (2 * k_of(d) / d)).tolist()


@of_table("frequencies-reversed", "swapped-sin-cos")
def columns_reversed(T, d):
    return weave(angles_of(T, d))[:, ::-1]


@of_table("integer-division", "halves-layout")
def integer_division_in_halves(T, d):
    angles = np.arange(T)[:, None] * np.ones(d // 2)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


@of_table("scaled-position", "positions-from-one")
def positions_1_to_T_over_T(T, d):
    return weave(np.arange(1, T + 1)[:, None] / max(T, 1) * omega_of(d))
