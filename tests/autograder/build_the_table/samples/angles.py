"""Lab 01, build the table: wrong positions and angles, in tables whose columns are as they should be."""

import math

import numpy as np

from . import B, TableSamples, angles_of, k_of, omega_of, weave

ANSWERS = TableSamples()
of_table = ANSWERS.of_table


@of_table("divided-by-T")
def exponent_over_T(T, d):
    return weave(np.arange(T)[:, None] * B ** (-2 * k_of(d) / T))


@of_table("divided-by-T")
def exponent_over_T_by_exp(T, d):
    return weave(np.arange(T)[:, None] / np.exp(np.log(B) * np.arange(0, d, 2) / T))


@of_table("raw-column-2j")
def column_number_doubled(T, d):
    table = np.zeros((T, d), np.float32)
    for p in range(T):
        for j in range(d):
            angle = p / B ** (2 * j / d)
            table[p, j] = math.sin(angle) if j % 2 == 0 else math.cos(angle)
    return table


@of_table("raw-column-2j")
def i_and_i_plus_1_doubled(T, d):
    table, p = np.zeros((T, d), np.float32), np.arange(T)
    for i in range(0, d, 2):
        table[:, i] = np.sin(p / B ** (2 * i / d))
        table[:, i + 1] = np.cos(p / B ** (2 * (i + 1) / d))
    return table


@of_table("raw-column-2j")
def whole_matrix_of_columns_doubled(T, d):
    angles = np.arange(T)[:, None] / np.power(B, 2 * np.arange(d)[None, :] / np.float32(d))
    angles[:, 0::2], angles[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
    return angles.astype(np.float32)


@of_table("raw-column-j")
def column_number(T, d):
    angles = np.arange(T)[:, None] / B ** (np.arange(d) / d)
    return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles)).astype(np.float32)


@of_table("raw-column-j")
def i_and_i_plus_1(T, d):
    table, p = np.zeros((T, d), np.float32), np.arange(T, dtype=np.float32)
    for i in range(0, d, 2):
        table[:, i] = np.sin(p / B ** (i / d))
        table[:, i + 1] = np.cos(p / B ** ((i + 1) / d))
    return table


@of_table("raw-column-j", "wrong-base")
def column_number_base_1000(T, d):
    angles = np.arange(T)[:, None] / 1e3 ** (np.arange(d) / d)
    return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles)).astype(np.float32)


@of_table("positions-from-one")
def arange_from_one(T, d):
    return weave(np.arange(1, T + 1)[:, None] * omega_of(d))


@of_table("positions-from-one")
def plus_one_in_float32(T, d):
    return weave((np.arange(T, dtype=np.float32) + 1)[:, None] * omega_of(d).astype(np.float32))


@of_table("positions-from-one")
def one_row_short(T, d):
    return weave(np.arange(1, max(T, 1))[:, None] * omega_of(d))


@of_table("rows-reversed")
def rows_flipped(T, d):
    return np.flipud(weave(angles_of(T, d)))


@of_table("rows-reversed")
def positions_counted_down(T, d):
    return weave(np.arange(T - 1, -1, -1)[:, None] * omega_of(d))


@of_table("rows-reversed", "positions-from-one")
def positions_from_T_down_to_1(T, d):
    return weave(np.arange(T, 0, -1)[:, None] * omega_of(d))


@of_table("negative-position")
def minus_p(T, d):
    return weave(-angles_of(T, d))


@of_table("negative-position")
def sines_negated(T, d):
    return weave(angles_of(T, d), lambda a: -np.sin(a))


@of_table("degrees")
def deg2rad_of_angles(T, d):
    return weave(np.deg2rad(angles_of(T, d)))


@of_table("degrees")
def times_pi_over_180(T, d):
    return weave(angles_of(T, d).astype(np.float32) * np.float32(np.pi / 180))


@of_table("cycles")
def two_pi_in_the_sine(T, d):
    return weave(angles_of(T, d), lambda a: np.sin(2 * np.pi * a), lambda a: np.cos(2 * np.pi * a))


@of_table("scaled-position")
def p_over_T(T, d):
    return weave(np.arange(T)[:, None] / max(T, 1) * omega_of(d))


@of_table("scaled-position")
def two_pi_p_over_T(T, d):
    return weave(2 * np.pi * np.arange(T)[:, None] / max(T, 1) * omega_of(d))


@of_table("scaled-position")
def linspace_0_to_1(T, d):
    return weave(np.linspace(0, 1, T)[:, None] * omega_of(d))


@of_table("scaled-position")
def linspace_0_to_2_pi(T, d):
    return weave(np.linspace(0, 2 * np.pi, T, endpoint=False)[:, None] * omega_of(d))


@of_table("floored-angle")
def floor_division(T, d):
    return weave(np.arange(T)[:, None] // B ** (2 * k_of(d) / d))


@of_table("floored-angle")
def angles_made_int(T, d):
    return weave(angles_of(T, d).astype(int))


@of_table("floored-angle")
def whole_denominators(T, d):
    return weave(np.arange(T)[:, None] // (B ** (2 * k_of(d) / d)).astype(int))


@of_table("floored-angle")
def angles_rounded(T, d):
    return weave(np.round(angles_of(T, d)))


@of_table("floored-angle", "swapped-sin-cos")
def floor_division_swapped(T, d):
    return weave(np.arange(T)[:, None] // B ** (2 * k_of(d) / d), np.cos, np.sin)


@of_table("operator-precedence")
def two_outside_the_exponent(T, d):
    return weave(np.arange(T)[:, None] / (10000**2 * k_of(d) / d))


@of_table("operator-precedence")
def two_outside_the_exponent_from_the_left(T, d):
    return weave(np.arange(T)[:, None] / 10000**2 * k_of(d) / d)


@of_table("operator-precedence")
def d_outside_the_exponent(T, d):
    return weave(np.arange(T)[:, None] / B ** (2 * k_of(d)) / d)


@of_table("operator-precedence")
def d_outside_the_exponent_float32(T, d):
    return weave(np.arange(T, dtype=np.float32)[:, None] / (B ** np.arange(0, d, 2) / d))
