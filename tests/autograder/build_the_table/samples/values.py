"""Lab 01, build the table: wrong dtypes, containers and precision, tables that are shared, and sizes that are not refused."""

import functools
import math

import numpy as np

from . import B, TableSamples, angles_of, omega_of, weave

ANSWERS = TableSamples()
of_table = ANSWERS.of_table


@of_table("integer-table")
def into_an_integer_array(T, d):
    return weave(angles_of(T, d), dtype=np.int64)


@of_table("integer-table")
def made_int_and_cast_back(T, d):
    return weave(angles_of(T, d)).astype(int).astype(np.float32)


@of_table("integer-table")
def zeros_like_the_positions(T, d):
    table = np.zeros_like(np.arange(T)[:, None] * np.arange(d))
    table[:, 0::2], table[:, 1::2] = np.sin(angles_of(T, d)), np.cos(angles_of(T, d))
    return table


@of_table("integer-table")
def zeros_of_whole_numbers_cast_at_the_end(T, d):
    table = np.zeros((T, d), dtype=int)
    table[:, 0::2], table[:, 1::2] = np.sin(angles_of(T, d)), np.cos(angles_of(T, d))
    return table.astype(np.float32)


@of_table("integer-table")
def rounded_to_whole_numbers(T, d):
    return np.round(weave(angles_of(T, d)))


@of_table("low-precision")
def through_float16(T, d):
    return weave(angles_of(T, d), dtype=np.float16).astype(np.float32)


@of_table("low-precision")
def kept_in_float16(T, d):
    return weave(angles_of(T, d), dtype=np.float16)


@of_table("low-precision")
def four_decimals(T, d):
    return np.round(weave(angles_of(T, d)), 4)


@of_table("low-precision")
def three_decimals_by_loops(T, d):
    rows = [
        [round((math.cos if j % 2 else math.sin)(p * B ** (-2 * (j // 2) / d)), 3) for j in range(d)] for p in range(T)
    ]
    return np.array(rows, np.float32).reshape(T, d)


@of_table("low-precision")
def two_decimals(T, d):
    return np.round(weave(angles_of(T, d)), 2)


@of_table("low-precision")
def angles_in_float16(T, d):
    return weave(np.arange(T, dtype=np.float16)[:, None] * omega_of(d).astype(np.float16), dtype=np.float32)


@of_table("wrong-container")
def a_list_of_lists(T, d):
    return weave(angles_of(T, d)).tolist()


@of_table("wrong-container")
def a_list_of_rows(T, d):
    return list(weave(angles_of(T, d)))


@of_table("wrong-container")
def columns_as_rows(T, d):
    return weave(angles_of(T, d)).T


@of_table("wrong-container")
def with_a_batch_axis(T, d):
    return weave(angles_of(T, d))[None]


@of_table("wrong-container")
def with_a_batch_axis_in_the_middle(T, d):
    return weave(angles_of(T, d))[:, None, :]


@of_table("wrong-container")
def in_float64(T, d):
    return weave(angles_of(T, d), dtype=np.float64)


@of_table("wrong-container")
def flattened(T, d):
    return weave(angles_of(T, d)).ravel()


@of_table("wrong-container")
def pairs_not_flattened(T, d):
    a = angles_of(T, d)
    return np.stack([np.sin(a), np.cos(a)], axis=-1).astype(np.float32)


@of_table("unknown")
def of_objects(T, d):
    return weave(angles_of(T, d)).astype(object)


@of_table("accumulated-angle")
def cumulated_in_float32(T, d):
    steps = np.tile(omega_of(d).astype(np.float32), (T, 1))
    steps[:1] = 0
    return weave(np.cumsum(steps, axis=0, dtype=np.float32))


@of_table("accumulated-angle")
def added_row_by_row_in_float32(T, d):
    table, angle = np.zeros((T, d), np.float32), np.zeros(d // 2, np.float32)
    for p in range(T):
        table[p, 0::2], table[p, 1::2] = np.sin(angle), np.cos(angle)
        angle += (1 / B ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))).astype(np.float32)
    return table


@of_table("accumulated-angle")
def angles_kept_in_a_float32_table(T, d):
    angles = np.zeros((T, d // 2), np.float32)
    for p in range(1, T):
        angles[p] = angles[p - 1] + omega_of(d)
    return weave(angles)


_kept = {}
_one_kept = {}


@of_table("shared-state")
def kept_in_a_dictionary(T, d):
    if (T, d) not in _kept:
        _kept[T, d] = weave(angles_of(T, d))
    return _kept[T, d]


@of_table("shared-state")
@functools.lru_cache(maxsize=None)
def kept_by_lru_cache(T, d):
    return weave(angles_of(T, d))


@of_table("shared-state")
def view_of_a_larger_table(T, d):
    if d not in _one_kept or len(_one_kept[d]) < T:
        _one_kept[d] = weave(angles_of(max(T, 2000), d))
    return _one_kept[d][:T]


@functools.lru_cache
def _kept_base_1000(T, d):
    return weave(angles_of(T, d, 1000.0))


@of_table("shared-state", "wrong-base")
def kept_by_lru_cache_base_1000(T, d):
    return _kept_base_1000(T, d)


@ANSWERS.sample("sinusoidal_pe", "odd-d-accepted")
def odd_d_gives_one_column_more(T, d):
    if d <= 0 or T < 0:
        raise ValueError
    return weave(np.arange(T)[:, None] * B ** (-np.arange(0, d, 2) / d))


@ANSWERS.sample("sinusoidal_pe", "odd-d-accepted")
def odd_d_drops_a_cosine(T, d):
    if d <= 0 or T < 0:
        raise ValueError
    return weave(np.arange(T)[:, None] * B ** (-np.arange(0, d, 2) / d))[:, :d]


@ANSWERS.sample("sinusoidal_pe", "odd-d-accepted")
def odd_d_warns_and_goes_on(T, d):
    if d <= 0 or T < 0:
        raise ValueError
    return weave(angles_of(T, d - d % 2))


@ANSWERS.sample("sinusoidal_pe", "odd-d-accepted")
def odd_d_returns_nothing(T, d):
    if d <= 0 or T < 0:
        raise ValueError
    return weave(angles_of(T, d)) if d % 2 == 0 else None


@ANSWERS.sample("sinusoidal_pe", "odd-d-accepted", "degrees")
def odd_d_in_degrees(T, d):
    if d <= 0 or T < 0:
        raise ValueError
    return weave(np.deg2rad(np.arange(T)[:, None] * B ** (-np.arange(0, d, 2) / d)))


@ANSWERS.sample("sinusoidal_pe", "unknown")
def the_same_table_whatever_goes_in(T, d):
    return weave(angles_of(64, 32))


@ANSWERS.sample("sinusoidal_pe", "unknown")
def the_empty_table_refused(T, d):
    if d <= 0 or d % 2 or T <= 0:
        raise ValueError
    return weave(angles_of(T, d))
