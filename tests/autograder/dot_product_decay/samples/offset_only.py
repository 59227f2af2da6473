"""Lab 04, dot-product decay: right and wrong answers to `offset_only`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


def spreads(gram, spread=np.ptp):
    return np.array([spread(np.diagonal(gram, offset)) for offset in range(len(gram))])


ANSWERS.several(
    "offset_only",
    diagonals_of_the_gram_matrix=lambda pe: spreads(pe @ pe.T),
    in_float64=lambda pe: spreads(pe.astype(np.float64) @ pe.T.astype(np.float64)),
    largest_minus_smallest=lambda pe: spreads(
        np.einsum("pi,qi->pq", pe, pe), lambda entries: entries.max() - entries.min()
    ),
    slices_of_the_table=lambda pe: np.array(
        [np.ptp((pe[: len(pe) - offset] * pe[offset:]).sum(axis=1)) for offset in range(len(pe))]
    ),
    below_the_main_diagonal=lambda pe: np.array(
        [np.ptp((pe @ pe.T).diagonal(-offset)) for offset in range(len(pe))], dtype=np.float32
    ),
    from_an_iterator=lambda pe: np.fromiter(
        (np.ptp(np.diag(np.dot(pe, pe.T), k)) for k in range(pe.shape[0])), dtype=float
    ),
)


@ANSWERS.sample("offset_only")
def entry_after_entry(pe):
    found = []
    for offset in range(len(pe)):
        entries = [float(pe[p] @ pe[p + offset]) for p in range(len(pe) - offset)]
        found.append(max(entries) - min(entries))
    return np.array(found)


@ANSWERS.sample("offset_only")
def running_extremes(pe):
    T, gram = len(pe), pe @ pe.T
    high, low = np.full(T, -np.inf), np.full(T, np.inf)
    for p in range(T):
        for q in range(p, T):
            high[q - p], low[q - p] = max(high[q - p], gram[p, q]), min(low[q - p], gram[p, q])
    return high - low


ANSWERS.several("offset_only", "one-number-for-all", the_largest=lambda pe: spreads(pe @ pe.T).max())


@ANSWERS.sample("offset_only", "over-normalised")
def of_cosine_similarities(pe):
    unit = pe / np.linalg.norm(pe, axis=1, keepdims=True)
    return spreads(unit @ unit.T)


ANSWERS.several(
    "offset_only", "zeros", rounding_of_its_size=lambda pe: np.full(len(pe), np.finfo(pe.dtype).eps * pe.shape[1])
)
ANSWERS.several(
    "offset_only",
    "unknown",
    only_whether_it_is_constant=lambda pe: spreads(pe @ pe.T) < 1e-4,
    a_list=lambda pe: list(spreads(pe @ pe.T)),
)
ANSWERS.several(
    "offset_only",
    "unseen",
    small_spreads_taken_for_rounding=lambda pe: np.where(spreads(pe @ pe.T) < 0.01, 0, spreads(pe @ pe.T)),
    the_first_sixty_offsets_alone=lambda pe: np.where(np.arange(len(pe)) < 60, spreads(pe @ pe.T), 0.0),
)
