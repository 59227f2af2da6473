"""Lab 01, build the table: further wrong answers, rarer ones and pairs of mistakes."""

import numpy as np

from . import B, TableSamples, angles_of, k_of, omega_of, weave

ANSWERS = TableSamples()
of_table, of_speeds = ANSWERS.of_table, ANSWERS.of_speeds

of_speeds(
    "geomspace to 1/1000", lambda d: np.geomspace(1, 1e-3, d // 2), "exponent-d-minus-2", "wrong-base", alone=False
)
of_speeds("k over d - 1", lambda d: B ** (-k_of(d) / (d - 1)), "exponent-k-over-d", "exponent-d-minus-1")
of_speeds("no minus, from one", lambda d: B ** (2 * (k_of(d) + 1) / d), "missing-minus", "k-from-one")
of_speeds("the log left out", lambda d: np.exp(-2 * k_of(d) / d * 10000), "lost-log")
of_speeds("2k over d + 1", lambda d: B ** (-2 * k_of(d) / (d + 1)), "unknown")
of_speeds("base d", lambda d: omega_of(d, float(d)), "unknown")


@of_table("wavelengths")
def wavelengths_for_frequencies(T, d):
    return weave(np.arange(T)[:, None] * 2 * np.pi / omega_of(d))


@of_table("frequency-outside")
def sine_of_p_times_speed(T, d):
    return (weave(np.arange(T)[:, None] * np.ones(d // 2)) * np.repeat(omega_of(d), 2)).astype(np.float32)


@of_table("operator-precedence")
def power_of_whole_numbers_overflows(T, d):
    return weave(np.arange(T)[:, None] / (10000 ** (2 * k_of(d)) / d))


@of_table("operator-precedence")
def power_of_the_position_too(T, d):
    return weave((np.arange(T)[:, None] / 10000) ** (2 * k_of(d) / d))


@of_table("operator-precedence", "halves-layout")
def two_outside_the_exponent_in_halves(T, d):
    angles = np.arange(T)[:, None] / (10000**2 * k_of(d) / d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


@of_table("low-precision")
def angles_of_three_decimals(T, d):
    return weave(np.round(angles_of(T, d), 3))


@of_table("low-precision")
def angles_through_float16(T, d):
    return weave(angles_of(T, d).astype(np.float16).astype(np.float32))


@of_table("low-precision", "swapped-sin-cos")
def swapped_in_float16(T, d):
    return weave(angles_of(T, d), np.cos, np.sin, np.float16)


@of_table("accumulated-angle", "positions-from-one")
def cumulated_from_the_first_step(T, d):
    return weave(np.cumsum(np.tile(omega_of(d).astype(np.float32), (T, 1)), axis=0, dtype=np.float32))


@of_table("integer-table", "swapped-sin-cos")
def whole_numbers_swapped(T, d):
    return weave(angles_of(T, d), np.cos, np.sin).astype(int).astype(np.float32)


@of_table("integer-table")
def unsigned_bytes(T, d):
    return weave(angles_of(T, d)).astype(np.int8).astype(np.uint8)


@of_table("wrong-container")
def a_tuple_of_sines_and_cosines(T, d):
    return np.sin(angles_of(T, d)), np.cos(angles_of(T, d))


@of_table("wrong-container")
def complex_dtype(T, d):
    return weave(angles_of(T, d)).astype(complex)


@of_table("wrong-container", "wrong-base")
def columns_as_rows_base_1000(T, d):
    return weave(angles_of(T, d, 1000.0)).T


@of_table("wrong-stack-axis")
def rows_of_sines_and_cosines_alternate(T, d):
    stacked = np.stack([np.sin(angles_of(T, d)), np.cos(angles_of(T, d))], axis=1)
    return stacked.reshape(2 * T, d // 2).astype(np.float32)


@of_table("negative-position", "halves-layout")
def halves_turning_backwards(T, d):
    return np.hstack([-np.sin(angles_of(T, d)), np.cos(angles_of(T, d))]).astype(np.float32)


_one = {}


@of_table("shared-state")
def one_table_for_every_size(T, d):
    return _one.setdefault("table", weave(angles_of(T, d)))


_buffer = np.zeros((1000, 64), np.float32)


@of_table("shared-state")
def one_buffer_for_every_call(T, d):
    view = _buffer[:T, :d]
    view[...] = weave(angles_of(T, d))
    return view


@of_table("shared-state")
def kept_in_a_default_argument(T, d, kept={}):
    return kept.setdefault((T, d), weave(angles_of(T, d)))


@of_table("doubled-angle")
def every_other_position(T, d):
    return weave(2 * angles_of(T, d))


@of_table("squared-position")
def positions_squared(T, d):
    return weave(np.arange(T)[:, None] ** 2 * omega_of(d))


@of_table("tangent")
def tangent(T, d):
    return weave(angles_of(T, d), np.sin, np.tan)


@of_table("all-negated")
def all_negated(T, d):
    return -weave(angles_of(T, d))


@of_table("last-row-missing")
def last_row_forgotten(T, d):
    table = weave(angles_of(T, d))
    table[-1:] = 0
    return table


@of_table("one-row-more")
def one_row_too_many(T, d):
    return weave(angles_of(T + 1, d))
