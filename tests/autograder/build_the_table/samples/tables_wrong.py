"""Lab 01, build the table: wrong positions, angles and columns, one mistake or two at once, and those of public programs."""

import math

import numpy as np

from autograder.shipped import shipped_samples

from . import B, TableSamples, angles_of, k_of, omega_of, weave

ANSWERS = TableSamples(shipped_samples("sinusoidal_pe"))
of_table, tables = ANSWERS.of_table, ANSWERS.tables


def rows_of(T):
    return np.arange(T)[:, None]


def halves(angles, first=np.sin, second=np.cos):
    return np.hstack([first(angles), second(angles)]).astype(np.float32)


def cleared(table, rows=slice(None), columns=slice(None)):
    """Set these rows and columns of a table to zero."""
    table[rows, columns] = 0
    return table


ROW_0 = slice(1)


tables(
    "divided-by-T", exponent_over_T_by_exp=lambda T, d: weave(rows_of(T) / np.exp(np.log(B) * np.arange(0, d, 2) / T))
)
tables(
    "positions-from-one",
    plus_one_in_float32=lambda T, d: weave((rows_of(T).astype("f4") + 1) * omega_of(d).astype("f4")),
    one_row_short=lambda T, d: weave(np.arange(1, max(T, 1))[:, None] * omega_of(d)),
)
tables("rows-reversed", positions_counted_down=lambda T, d: weave(np.arange(T - 1, -1, -1)[:, None] * omega_of(d)))
tables("negative-position", sines_negated=lambda T, d: weave(angles_of(T, d), lambda a: -np.sin(a)))
tables("degrees", times_pi_over_180=lambda T, d: weave(angles_of(T, d).astype("f4") * np.float32(np.pi / 180)))
tables(
    "scaled-position",
    p_over_T=lambda T, d: weave(rows_of(T) / max(T, 1) * omega_of(d)),
    linspace_0_to_1=lambda T, d: weave(np.linspace(0, 1, T)[:, None] * omega_of(d)),
    linspace_0_to_2_pi=lambda T, d: weave(np.linspace(0, 2 * np.pi, T, endpoint=False)[:, None] * omega_of(d)),
)
tables(
    "floored-angle",
    floor_division=lambda T, d: weave(rows_of(T) // B ** (2 * k_of(d) / d)),
    whole_denominators=lambda T, d: weave(rows_of(T) // (B ** (2 * k_of(d) / d)).astype(int)),
    angles_rounded=lambda T, d: weave(np.round(angles_of(T, d))),
)
tables(
    "operator-precedence",
    two_outside_the_exponent=lambda T, d: weave(rows_of(T) / (10000**2 * k_of(d) / d)),
    d_outside_the_exponent=lambda T, d: weave(rows_of(T) / B ** (2 * k_of(d)) / d),
    power_of_whole_numbers_overflows=lambda T, d: weave(rows_of(T) / (10000 ** (2 * k_of(d)) / d)),
)
tables("halves-layout", halves_in_float32=lambda T, d: halves(rows_of(T).astype("f4") * omega_of(d).astype("f4")))
tables(
    "swapped-sin-cos",
    cosines_in_even_columns_by_loops=lambda T, d: np.array(
        [[(math.sin if j % 2 else math.cos)(p * B ** (-2 * (j // 2) / d)) for j in range(d)] for p in range(T)], "f4"
    ).reshape(T, d),
)
tables("same-function-twice", repeated_sines=lambda T, d: np.repeat(np.sin(angles_of(T, d)), 2, axis=1))
tables(
    "columns-unwritten",
    ones_left=lambda T, d: weave(angles_of(T, d), np.sin, lambda a: 1),
    not_a_number_left=lambda T, d: weave(angles_of(T, d), np.sin, lambda a: np.nan),
    only_the_first_half_of_the_pairs=lambda T, d: cleared(
        weave(angles_of(T, d)), columns=np.s_[2 * max(2, d // 4) :] if d > 6 else np.s_[1::2]
    ),
)
tables("cos-of-sin", sine_of_the_cosine=lambda T, d: weave(angles_of(T, d), lambda a: np.sin(np.cos(a)), np.cos))
tables(
    "position-over-d",
    position_is_the_column=lambda T, d: np.tile(weave(np.arange(0, d, 2)[None, :] * omega_of(d)), (T, 1)),
    position_is_the_pair=lambda T, d: np.zeros((T, d)) + weave((k_of(d) * omega_of(d))[None, :]),
    positions_run_over_d=lambda T, d: weave(angles_of(d, d)),
)
tables(
    "padding-row",
    zeros_before_the_rows=lambda T, d: np.vstack([np.zeros((min(T, 1), d)), weave(angles_of(max(T - 1, 0), d))]),
    a_row_of_zeros_more=lambda T, d: np.vstack([np.zeros((min(T, 1), d)), weave(angles_of(T, d))]),
)
tables("last-pair-missing", two_columns_short=lambda T, d: weave(angles_of(T, d))[:, :-2])
tables("wavelengths", wavelengths_by_division=lambda T, d: weave(rows_of(T) / (omega_of(d) / (2 * np.pi))))


@of_table("raw-column-j")
def i_and_i_plus_1(T, d):
    table, p = np.zeros((T, d), np.float32), np.arange(T, dtype=np.float32)
    for i in range(0, d, 2):
        table[:, i] = np.sin(p / B ** (i / d))
        table[:, i + 1] = np.cos(p / B ** ((i + 1) / d))
    return table


@of_table("cos-of-sin")
def cosine_of_what_was_written(T, d):
    table = np.repeat(angles_of(T, d), 2, axis=1).astype(np.float32)
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 0::2])
    return table


def stacked(**styles):
    """Stack or reshape sines and cosines along another axis."""
    for style, arrange in styles.items():

        def table(T, d, arrange=arrange):
            return arrange(np.sin(angles_of(T, d)), np.cos(angles_of(T, d)), T, d)

        tables("wrong-stack-axis", **{f"stacked_{style}": table})


stacked(
    on_axis_0_in_order_F=lambda s, c, T, d: np.stack([s, c]).reshape(T, d, order="F"),
    transposed=lambda s, c, T, d: np.stack([s.T, c.T]).reshape(T, d),
    as_d_by_T=lambda s, c, T, d: np.stack([s, c], axis=-1).reshape(d, T).T,
    on_axis_0_and_not_reshaped=lambda s, c, T, d: np.stack([s, c]),
    so_that_rows_alternate=lambda s, c, T, d: np.stack([s, c], axis=1).reshape(2 * T, d // 2),
)


def scaled(mistakes, base=B, **styles):
    """Multiply or shift all values of a table."""
    for style, change in styles.items():

        def table(T, d, change=change):
            right = weave(angles_of(T, d, base), dtype=np.float64)
            return change(right) if T else right

        tables(mistakes, **{style: table})


scaled(
    "scaled-values",
    rows_normalised=lambda t: t / np.linalg.norm(t, axis=1, keepdims=True),
    mapped_to_0_and_1_by_its_extremes=lambda t: (t - t.min()) / (t.max() - t.min()),
    standardised=lambda t: (t - t.mean()) / t.std(),
    times_d=lambda t: t * t.shape[1],
)
scaled("scaled-values wrong-base", 1e3, times_sqrt_d_base_1000=lambda t: t * np.sqrt(t.shape[1]))
scaled("scaled-values wrong-base", 1e5, mapped_to_0_and_1_base_1e5=lambda t: (t + 1) / 2)

# two at once
tables(
    "raw-column-j wrong-base",
    column_number_base_1000=lambda T, d: np.where(
        np.arange(d) % 2, np.cos(a := rows_of(T) / 1e3 ** (np.arange(d) / d)), np.sin(a)
    ),
)
tables(
    "rows-reversed positions-from-one",
    positions_from_T_down_to_1=lambda T, d: weave(np.arange(T, 0, -1)[:, None] * omega_of(d)),
)
tables(
    "floored-angle swapped-sin-cos",
    floor_division_swapped=lambda T, d: weave(rows_of(T) // B ** (2 * k_of(d) / d), np.cos, np.sin),
)
tables("same-function-twice halves-layout", sines_in_both_halves=lambda T, d: halves(angles_of(T, d), np.sin, np.sin))
tables(
    "same-function-twice wrong-base", sine_twice_base_1000=lambda T, d: weave(angles_of(T, d, 1000.0), np.sin, np.sin)
)
tables(
    "columns-unwritten wrong-base", sines_only_base_1e5=lambda T, d: weave(angles_of(T, d, 1e5), np.sin, lambda a: 0)
)
tables(
    "columns-unwritten positions-from-one",
    cosines_only_from_one=lambda T, d: weave(angles_of(T + 1, d)[1:], lambda a: 0, np.cos),
)
tables(
    "wrong-stack-axis wrong-base",
    stacked_on_axis_0_base_1e5=lambda T, d: np.stack(
        [np.sin(angles_of(T, d, 1e5)), np.cos(angles_of(T, d, 1e5))]
    ).reshape(T, d),
)
tables("padding-row wrong-base", row_0_cleared_base_1000=lambda T, d: cleared(weave(angles_of(T, d, 1000.0)), ROW_0))
tables("padding-row halves-layout", row_0_cleared_in_halves=lambda T, d: cleared(halves(angles_of(T, d)), ROW_0))
tables(
    "last-pair-missing wrong-base",
    range_stops_early_base_1000=lambda T, d: cleared(weave(angles_of(T, d, 1000.0)), columns=[d - 2, d - 1]),
)
tables(
    "last-pair-missing halves-layout",
    range_stops_early_in_halves=lambda T, d: cleared(halves(angles_of(T, d)), columns=[d // 2 - 1, d - 1]),
)
tables("wrong-base swapped-sin-cos", base_1000_swapped=lambda T, d: weave(angles_of(T, d, 1000.0), np.cos, np.sin))
tables("halves-layout positions-from-one", halves_from_one=lambda T, d: halves(angles_of(T + 1, d)[1:]))
tables(
    "scaled-values swapped-sin-cos",
    over_sqrt_d_swapped=lambda T, d: weave(angles_of(T, d), np.cos, np.sin) / np.float32(np.sqrt(d)),
)
tables(
    "rows-reversed exponent-k-over-d", rows_reversed_k_over_d=lambda T, d: weave(rows_of(T) * B ** (-k_of(d) / d))[::-1]
)
tables(
    "halves-swapped exponent-d-minus-2",
    halves_swapped_d_minus_2=lambda T, d: halves(rows_of(T) * np.geomspace(1, 1e-4, d // 2), np.cos, np.sin),
)
tables("frequencies-reversed swapped-sin-cos", columns_reversed=lambda T, d: weave(angles_of(T, d))[:, ::-1])
tables("integer-division halves-layout", integer_division_in_halves=lambda T, d: halves(rows_of(T) * np.ones(d // 2)))
tables(
    "scaled-position positions-from-one",
    positions_1_to_T_over_T=lambda T, d: weave(np.arange(1, T + 1)[:, None] / max(T, 1) * omega_of(d)),
)
tables(
    "operator-precedence halves-layout",
    two_outside_the_exponent_in_halves=lambda T, d: halves(rows_of(T) / (10000**2 * k_of(d) / d)),
)
tables("negative-position halves-layout", halves_turning_backwards=lambda T, d: halves(-angles_of(T, d)))


def bfloat16(values):
    """Keep the upper 16 bits of each float32, rounded to nearest even."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


@of_table("low-precision")
def all_in_bfloat16(T, d):
    angles = bfloat16(bfloat16(np.arange(T)[:, None]) * bfloat16(omega_of(d)))
    return weave(angles, lambda a: bfloat16(np.sin(a)), lambda a: bfloat16(np.cos(a)))
