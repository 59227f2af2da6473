"""Lab 04, dot-product decay: right and wrong answers to `similarity`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()
ANSWERS.several(
    "similarity",
    matrix_times_vector=lambda pe, anchor: pe @ pe[anchor],
    einsum=lambda pe, anchor: np.einsum("pi,i->p", pe, pe[anchor]),
    multiplied_and_summed=lambda pe, anchor: (pe * pe[anchor]).sum(axis=1),
    loops_over_numbers=lambda pe, anchor: np.array(
        [sum(float(a) * float(b) for a, b in zip(row, pe[anchor])) for row in pe]
    ),
    row_of_the_gram_matrix=lambda pe, anchor: (pe @ pe.T)[anchor],
    in_float64=lambda pe, anchor: np.dot(pe.astype(np.float64), pe[anchor].astype(np.float64)),
)


@ANSWERS.sample("similarity")
def one_dot_after_the_other(pe, anchor):
    found = np.empty(pe.shape[0])
    for p in range(pe.shape[0]):
        found[p] = np.dot(pe[p], pe[anchor])
    return found


@ANSWERS.sample("similarity", "circular-roll")
def rolled_so_that_the_anchor_comes_first(pe, anchor):
    return np.roll(pe, -anchor, axis=0) @ pe[anchor]


@ANSWERS.sample("similarity", "circular-roll")
def means_of_rolled_products(pe, anchor):
    return np.array([(pe * np.roll(pe, -offset, axis=0)).mean() for offset in range(len(pe))])


ANSWERS.several(
    "similarity", "over-normalised", by_the_anchors_own=lambda pe, anchor: pe @ pe[anchor] / (pe[anchor] @ pe[anchor])
)
ANSWERS.several("similarity", "wrong-product", summed_over_positions=lambda pe, anchor: (pe * pe[anchor]).sum(axis=0))


@ANSWERS.sample("similarity", "softmax")
def softmax_without_the_largest_taken_off(pe, anchor):
    scores = np.exp(pe @ pe[anchor])
    return scores / scores.sum()


ANSWERS.several("similarity", "unknown", a_list=lambda pe, anchor: list(pe @ pe[anchor]))

KEPT = {}


@ANSWERS.sample("similarity", "unseen")
def a_gram_matrix_kept_by_shape(pe, anchor):
    return KEPT.setdefault(pe.shape, pe @ pe.T)[anchor]
