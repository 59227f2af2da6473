"""Right and wrong answers to lab 04, dot-product decay."""

import math

import numpy as np

from mistaken import Samples

ANSWERS = Samples()


def omega(d, dtype=np.float64):
    return np.array(10000, dtype) ** (-2 * np.arange(d // 2, dtype=dtype) / np.array(d, dtype))


def total(offsets, d):
    return np.cos(np.asarray(offsets)[:, None] * omega(d)).sum(axis=1)


def table_in(T, d, dtype):
    angle = np.arange(T, dtype=dtype)[:, None] * omega(d, dtype)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


def spread(gram):
    return max(np.ptp(np.diagonal(gram, offset)) for offset in range(len(gram)))


# similarity: right


@ANSWERS.sample("similarity")
def matrix_times_vector(pe, anchor):
    return pe @ pe[anchor]


@ANSWERS.sample("similarity")
def einsum(pe, anchor):
    return np.einsum("pi,i->p", pe, pe[anchor])


@ANSWERS.sample("similarity")
def multiplied_and_summed(pe, anchor):
    return (pe * pe[anchor]).sum(axis=1)


@ANSWERS.sample("similarity")
def loops_over_numbers(pe, anchor):
    return np.array([sum(float(a) * float(b) for a, b in zip(row, pe[anchor])) for row in pe])


@ANSWERS.sample("similarity")
def row_of_the_gram_matrix(pe, anchor):
    return (pe @ pe.T)[anchor]


@ANSWERS.sample("similarity")
def in_float64(pe, anchor):
    wide = np.asarray(pe, dtype=np.float64)
    return np.dot(wide, wide[anchor])


# similarity: wrong


@ANSWERS.sample("similarity", "over-normalised")
def divided_by_d(pe, anchor):
    return pe @ pe[anchor] / pe.shape[1]


@ANSWERS.sample("similarity", "over-normalised")
def cosine_similarity(pe, anchor):
    return pe @ pe[anchor] / (np.linalg.norm(pe, axis=1) * np.linalg.norm(pe[anchor]))


@ANSWERS.sample("similarity", "over-normalised")
def divided_by_the_root_of_d(pe, anchor):
    return pe @ pe[anchor] / np.sqrt(pe.shape[1])


@ANSWERS.sample("similarity", "diagonal-sum")
def diagonal_sums_over_T(pe, anchor):
    gram = pe @ pe.T
    return np.array([np.trace(gram, offset=offset) for offset in range(len(pe))]) / len(pe)


@ANSWERS.sample("similarity", "diagonal-sum")
def diagonal_sums_around_the_anchor(pe, anchor):
    gram = pe @ pe.T
    return np.array([np.trace(gram, offset=p - anchor) for p in range(len(pe))]) / len(pe)


@ANSWERS.sample("similarity", "diagonal-sum")
def diagonal_sums_undivided(pe, anchor):
    gram = pe @ pe.T
    return np.array([np.trace(gram, offset=p - anchor) for p in range(len(pe))])


@ANSWERS.sample("similarity", "circular-roll")
def mean_over_rolled_rows(pe, anchor):
    return np.array([(pe * np.roll(pe, -offset, axis=0)).sum(axis=1).mean() for offset in range(len(pe))])


@ANSWERS.sample("similarity", "circular-roll")
def sum_over_rolled_rows(pe, anchor):
    return np.array([(pe * np.roll(pe, -offset, axis=0)).sum() for offset in range(len(pe))])


@ANSWERS.sample("similarity", "circular-roll")
def rolled_so_that_the_anchor_comes_first(pe, anchor):
    return np.roll(pe, -anchor, axis=0) @ pe[anchor]


@ANSWERS.sample("similarity", "cosines-only")
def cosine_columns_alone(pe, anchor):
    return pe[:, 1::2] @ pe[anchor, 1::2]


@ANSWERS.sample("similarity", "wrong-product")
def columns_with_columns(pe, anchor):
    return pe.T @ pe


@ANSWERS.sample("similarity", "wrong-product")
def one_row_of_columns_with_columns(pe, anchor):
    return (pe.T @ pe)[:, 0]


@ANSWERS.sample("similarity", "wrong-product")
def products_not_added(pe, anchor):
    return pe * pe[anchor]


@ANSWERS.sample("similarity", "wrong-product")
def euclidean_distance(pe, anchor):
    return np.linalg.norm(pe - pe[anchor], axis=1)


@ANSWERS.sample("similarity", "wrong-product")
def squared_distance(pe, anchor):
    return ((pe - pe[anchor]) ** 2).sum(axis=1)


@ANSWERS.sample("similarity", "wrong-product")
def negative_distance(pe, anchor):
    return -np.linalg.norm(pe - pe[anchor], axis=1)


@ANSWERS.sample("similarity", "wrong-product")
def correlation(pe, anchor):
    return np.corrcoef(pe)[anchor]


@ANSWERS.sample("similarity", "unknown")
def always_the_first_row(pe, anchor):
    return pe @ pe[0]


@ANSWERS.sample("similarity", "unknown")
def the_whole_gram_matrix(pe, anchor):
    return pe @ pe.T


@ANSWERS.sample("similarity", "unknown")
def sine_columns_alone(pe, anchor):
    return pe[:, 0::2] @ pe[anchor, 0::2]


@ANSWERS.sample("similarity", "unknown")
def softmax_of_the_similarity(pe, anchor):
    scores = np.exp(pe @ pe[anchor])
    return scores / scores.sum()


@ANSWERS.sample("similarity", "unknown")
def a_list(pe, anchor):
    return list(pe @ pe[anchor])


# closed_form: right


@ANSWERS.sample("closed_form")
def offsets_by_pairs(offsets, d):
    return np.cos(offsets[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)).sum(axis=1)


@ANSWERS.sample("closed_form")
def outer_product_with_exp(offsets, d):
    frequency = np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    return np.sum(np.cos(np.outer(offsets, frequency)), axis=-1)


@ANSWERS.sample("closed_form")
def pair_after_pair(offsets, d):
    result = np.zeros(len(offsets))
    for k in range(d // 2):
        result += np.cos(offsets / 10000 ** (2 * k / d))
    return result


@ANSWERS.sample("closed_form")
def float32_throughout(offsets, d):
    return np.cos(offsets.astype(np.float32)[:, None] * omega(d, np.float32)).sum(axis=1)


@ANSWERS.sample("closed_form")
def plain_python(offsets, d):
    return np.array([sum(math.cos(p * 10000 ** (-2 * k / d)) for k in range(d // 2)) for p in offsets.tolist()])


@ANSWERS.sample("closed_form")
def real_part_of_turning_numbers(offsets, d):
    return np.exp(1j * np.multiply.outer(offsets, omega(d))).sum(axis=-1).real


# closed_form: wrong


@ANSWERS.sample("closed_form", "over-normalised")
def mean_over_the_pairs(offsets, d):
    return np.cos(offsets[:, None] * omega(d)).mean(axis=1)


@ANSWERS.sample("closed_form", "over-normalised")
def sum_divided_by_d(offsets, d):
    return total(offsets, d) / d


@ANSWERS.sample("closed_form", "unknown")
def every_column_counted(offsets, d):
    return np.cos(offsets[:, None] * 10000.0 ** (-2 * (np.arange(d) // 2) / d)).sum(axis=1)


@ANSWERS.sample("closed_form", "unknown")
def exponent_k_over_d(offsets, d):
    return np.cos(offsets[:, None] * 10000.0 ** (-np.arange(d // 2) / d)).sum(axis=1)


@ANSWERS.sample("closed_form", "unknown")
def sines_added(offsets, d):
    return np.sin(offsets[:, None] * omega(d)).sum(axis=1)


@ANSWERS.sample("closed_form", "unknown")
def summed_over_the_offsets(offsets, d):
    return np.cos(offsets[:, None] * omega(d)).sum(axis=0)


@ANSWERS.sample("closed_form", "unknown")
def squared_cosines(offsets, d):
    return (np.cos(offsets[:, None] * omega(d)) ** 2).sum(axis=1)


# offset_only: right


@ANSWERS.sample("offset_only")
def interleaved_and_multiplied(T, d, dtype):
    table = table_in(T, d, dtype)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def halves_and_multiplied(T, d, dtype):
    angle = np.arange(T, dtype=dtype)[:, None] * omega(d, dtype)
    table = np.hstack([np.sin(angle), np.cos(angle)])
    return float(spread(table @ table.T))


@ANSWERS.sample("offset_only")
def cast_after_float64(T, d, dtype):
    table = table_in(T, d, np.float64).astype(dtype)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def product_in_float64(T, d, dtype):
    table = table_in(T, d, np.float64).astype(dtype).astype(np.float64)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def locked_table_for_float32(T, d, dtype):
    from minimodel.positional.sinusoidal import sinusoidal_pe

    table = sinusoidal_pe(T, d) if dtype == "float32" else table_in(T, d, dtype)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def entry_after_entry(T, d, dtype):
    table = table_in(T, d, dtype)
    lists = [[row @ table[q] for q, row in enumerate(table[offset:])] for offset in range(T)]
    return np.array(max(max(entries) - min(entries) for entries in lists))


# offset_only: wrong


@ANSWERS.sample("offset_only", "unknown")
def constant_zero(T, d, dtype):
    return 0.0


@ANSWERS.sample("offset_only", "unknown")
def constant_tiny(T, d, dtype):
    return 1e-14


@ANSWERS.sample("offset_only", "unknown")
def the_closed_form_on_the_diagonals(T, d, dtype):
    return spread(total(np.subtract.outer(np.arange(T), np.arange(T)).ravel(), d).reshape(T, T))


@ANSWERS.sample("offset_only", "unknown")
def float32_whatever_is_asked(T, d, dtype):
    table = table_in(T, d, np.float32)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def dtype_left_out(T, d, dtype):
    table = table_in(T, d, np.float64)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def rows_in_place_of_diagonals(T, d, dtype):
    table = table_in(T, d, dtype)
    return max(np.ptp(row) for row in table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def sines_alone(T, d, dtype):
    table = table_in(T, d, dtype)[:, 0::2]
    return spread(table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def one_spread_per_diagonal(T, d, dtype):
    table = table_in(T, d, dtype)
    return np.array([np.ptp(np.diagonal(table @ table.T, offset)) for offset in range(T)])


@ANSWERS.sample("offset_only", "unknown")
def only_whether_it_is_constant(T, d, dtype):
    return True


# landmarks: right


@ANSWERS.sample("landmarks")
def first_true_of_an_array(d):
    sums = total(np.arange(10_000), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks")
def array_of_two(d):
    sums = total(np.arange(6000), d)
    low = np.flatnonzero((sums[1:-1] < sums[:-2]) & (sums[1:-1] < sums[2:]))[0] + 1
    return np.array([low, np.flatnonzero(sums <= 0)[0]])


@ANSWERS.sample("landmarks")
def step_by_step(d):
    low, p = None, 0
    while True:
        before, here, after = total([p - 1, p, p + 1], d)
        if low is None and p and before > here < after:
            low = p
        if here <= 0:
            return [low, p]
        p += 1


@ANSWERS.sample("landmarks")
def whole_numbers_as_floats(d):
    low, crossing = first_true_of_an_array(d)
    return np.array([low, crossing], dtype=np.float64)


@ANSWERS.sample("landmarks")
def float32_sums(d):
    sums = np.cos(np.arange(5000, dtype=np.float32)[:, None] * omega(d, np.float32)).sum(axis=1)
    return np.argmax(np.diff(sums) > 0), np.argmax(sums <= 0)


# landmarks: wrong


@ANSWERS.sample("landmarks", "claims-monotone")
def no_minimum(d):
    return None, first_true_of_an_array(d)[1]


@ANSWERS.sample("landmarks", "claims-monotone")
def minus_one_for_no_minimum(d):
    return -1, first_true_of_an_array(d)[1]


@ANSWERS.sample("landmarks", "claims-monotone")
def lowest_of_all(d):
    sums = total(np.arange(10_000), d)
    return int(np.argmin(sums)), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks", "claims-monotone")
def falls_until_the_crossing(d):
    crossing = first_true_of_an_array(d)[1]
    return crossing, crossing


@ANSWERS.sample("landmarks", "claims-monotone")
def falls_to_the_end_of_the_table(d):
    return 63, first_true_of_an_array(d)[1]


@ANSWERS.sample("landmarks", "claims-zero")
def smallest_taken_for_zero(d):
    sums = total(np.arange(64), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmin(np.abs(sums)))


@ANSWERS.sample("landmarks", "claims-zero")
def zero_at_the_end_of_the_table(d):
    return first_true_of_an_array(d)[0], 63


@ANSWERS.sample("landmarks", "claims-monotone", "claims-zero")
def falls_steadily_to_zero(d):
    return 63, 63


@ANSWERS.sample("landmarks", "unknown")
def one_too_far(d):
    low, crossing = first_true_of_an_array(d)
    return low + 1, crossing + 1


@ANSWERS.sample("landmarks", "unknown")
def second_minimum(d):
    sums = total(np.arange(6000), d)
    lows = np.flatnonzero((sums[1:-1] < sums[:-2]) & (sums[1:-1] < sums[2:])) + 1
    return int(lows[1]), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks", "unknown")
def the_sums_themselves(d):
    sums = total(np.arange(6000), d)
    low, crossing = first_true_of_an_array(d)
    return sums[low], sums[crossing]


@ANSWERS.sample("landmarks", "unknown")
def one_landmark(d):
    return first_true_of_an_array(d)[0]


@ANSWERS.sample("landmarks", "unknown")
def other_way_round(d):
    return first_true_of_an_array(d)[::-1]
