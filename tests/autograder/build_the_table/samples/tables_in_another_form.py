"""Lab 01, build the table: wrong dtypes, containers and precision, shared tables, invalid sizes accepted, and mistakes without a name."""

import functools

import numpy as np

from autograder.samples import UNSEEN, Sample
from autograder.wrong_tables import table_of as in_float64

from . import TableSamples, angles_of, omega_of, refuse, weave

ANSWERS = TableSamples()
of_table, tables = ANSWERS.of_table, ANSWERS.tables


def right(T, d):
    return weave(angles_of(T, d))


def zeros_like_the_positions(T, d):
    table = np.zeros_like(np.arange(T)[:, None] * np.arange(d))
    table[:, 0::2], table[:, 1::2] = np.sin(angles_of(T, d)), np.cos(angles_of(T, d))
    return table


def angles_kept_in_float32(T, d):
    angles = np.zeros((T, d // 2), np.float32)
    for p in range(1, T):
        angles[p] = angles[p - 1] + omega_of(d)
    return weave(angles)


tables(
    "integer-table",
    zeros_like_the_positions=zeros_like_the_positions,
    zeros_of_whole_numbers_cast_at_the_end=lambda T, d: zeros_like_the_positions(T, d).astype(np.float32),
    rounded_to_whole_numbers=lambda T, d: np.round(right(T, d)),
    unsigned_bytes=lambda T, d: right(T, d).astype(np.int8).astype(np.uint8),
)
tables(
    "low-precision",
    through_float16=lambda T, d: right(T, d).astype(np.float16).astype(np.float32),
    four_decimals=lambda T, d: np.round(right(T, d), 4),
    angles_in_float16=lambda T, d: weave(np.arange(T, dtype="f2")[:, None] * omega_of(d).astype("f2")),
)
tables("low-precision swapped-sin-cos", swapped_in_float16=lambda T, d: weave(angles_of(T, d), np.cos, np.sin, "f2"))
tables(
    "integer-table swapped-sin-cos", whole_numbers_swapped=lambda T, d: np.trunc(weave(angles_of(T, d), np.cos, np.sin))
)
tables(
    "accumulated-angle",
    cumulated_in_float32=lambda T, d: weave(
        np.cumsum(np.tile(omega_of(d).astype("f4"), (T, 1)) * (np.arange(T) > 0)[:, None], axis=0, dtype="f4")
    ),
    angles_kept_in_a_float32_table=angles_kept_in_float32,
)
tables(
    "accumulated-angle positions-from-one",
    cumulated_from_the_first_step=lambda T, d: weave(
        np.cumsum(np.tile(omega_of(d).astype("f4"), (T, 1)), axis=0, dtype="f4")
    ),
)


def in_form(mistakes, **styles):
    """Add sample answers that return something other than a float32 array."""
    for style, function in styles.items():
        function.__name__ = style
        of_table(*mistakes.split())(function)


in_form(
    "wrong-container",
    a_list_of_lists=lambda T, d: right(T, d).tolist(),
    a_list_of_rows=lambda T, d: list(right(T, d)),
    columns_as_rows=lambda T, d: right(T, d).T,
    with_a_batch_axis=lambda T, d: right(T, d)[None],
    with_a_batch_axis_in_the_middle=lambda T, d: right(T, d)[:, None, :],
    in_float64=lambda T, d: in_float64(T, d),
    flattened=lambda T, d: right(T, d).ravel(),
    pairs_not_flattened=lambda T, d: right(T, d).reshape(T, d // 2, 2),
    a_tuple_of_sines_and_cosines=lambda T, d: (np.sin(angles_of(T, d)), np.cos(angles_of(T, d))),
    complex_dtype=lambda T, d: right(T, d).astype(complex),
)
in_form("wrong-container wrong-base", columns_as_rows_base_1000=lambda T, d: weave(angles_of(T, d, 1000.0)).T)
in_form(
    "wrong-container missing-minus",
    missing_minus_in_a_list=lambda T, d: weave(np.arange(T)[:, None] / omega_of(d)).tolist(),
)

_one_kept, _buffer = {}, np.zeros((1000, 64), np.float32)


def view_of_a_larger_table(T, d):
    if d not in _one_kept or len(_one_kept[d]) < T:
        _one_kept[d] = right(max(T, 2000), d)
    return _one_kept[d][:T]


def one_buffer_for_every_call(T, d):
    view = _buffer[:T, :d]
    view[...] = right(T, d)
    return view


tables(
    "shared-state",
    kept_by_lru_cache=functools.lru_cache(right),
    kept_in_a_default_argument=lambda T, d, kept={}: kept.setdefault((T, d), right(T, d)),
    view_of_a_larger_table=view_of_a_larger_table,
    one_buffer_for_every_call=one_buffer_for_every_call,
)
tables(
    "shared-state wrong-base",
    kept_by_lru_cache_base_1000=functools.lru_cache(lambda T, d: weave(angles_of(T, d, 1000.0))),
)


def accepting_odd_d(mistakes="odd-d-accepted", **styles):
    """Add table functions that accept any positive d, even or odd."""
    for style, function in styles.items():

        def table(T, d, function=function):
            refuse(T, max(d, 0) // 2 * 2 + 2 * (d == 1))
            return function(T, d)

        ANSWERS.append(Sample("sinusoidal_pe", style, table, tuple(mistakes.split())))


def with_half_a_pair(T, d):
    """The angles of each pair. If d is odd, the last column counts as a pair."""
    return np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)


accepting_odd_d(
    odd_d_gives_one_column_more=lambda T, d: weave(with_half_a_pair(T, d)),
    odd_d_drops_a_cosine=lambda T, d: weave(with_half_a_pair(T, d))[:, :d],
    odd_d_gives_one_column_less=lambda T, d: right(T, d - d % 2),
    odd_d_returns_nothing=lambda T, d: right(T, d) if d % 2 == 0 else None,
)
accepting_odd_d("odd-d-accepted degrees", odd_d_in_degrees=lambda T, d: weave(np.deg2rad(with_half_a_pair(T, d))))


def one_cell_off(T, d):
    table = right(T, d)
    table[2:3, 1:2] += 0.01
    return table


tables(
    "unknown",
    random_numbers=lambda T, d: np.random.default_rng(0).uniform(-1, 1, (T, d)),
    positions_from_two=lambda T, d: weave(angles_of(T + 2, d)[2:]),
    one_cell_off=one_cell_off,
    a_phase_in_each_pair=lambda T, d: weave(angles_of(T, d) + 0.3 * np.arange(d // 2)),
    noise_on_top=lambda T, d: right(T, d) + np.random.default_rng(0).normal(0, 1e-3, (T, d)),
    columns_shuffled=lambda T, d: right(T, d)[:, np.random.default_rng(d).permutation(d)],
    rows_shuffled=lambda T, d: right(T, d)[np.random.default_rng(5).permutation(T)],
    columns_normalised=lambda T, d: (
        in_float64(T, d) / np.maximum(np.abs(in_float64(T, d)).max(axis=0, initial=0), 1e-9)
    ),
    signs_only=lambda T, d: np.sign(right(T, d)),
    right_for_small_tables_only=lambda T, d: right(T, d) if T < 50 else weave(angles_of(T, d, 1000.0)),
    of_objects=lambda T, d: right(T, d).astype(object),
    complex_numbers=lambda T, d: np.exp(1j * angles_of(T, d)).astype(np.complex64),
    turning_a_little_faster_at_each_row=lambda T, d: weave(angles_of(T, d) * (1 + 1e-3 * np.arange(T)[:, None])),
)
tables(
    UNSEEN,
    five_thousand_rows_made_once=lambda T, d: right(5000, d)[:T],
    positions_in_float16=lambda T, d: weave(np.arange(T, dtype=np.float16)[:, None] * omega_of(d)),
)
in_form("unknown", a_number=lambda T, d: 0.0, a_string=lambda T, d: "table", an_index_error=lambda T, d: [][T])

unnamed = ANSWERS.sample("sinusoidal_pe", "unknown")


@unnamed
def the_same_table_whatever_goes_in(T, d):
    return right(64, 32)


@ANSWERS.sample("sinusoidal_pe", "empty-table-refused")
def the_empty_table_refused(T, d):
    refuse(T - 1, d)
    return right(T, d)


@ANSWERS.sample("sinusoidal_pe", "empty-table-refused")
def rows_stacked(T, d):
    refuse(T, d)
    return np.vstack([right(p + 1, d)[-1] for p in range(T)])


@unnamed
def negative_T_accepted(T, d):
    refuse(0, d)
    return right(max(T, 0), d)


@unnamed
def asserts_in_place_of_ValueError(T, d):
    assert d > 0 and d % 2 == 0 and T >= 0
    return right(T, d)


@unnamed
def an_error_returned(T, d):
    if T < 0 or d <= 0 or d % 2:
        return ValueError("no such table")
    return right(T, d)
