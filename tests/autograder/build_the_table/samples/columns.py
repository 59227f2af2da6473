"""Lab 01, build the table: right angles in wrong places, and rows and columns that are missing or scaled."""

import math

import numpy as np

from autograder.samples import Sample

from . import B, TableSamples, angles_of, k_of, omega_of, refuse, weave

ANSWERS = TableSamples()
of_table = ANSWERS.of_table


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
