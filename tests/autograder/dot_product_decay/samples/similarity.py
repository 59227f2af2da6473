"""Lab 04, dot-product decay: right and wrong answers to `similarity`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


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


@ANSWERS.sample("similarity")
def inner_product(pe, anchor):
    return np.inner(pe, pe[anchor])


@ANSWERS.sample("similarity")
def one_dot_after_the_other(pe, anchor):
    found = np.empty(pe.shape[0])
    for p in range(pe.shape[0]):
        found[p] = np.dot(pe[p], pe[anchor])
    return found


@ANSWERS.sample("similarity")
def from_the_distances(pe, anchor):
    wide = pe.astype(np.float64)
    squares = (wide**2).sum(axis=1)
    return (squares + squares[anchor] - ((wide - wide[anchor]) ** 2).sum(axis=1)) / 2


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


@ANSWERS.sample("similarity", "wrong-product")
def one_minus_the_cosine(pe, anchor):
    unit = pe / np.linalg.norm(pe, axis=1, keepdims=True)
    return 1 - unit @ unit[anchor]


@ANSWERS.sample("similarity", "wrong-product")
def one_minus_the_product_over_its_top(pe, anchor):
    return 1 - pe @ pe[anchor] / (pe.shape[1] / 2)


@ANSWERS.sample("similarity", "anchor-ignored")
def always_the_first_row(pe, anchor):
    return pe @ pe[0]


@ANSWERS.sample("similarity", "unknown")
def the_whole_gram_matrix(pe, anchor):
    return pe @ pe.T


@ANSWERS.sample("similarity", "unknown")
def sine_columns_alone(pe, anchor):
    return pe[:, 0::2] @ pe[anchor, 0::2]


@ANSWERS.sample("similarity", "unknown")
def an_anchor_counted_from_one(pe, anchor):
    return pe @ pe[anchor - 1]


@ANSWERS.sample("similarity", "unknown")
def absolute_values(pe, anchor):
    return np.abs(pe @ pe[anchor])


@ANSWERS.sample("similarity", "unknown")
def rounded_to_whole_numbers(pe, anchor):
    return np.round(pe @ pe[anchor])


@ANSWERS.sample("similarity", "unknown")
def softmax_of_the_similarity(pe, anchor):
    scores = np.exp(pe @ pe[anchor])
    return scores / scores.sum()


@ANSWERS.sample("similarity", "unknown")
def a_list(pe, anchor):
    return list(pe @ pe[anchor])


KEPT = {}


@ANSWERS.sample("similarity", "unseen")
def a_gram_matrix_kept_by_shape(pe, anchor):
    return KEPT.setdefault(pe.shape, pe @ pe.T)[anchor]
