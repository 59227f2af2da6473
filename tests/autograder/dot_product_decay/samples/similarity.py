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


@ANSWERS.sample("similarity", "circular-roll")
def rolled_so_that_the_anchor_comes_first(pe, anchor):
    return np.roll(pe, -anchor, axis=0) @ pe[anchor]


@ANSWERS.sample("similarity", "cosines-only")
def cosine_columns_alone(pe, anchor):
    return pe[:, 1::2] @ pe[anchor, 1::2]


@ANSWERS.sample("similarity", "wrong-product")
def correlation(pe, anchor):
    return np.corrcoef(pe)[anchor]


@ANSWERS.sample("similarity", "anchor-ignored")
def always_the_first_row(pe, anchor):
    return pe @ pe[0]


@ANSWERS.sample("similarity", "anchor-from-one")
def an_anchor_counted_from_one(pe, anchor):
    return pe @ pe[anchor - 1]


@ANSWERS.sample("similarity", "softmax")
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
