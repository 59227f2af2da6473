"""Lab 07, precision and cost: right and wrong answers to `float32_error`."""

import math

import numpy as np

from autograder.samples import Samples

from . import F, exact, largest, locked_rows, omega, woven

ANSWERS = Samples()


@ANSWERS.sample("float32_error")
def as_the_locked_module_writes_it(positions, d):
    pair = np.arange(0, d, 2, dtype=np.float32)
    frequency = np.float32(1) / np.float32(10000) ** (pair / np.float32(d))
    angle = positions.astype(np.float32)[:, None] * frequency
    table = np.empty((len(positions), d), dtype=np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return np.abs(table - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error")
def exponentials_of_logarithms(positions, d):
    def rows(dtype):
        speeds = np.exp(np.arange(0, d, 2).astype(dtype) * dtype(-math.log(10000.0) / d))
        return woven(positions.astype(dtype)[:, None] * speeds)

    return np.max(np.abs(rows(np.float32).astype(np.float64) - rows(np.float64)), axis=1)


@ANSWERS.sample("float32_error")
def frequencies_rounded_at_the_end(positions, d):
    angle = positions.astype(F)[:, None] * omega(d).astype(F)
    return np.abs(woven(angle).astype(float) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error")
def a_loop_over_positions(positions, d):
    errors = []
    for p in positions:
        errors.append(np.abs(locked_rows([p], d)[0] - exact([p], d)[0]).max())
    return np.array(errors)


@ANSWERS.sample("float32_error")
def errors_told_in_float32(positions, d):
    return np.abs(locked_rows(positions, d).astype(np.float64) - exact(positions, d)).max(axis=1).astype(np.float32)


@ANSWERS.sample("float32_error")
def exact_table_rounded_before_it_is_compared(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d).astype(np.float32)).max(axis=1)


@ANSWERS.sample("float32_error", "float64-everywhere")
def cast_at_the_end(positions, d):
    return np.abs(exact(positions, d).astype(np.float32) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "compared-with-itself")
def no_float32_at_all(positions, d):
    return np.abs(woven(positions[:, None] * omega(d)) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "compared-with-itself")
def float32_in_both_tables(positions, d):
    return np.abs(locked_rows(positions, d) - locked_rows(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "same-position")
def whole_numbers_times_float32(positions, d):
    return np.abs(woven(positions[:, None] * omega(d, F)) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "same-position")
def float32_positions_trusted(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions.astype(F), d)).max(axis=1)


@ANSWERS.sample("float32_error", "accumulated-angle")
def running_sum_of_angles(positions, d):
    few = np.minimum(positions, 2**18)
    sums = np.cumsum(np.tile(omega(d, F), (int(few[few < 2**18].max(initial=1)) + 1, 1)), axis=0, dtype=F)
    angle = np.where((few < 2**18)[:, None], sums[np.minimum(few, len(sums) - 1)] - omega(d, F), 0)
    exactly = np.where((few < 2**18)[:, None], angle, positions.astype(F)[:, None] * omega(d, F))
    return np.abs(woven(exactly) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "signed-error")
def no_absolute_value(positions, d):
    return (locked_rows(positions, d) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "angle-error")
def the_angles_error(positions, d):
    near = (positions.astype(F)[:, None] * omega(d, F)).astype(np.float64)
    return np.abs(near - positions[:, None] * omega(d)).max(axis=1)


@ANSWERS.sample("float32_error", "relative-error")
def relative_to_float32(positions, d):
    near = locked_rows(positions, d)
    return np.abs((near - exact(positions, d)) / near).max(axis=1)


@ANSWERS.sample("float32_error", "one-function")
def sines_alone(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d))[:, 0::2].max(axis=1)


@ANSWERS.sample("float32_error", "one-function")
def last_column_alone(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d))[:, -1]


@ANSWERS.sample("float32_error", "not-the-largest")
def mean_of_the_row(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d)).mean(axis=1)


ANSWERS.several(
    "float32_error",
    "wrong-axis",
    largest_of_each_column=lambda positions, d: np.abs(locked_rows(positions, d) - exact(positions, d)).max(axis=0),
    largest_of_all=lambda positions, d: np.abs(locked_rows(positions, d) - exact(positions, d)).max(),
    every_difference=lambda positions, d: np.abs(locked_rows(positions, d) - exact(positions, d)),
)


@ANSWERS.sample("float32_error", "other-frequencies")
def exponent_k_over_d(positions, d):
    angle = positions.astype(F)[:, None] * (F(10000) ** (-np.arange(d // 2, dtype=F) / F(d)))
    return np.abs(woven(angle) - exact(positions, d)).max(axis=1)


ANSWERS.several(
    "float32_error",
    "unknown",
    the_rule_of_thumb=lambda positions, d: 1e-7 * positions,
    not_a_number=lambda positions, d: largest(positions, d) * np.nan,
)


@ANSWERS.sample("float32_error", "other-columns")
def halves_against_interleaved(positions, d):
    rows = locked_rows(positions, d)
    return np.abs(np.hstack([rows[:, 0::2], rows[:, 1::2]]) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "unknown")
def float16_positions(positions, d):
    with np.errstate(over="ignore", invalid="ignore"):
        angle = positions.astype(np.float16).astype(F)[:, None] * omega(d, F)
    return np.abs(woven(angle) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "unknown")
def nothing_returned(positions, d):
    np.abs(locked_rows(positions, d) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "positions-ignored")
def positions_counted(positions, d):
    return as_the_locked_module_writes_it(np.arange(len(positions)), d)


def of_other_frequencies(positions, d, frequencies):
    near = woven(positions.astype(F)[:, None] * frequencies(F))
    return np.abs(near - woven(positions[:, None] * frequencies(np.float64))).max(axis=1)


@ANSWERS.sample("float32_error", "degrees")
def degrees_in_both(positions, d):
    return of_other_frequencies(
        positions, d, lambda dtype: np.pi / dtype(180) * dtype(10000) ** (-np.arange(0, d, 2, dtype=dtype) / dtype(d))
    )


@ANSWERS.sample("float32_error", "other-frequencies")
def exponent_k_over_d_in_both(positions, d):
    return of_other_frequencies(
        positions, d, lambda dtype: dtype(10000) ** (-np.arange(d // 2, dtype=dtype) / dtype(d))
    )


@ANSWERS.sample("float32_error", "unknown")
def angles_brought_into_one_turn_first(positions, d):
    angle = (positions[:, None] * omega(d) % (2 * np.pi)).astype(F)
    return np.abs(woven(angle) - exact(positions, d)).max(axis=1)


ANSWERS.several("float32_error", "positions-sorted", sorted_first=lambda positions, d: largest(np.sort(positions), d))


@ANSWERS.sample("float32_error", "angles-cast")
def angles_made_in_float64_and_cast(positions, d):
    return np.abs(woven((positions[:, None] * omega(d)).astype(F)) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "frequencies-shared")
def float32_frequencies_in_the_exact_table(positions, d):
    speeds = omega(d, F)
    return np.abs(woven(positions.astype(F)[:, None] * speeds) - woven(positions[:, None] * speeds)).max(axis=1)


@ANSWERS.sample("float32_error", "float64-sines")
def sines_of_float32_angles_in_float64(positions, d):
    angle = (positions.astype(F)[:, None] * omega(d, F)).astype(np.float64)
    return np.abs(woven(angle) - exact(positions, d)).max(axis=1)


@ANSWERS.sample("float32_error", "float64-sines")
def sines_of_python(positions, d):
    speeds = (F(1) / F(10000) ** (np.arange(0, d, 2, dtype=F) / F(d))).tolist()
    near = [[float(F(p) * F(w)) for w in speeds] for p in positions.tolist()]
    return np.array(
        [
            max(abs(wave(a) - wave(p * w)) for a, w in zip(row, omega(d).tolist()) for wave in (math.sin, math.cos))
            for p, row in zip(positions.tolist(), near)
        ]
    )


ANSWERS.several("float32_error", "rounded", rounded_to_six_decimals=lambda positions, d: largest(positions, d).round(6))


@ANSWERS.sample("float32_error", "unknown")
def without_the_first_pair(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d))[:, 2:].max(axis=1, initial=0)


@ANSWERS.sample("float32_error", "unknown")
def the_first_two_pairs_alone(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d))[:, :4].max(axis=1)


@ANSWERS.sample("float32_error", "index-for-error")
def the_column_of_the_largest(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d)).argmax(axis=1)


@ANSWERS.sample("float32_error", "other-frequencies")
def exponent_k_over_d_in_the_exact_table(positions, d):
    far = woven(positions[:, None] * 10000.0 ** (-np.arange(d // 2) / d))
    return np.abs(locked_rows(positions, d) - far).max(axis=1)
