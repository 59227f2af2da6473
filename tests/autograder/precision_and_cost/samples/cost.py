"""Lab 07, precision and cost: right and wrong answers to `cost`."""

import math
from collections import defaultdict

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


def per_size(rows, sum_up=np.median):
    """The sizes, shape (n, 2), and one time for each."""
    times = defaultdict(list)
    for T, d, seconds in rows:
        times[T, d].append(seconds)
    return np.array(list(times)), np.array([sum_up(each) for each in times.values()])


def fitted(sizes, times):
    design = np.column_stack([np.ones(len(sizes)), np.log(sizes)])
    return np.linalg.lstsq(design, np.log(times))[0][1:]


@ANSWERS.sample("cost")
def median_of_each_size(rows):
    return fitted(*per_size(rows))


@ANSWERS.sample("cost")
def fastest_of_each_size(rows):
    return tuple(fitted(*per_size(rows, min)))


@ANSWERS.sample("cost")
def mean_of_the_warm_rounds(rows):
    return fitted(*per_size(rows, lambda each: np.mean(each[1:]))).tolist()


@ANSWERS.sample("cost")
def all_warm_rows(rows):
    warm = rows[len(np.unique(rows[:, :2], axis=0)) :]
    return fitted(warm[:, :2], warm[:, 2])


@ANSWERS.sample("cost", "unseen")
def all_but_the_first_twelve_rows(rows):
    return fitted(rows[12:, :2], rows[12:, 2])


@ANSWERS.sample("cost", "unseen")
def all_but_a_fifth_of_the_rows(rows):
    warm = rows[len(rows) // 5 :]
    return fitted(warm[:, :2], warm[:, 2])


@ANSWERS.sample("cost")
def logarithms_of_base_ten_and_pinv(rows):
    sizes, times = per_size(rows)
    design = np.c_[np.log10(sizes), np.ones(len(sizes))]
    return (np.linalg.pinv(design) @ np.log10(times))[:2]


@ANSWERS.sample("cost")
def one_line_for_each_d_and_each_T(rows):
    sizes, times = per_size(rows)

    def slope(axis):
        other = sizes[:, 1 - axis]
        lines = [np.polyfit(np.log(sizes[other == v, axis]), np.log(times[other == v]), 1)[0] for v in set(other)]
        return float(np.mean(lines))

    return slope(0), slope(1)


@ANSWERS.sample("cost")
def the_two_ends(rows):
    sizes, times = per_size(rows)
    at = {(T, d): t for (T, d), t in zip(sizes, times)}
    T0, T1, d0, d1 = sizes[:, 0].min(), sizes[:, 0].max(), sizes[:, 1].min(), sizes[:, 1].max()
    return [
        math.log(at[T1, d1] / at[T0, d1]) / math.log(T1 / T0),
        math.log(at[T1, d1] / at[T1, d0]) / math.log(d1 / d0),
    ]


@ANSWERS.sample("cost")
def centred_columns(rows):
    sizes, times = per_size(rows, min)
    x, y = np.log(sizes), np.log(times)
    x, y = x - x.mean(axis=0), y - y.mean()
    return np.linalg.solve(x.T @ x, x.T @ y).astype(np.float32)


@ANSWERS.sample("cost")
def sorted_and_sliced(rows):
    sizes = len(np.unique(rows[:, :2], axis=0))
    order = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))].reshape(sizes, -1, 3)
    return fitted(order[:, 0, :2], order[:, 1, 2])


@ANSWERS.sample("cost", "unseen")
def twelve_sizes_and_five_rounds(rows):
    order = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))].reshape(12, 5, 3)
    return fitted(order[:, 0, :2], order[:, 1, 2])


@ANSWERS.sample("cost", "cold-call")
def mean_of_each_size(rows):
    return fitted(*per_size(rows, np.mean))


@ANSWERS.sample("cost", "exponents-exchanged")
def d_first(rows):
    return fitted(*per_size(rows))[::-1]


@ANSWERS.sample("cost", "no-logarithm")
def a_plane_through_the_seconds(rows):
    sizes, times = per_size(rows)
    return np.linalg.lstsq(np.column_stack([sizes, np.ones(12)]), times)[0][:2]


@ANSWERS.sample("cost", "no-constant")
def no_column_of_ones(rows):
    sizes, times = per_size(rows)
    return np.linalg.lstsq(np.log(sizes), np.log(times))[0]


@ANSWERS.sample("cost", "always-linear")
def always_linear(rows):
    return 1.0, 1.0


@ANSWERS.sample("cost", "one-exponent")
def one_exponent_for_the_number_of_entries(rows):
    sizes, times = per_size(rows)
    return np.polyfit(np.log(sizes.prod(axis=1)), np.log(times), 1)[0]


@ANSWERS.sample("cost", "one-exponent")
def that_exponent_twice(rows):
    return (one_exponent_for_the_number_of_entries(rows),) * 2


@ANSWERS.sample("cost", "unknown")
def inverted(rows):
    return 1 / fitted(*per_size(rows))


@ANSWERS.sample("cost", "constant-included")
def with_the_constant(rows):
    sizes, times = per_size(rows)
    return np.linalg.lstsq(np.column_stack([np.ones(12), np.log(sizes)]), np.log(times))[0]


@ANSWERS.sample("cost", "cold-call")
def only_the_first_row_left_out(rows):
    return fitted(rows[1:, :2], rows[1:, 2])


@ANSWERS.sample("cost", "unknown")
def a_dictionary(rows):
    in_T, in_d = fitted(*per_size(rows))
    return {"T": in_T, "d": in_d}


@ANSWERS.sample("cost", "unknown")
def seconds_for_each_entry(rows):
    sizes, times = per_size(rows)
    return times / sizes.prod(axis=1)


@ANSWERS.sample("cost", "sizes-apart")
def one_fit_for_each_size_alone(rows):
    sizes, times = per_size(rows)
    return [np.polyfit(np.log(sizes[:, axis]), np.log(times), 1)[0] for axis in (0, 1)]


@ANSWERS.sample("cost")
def normal_equations_by_hand(rows):
    sizes, times = per_size(rows)
    design = np.column_stack([np.log(sizes), np.ones(len(sizes))])
    return tuple(np.linalg.solve(design.T @ design, design.T @ np.log(times))[:2])


@ANSWERS.sample("cost", "unseen")
def the_sizes_of_the_lab_by_heart(rows):
    at = {(T, d): time for (T, d), time in zip(*per_size(rows))}
    in_T = math.log(at[16_000, 256] / at[4_000, 256], 4)
    return in_T, math.log2(at[16_000, 256] / at[16_000, 128])


@ANSWERS.sample("cost", "mixed-logarithms")
def fastest_times_in_decades(rows):
    sizes, times = per_size(rows, min)
    return np.linalg.lstsq(np.column_stack([np.log(sizes), np.ones(12)]), np.log10(times))[0][:2]


@ANSWERS.sample("cost", "exponents-exchanged")
def columns_of_d_and_T(rows):
    d, T, seconds = rows[len(np.unique(rows[:, :2], axis=0)) :].T
    return fitted(np.column_stack([T, d]), seconds)


@ANSWERS.sample("cost", "seconds-per-entry")
def fastest_time_of_an_entry(rows):
    sizes, times = per_size(rows, min)
    return fitted(sizes, times / sizes.prod(axis=1))
