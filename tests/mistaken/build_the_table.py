"""Lab 01, build the table: wrong answers, each with the mistakes it makes; "unknown" where the catalogue has no name."""

import functools
import math

import numpy as np
from table_samples import B, TableSamples, angles_of, k_of, omega_of, refuse, weave

from mistaken import Sample

ANSWERS = TableSamples()
of_table, of_speeds = ANSWERS.of_table, ANSWERS.of_speeds

of_speeds("exponent k/d", lambda d: B ** (-k_of(d) / d), "exponent-k-over-d")
of_speeds("exp of k log / d", lambda d: np.exp(-k_of(d) * np.log(B) / d), "exponent-k-over-d")
of_speeds("base 100", lambda d: omega_of(d, 100.0), "exponent-k-over-d")
of_speeds("2 times arange by 2", lambda d: 1 / B ** (2 * np.arange(0, d, 2) / d), "exponent-4k-over-d")
of_speeds("2k over d/2", lambda d: 1 / B ** (2 * k_of(d) / (d // 2)), "exponent-4k-over-d")
of_speeds("base 1e8", lambda d: omega_of(d, 1e8), "exponent-4k-over-d")
of_speeds("2k over d - 2", lambda d: B ** (-2 * k_of(d) / (d - 2)), "exponent-d-minus-2")
of_speeds("linspace to 1", lambda d: B ** -np.linspace(0, 1, d // 2), "exponent-d-minus-2")
of_speeds("geomspace to 1/base", lambda d: np.geomspace(1, 1e-4, d // 2), "exponent-d-minus-2")
of_speeds("k over n - 1", lambda d: np.exp(-np.log(B) * k_of(d) / (d // 2 - 1)), "exponent-d-minus-2")
of_speeds("2k over d - 1", lambda d: B ** (-2 * k_of(d) / (d - 1)), "exponent-d-minus-1")
of_speeds("2k/d - 1", lambda d: B ** -(2 * k_of(d) / d - 1), "exponent-d-minus-1")
of_speeds("arange from 1", lambda d: B ** (-2 * np.arange(1, d // 2 + 1) / d), "k-from-one")
of_speeds("2k + 1", lambda d: B ** (-(2 * k_of(d) + 1) / d), "k-from-one")
of_speeds("linspace without 0", lambda d: B ** -np.linspace(0, 1, d // 2 + 1)[1:], "k-from-one")
of_speeds("2k // d", lambda d: B ** -(2 * k_of(d) // d).astype(float), "integer-division")
of_speeds("-2k // d", lambda d: B ** (-2 * k_of(d) // d).astype(float), "integer-division")
of_speeds("2 * (k // d)", lambda d: 1 / B ** (2 * (k_of(d) // d)), "integer-division")
of_speeds("exponent made int", lambda d: 1 / B ** (2 * k_of(d) / d).astype(int), "integer-division")
of_speeds("no minus", lambda d: B ** (2 * k_of(d) / d), "missing-minus")
of_speeds("exp without minus", lambda d: np.exp(k_of(d) * 2 * np.log(B) / d), "missing-minus")
of_speeds("wavelength over 2 pi", lambda d: 1 / omega_of(d), "missing-minus")
of_speeds("exp of -2k/d", lambda d: np.exp(-2 * k_of(d) / d), "lost-log")
of_speeds("log10", lambda d: np.exp(-2 * k_of(d) / d * np.log10(B)), "lost-log")
of_speeds("log2", lambda d: np.exp(np.arange(0, d, 2) * -(math.log2(B) / d)), "lost-log")
for base in (1e3, 1e5, 1e6, 5e5, 500.0, 12345.0, 2e4, 10.0, 1000000.0, 9000.0):
    of_speeds(f"base {base:g}", lambda d, base=base: omega_of(d, base), "wrong-base")
of_speeds("exp of the log of 1000", lambda d: np.exp(-2 * k_of(d) / d * np.log(1000)), "wrong-base")
of_speeds("reversed", lambda d: omega_of(d)[::-1], "frequencies-reversed")
of_speeds("k counted down", lambda d: B ** (-2 * np.arange(d // 2 - 1, -1, -1) / d), "frequencies-reversed")
of_speeds("sorted", lambda d: np.sort(omega_of(d)), "frequencies-reversed")
of_speeds("linspace of speeds", lambda d: np.linspace(1, 1e-4, d // 2), "arithmetic-frequencies")
of_speeds("1 - 2k/d", lambda d: 1 - 2 * k_of(d) / d, "arithmetic-frequencies")
of_speeds("one step more each", lambda d: 0.01 * (k_of(d) + 1), "arithmetic-frequencies")
of_speeds("linspace down to 0", lambda d: np.linspace(1, 0, d // 2), "arithmetic-frequencies")
of_speeds("whole numbers", lambda d: k_of(d) + 1.0, "arithmetic-frequencies")
of_speeds("radians of speeds", lambda d: np.radians(omega_of(d)), "degrees")
of_speeds("speeds in degrees", lambda d: np.degrees(omega_of(d)), "degrees")
of_speeds("times 2 pi", lambda d: 2 * np.pi * omega_of(d), "cycles")
of_speeds("over 2 pi", lambda d: omega_of(d) / (2 * np.pi), "cycles")
of_speeds("float16 speeds", lambda d: omega_of(d).astype(np.float16).astype(np.float32), "low-precision")
of_speeds("speeds of 4 decimals", lambda d: np.round(omega_of(d), 4), "low-precision")
of_speeds("speeds of 3 decimals", lambda d: np.round(omega_of(d), 3), "low-precision")
of_speeds("harmonic", lambda d: 1 / (1 + k_of(d)), "unknown")
of_speeds("quadratic exponent", lambda d: B ** -((2 * k_of(d) / d) ** 2), "unknown")
of_speeds("square root", lambda d: np.sqrt(omega_of(d)) * 0.9, "unknown")
of_speeds("random", lambda d: np.random.default_rng(3).uniform(0.1, 1, d // 2), "unknown")
of_speeds("two regimes", lambda d: np.where(k_of(d) < d // 4, omega_of(d), omega_of(d, 300.0)), "unknown")
of_speeds("base 1000 counted from one", lambda d: 1000.0 ** (-2 * (k_of(d) + 1) / d), "wrong-base", "k-from-one")
of_speeds("base 1e5 reversed", lambda d: omega_of(d, 1e5)[::-1], "wrong-base", "frequencies-reversed")
of_speeds("reversed in degrees", lambda d: np.radians(omega_of(d)[::-1]), "degrees", "frequencies-reversed")
of_speeds("no minus, k/d", lambda d: B ** (k_of(d) / d), "missing-minus", "exponent-k-over-d")
of_speeds("base 777 with 2 pi", lambda d: 2 * np.pi * omega_of(d, 777.0), "wrong-base", "cycles")
of_speeds("k/d from one", lambda d: B ** (-(k_of(d) + 1) / d), "exponent-k-over-d", "k-from-one")


def answers_frequencies(style, make, *mistakes):
    ANSWERS.append(Sample("frequencies", style, make, mistakes))


answers_frequencies("wavelengths", lambda d: 2 * np.pi / omega_of(d), "unknown")
answers_frequencies("half the speeds", lambda d: omega_of(d) / 2, "unknown")
answers_frequencies("a list", lambda d: list(omega_of(d)), "wrong-container")
answers_frequencies("a tuple of floats", lambda d: tuple(map(float, omega_of(d))), "wrong-container")
answers_frequencies("a row of a matrix", lambda d: omega_of(d)[None, :], "wrong-container")
answers_frequencies("a column", lambda d: omega_of(d).reshape(-1, 1), "wrong-container")
answers_frequencies("each twice", lambda d: np.repeat(omega_of(d), 2), "wrong-container")
answers_frequencies("one per column, j", lambda d: B ** (-np.arange(d) / d), "raw-column-j")
answers_frequencies("one per column, 2j", lambda d: B ** (-2 * np.arange(d) / d), "raw-column-2j")
answers_frequencies("one too few", lambda d: B ** (-2 * np.arange(d // 2 - 1) / d), "last-pair-missing")
answers_frequencies("range from one, one too few", lambda d: B ** (-2 * np.arange(1, d // 2) / d), "k-from-one")
answers_frequencies("2 left out of the brackets", lambda d: np.divide(1.0, B**2 * k_of(d) / d), "operator-precedence")
answers_frequencies("base to minus 2, times k/d", lambda d: B**-2 * k_of(d) / d, "operator-precedence")
answers_frequencies("as integers", lambda d: omega_of(d).astype(int), "integer-table")
answers_frequencies("a single number", lambda d: B ** (-2 / d), "unknown")
answers_frequencies("nothing", lambda d: None, "unknown")
answers_frequencies("stops", lambda d: omega_of(d) + undefined_name, "unknown")
answers_frequencies("no speeds at all", lambda d: np.zeros(d // 2), "unknown")
answers_frequencies("base 1000 as a list", lambda d: list(omega_of(d, 1e3)), "wrong-base", "wrong-container")


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


@of_table("halves-layout")
def concatenate_columns(T, d):
    return np.concatenate([np.sin(angles_of(T, d)), np.cos(angles_of(T, d))], axis=1).astype(np.float32)


@of_table("halves-layout")
def hstack_float32(T, d):
    angles = np.arange(T, dtype=np.float32)[:, None] * omega_of(d).astype(np.float32)
    return np.hstack((np.sin(angles), np.cos(angles)))


@of_table("halves-layout")
def stacked_on_axis_1(T, d):
    angles = angles_of(T, d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).reshape(T, d).astype(np.float32)


@of_table("halves-swapped")
def concatenate_cosines_first(T, d):
    return np.concatenate([np.cos(angles_of(T, d)), np.sin(angles_of(T, d))], axis=-1).astype(np.float32)


@of_table("halves-swapped")
def filled_by_halves(T, d):
    table = np.empty((T, d), np.float32)
    table[:, d // 2 :], table[:, : d // 2] = np.sin(angles_of(T, d)), np.cos(angles_of(T, d))
    return table


@of_table("swapped-sin-cos")
def cosines_in_even_columns(T, d):
    return weave(angles_of(T, d), np.cos, np.sin)


@of_table("swapped-sin-cos")
def cosines_in_even_columns_by_loops(T, d):
    rows = [[(math.sin if j % 2 else math.cos)(p * B ** (-2 * (j // 2) / d)) for j in range(d)] for p in range(T)]
    return np.array(rows, np.float32).reshape(T, d)


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


@of_table("same-function-twice")
def sine_twice(T, d):
    return weave(angles_of(T, d), np.sin, np.sin)


@of_table("same-function-twice")
def cosine_twice(T, d):
    return weave(angles_of(T, d), np.cos, np.cos)


@of_table("same-function-twice")
def repeated_sines(T, d):
    return np.repeat(np.sin(angles_of(T, d)), 2, axis=1).astype(np.float32)


@of_table("same-function-twice", "halves-layout")
def sines_in_both_halves(T, d):
    return np.tile(np.sin(angles_of(T, d)), (1, 2)).astype(np.float32)


@of_table("same-function-twice", "wrong-base")
def sine_twice_base_1000(T, d):
    return weave(angles_of(T, d, 1000.0), np.sin, np.sin)


@of_table("columns-unwritten")
def sines_only(T, d):
    return weave(angles_of(T, d), np.sin, lambda a: 0)


@of_table("columns-unwritten")
def cosines_only(T, d):
    return weave(angles_of(T, d), lambda a: 0, np.cos)


@of_table("columns-unwritten")
def ones_left(T, d):
    return weave(angles_of(T, d), np.sin, lambda a: 1)


@of_table("columns-unwritten")
def ones_left_in_even_columns(T, d):
    return weave(angles_of(T, d), lambda a: 1, np.cos)


@of_table("columns-unwritten")
def rubbish_left(T, d):
    return weave(angles_of(T, d), np.sin, lambda a: np.random.default_rng(1).normal(0, 1e20, a.shape))


@of_table("columns-unwritten")
def not_a_number_left(T, d):
    return weave(angles_of(T, d), np.sin, lambda a: np.nan)


@of_table("columns-unwritten")
def only_the_first_half_of_the_pairs(T, d):
    table = weave(angles_of(T, d))
    table[:, 2 * max(2, d // 4) :] = 0
    return table if d > 6 else weave(angles_of(T, d), np.sin, lambda a: 0)


@of_table("columns-unwritten", "wrong-base")
def sines_only_base_1e5(T, d):
    return weave(angles_of(T, d, 1e5), np.sin, lambda a: 0)


@of_table("columns-unwritten", "positions-from-one")
def cosines_only_from_one(T, d):
    return weave(np.arange(1, T + 1)[:, None] * omega_of(d), lambda a: 0, np.cos)


@of_table("cos-of-sin")
def cosine_of_what_was_written(T, d):
    table = np.repeat(angles_of(T, d), 2, axis=1).astype(np.float32)
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 0::2])
    return table


@of_table("cos-of-sin")
def cosine_of_everything(T, d):
    table = np.sin(np.repeat(angles_of(T, d), 2, axis=1))
    table[:, 1::2] = np.cos(table[:, 1::2])
    return table.astype(np.float32)


@of_table("cos-of-sin")
def sine_of_the_cosine(T, d):
    return weave(angles_of(T, d), lambda a: np.sin(np.cos(a)), np.cos)


def stacking(name, arrange):
    def answer(T, d):
        refuse(T, d)
        a = angles_of(T, d)
        return arrange(np.sin(a), np.cos(a), T, d).astype(np.float32)

    ANSWERS.append(Sample("sinusoidal_pe", f"stacked {name}", answer, ("wrong-stack-axis",)))


stacking("on axis 0, reshaped", lambda s, c, T, d: np.stack([s, c]).reshape(T, d))
stacking("by vstack, reshaped", lambda s, c, T, d: np.vstack([s, c]).reshape(T, d))
stacking("as an array, reshaped", lambda s, c, T, d: np.array([s, c]).reshape(T, d))
stacking("on axis 0 in order F", lambda s, c, T, d: np.stack([s, c]).reshape(T, d, order="F"))
stacking("transposed", lambda s, c, T, d: np.stack([s.T, c.T]).reshape(T, d))
stacking("transposed on the last axis", lambda s, c, T, d: np.stack([s.T, c.T], axis=-1).reshape(T, d))
stacking("transposed on axis 1", lambda s, c, T, d: np.stack([s.T, c.T], axis=1).reshape(T, d))
stacking("reshaped as (d, T)", lambda s, c, T, d: np.stack([s, c], axis=-1).reshape(d, T).T)
stacking("on axis 0 as (d, T)", lambda s, c, T, d: np.stack([s, c]).reshape(d, T).T)
stacking("right, then T.reshape", lambda s, c, T, d: np.stack([s, c], axis=-1).reshape(T, d).T.reshape(T, d))
stacking("on axis 0, not reshaped", lambda s, c, T, d: np.stack([s, c]))
stacking("by vstack, not reshaped", lambda s, c, T, d: np.vstack([s, c]))
stacking("on axis 1, not reshaped", lambda s, c, T, d: np.stack([s, c], axis=1))
stacking("raveled by columns", lambda s, c, T, d: np.ravel([s, c], "F").reshape(T, d))


@of_table("wrong-stack-axis", "wrong-base")
def stacked_on_axis_0_base_1e5(T, d):
    a = angles_of(T, d, 1e5)
    return np.stack([np.sin(a), np.cos(a)]).reshape(T, d).astype(np.float32)


@of_table("position-over-d")
def position_is_the_column(T, d):
    return np.tile(weave(np.arange(0, d, 2)[None, :] * omega_of(d)), (T, 1))


@of_table("position-over-d")
def position_is_the_pair(T, d):
    return np.zeros((T, d), np.float32) + weave((k_of(d) * omega_of(d))[None, :])


@of_table("position-over-d")
def positions_run_over_d(T, d):
    return weave(angles_of(d, d))


@of_table("padding-row")
def first_row_cleared(T, d):
    table = weave(angles_of(T, d))
    table[:1] = 0
    return table


@of_table("padding-row")
def zeros_before_the_rows(T, d):
    return np.vstack([np.zeros((min(T, 1), d), np.float32), weave(angles_of(max(T - 1, 0), d))])


@of_table("padding-row")
def a_row_of_zeros_more(T, d):
    return np.vstack([np.zeros((1, d), np.float32), weave(angles_of(T, d))]) if T else np.zeros((0, d), np.float32)


@of_table("padding-row", "wrong-base")
def first_row_cleared_base_1000(T, d):
    table = weave(angles_of(T, d, 1000.0))
    table[:1] = 0
    return table


@of_table("padding-row", "halves-layout")
def first_row_cleared_in_halves(T, d):
    table = concatenate_columns(T, d)
    table[:1] = 0
    return table


def scaled(name, change, *more, base=B):
    def answer(T, d):
        refuse(T, d)
        table = weave(angles_of(T, d, base), dtype=np.float64)
        return np.asarray(change(table) if T else table).astype(np.float32)

    ANSWERS.append(Sample("sinusoidal_pe", name, answer, ("scaled-values", *more)))


scaled("times sqrt(d)", lambda t: t * np.sqrt(t.shape[1]))
scaled("over sqrt(d)", lambda t: t / np.sqrt(t.shape[1]))
scaled("rows normalised", lambda t: t / np.linalg.norm(t, axis=1, keepdims=True))
scaled("times sqrt(2/d)", lambda t: t * np.sqrt(2 / t.shape[1]))
scaled("mapped to 0..1", lambda t: (t + 1) / 2)
scaled("mapped to 0..1 by its extremes", lambda t: (t - t.min()) / (t.max() - t.min()))
scaled("standardised", lambda t: (t - t.mean()) / t.std())
scaled("twice as long", lambda t: 2 * t)
scaled("times d", lambda t: t * t.shape[1])
scaled("a hundredth", lambda t: 0.01 * t)
scaled("whole table normalised", lambda t: t / np.linalg.norm(t))
scaled("times sqrt(d), base 1000", lambda t: t * np.sqrt(t.shape[1]), "wrong-base", base=1e3)
scaled("mapped to 0..1, base 1e5", lambda t: (t + 1) / 2, "wrong-base", base=1e5)


@of_table("last-pair-missing")
def range_stops_early(T, d):
    table = np.zeros((T, d), np.float32)
    for k in range(d // 2 - 1):
        table[:, 2 * k], table[:, 2 * k + 1] = np.sin(angles_of(T, d)[:, k]), np.cos(angles_of(T, d)[:, k])
    return table


@of_table("last-pair-missing")
def two_columns_short(T, d):
    return weave(angles_of(T, d))[:, :-2]


@of_table("last-pair-missing", "wrong-base")
def range_stops_early_base_1000(T, d):
    table = weave(angles_of(T, d, 1000.0))
    table[:, -2:] = 0
    return table


@of_table("last-pair-missing", "halves-layout")
def range_stops_early_in_halves(T, d):
    table = concatenate_columns(T, d)
    table[:, [d // 2 - 1, d - 1]] = 0
    return table


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
def rounded_to_whole_numbers(T, d):
    return np.round(weave(angles_of(T, d)))


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
