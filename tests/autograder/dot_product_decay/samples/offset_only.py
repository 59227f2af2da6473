"""Lab 04, dot-product decay: right and wrong answers to `offset_only`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


def spreads(gram, spread=np.ptp):
    return np.array([spread(np.diagonal(gram, offset)) for offset in range(len(gram))])


@ANSWERS.sample("offset_only")
def diagonals_of_the_gram_matrix(pe):
    return spreads(pe @ pe.T)


@ANSWERS.sample("offset_only")
def in_float64(pe):
    wide = pe.astype(np.float64)
    return spreads(wide @ wide.T)


@ANSWERS.sample("offset_only")
def largest_minus_smallest(pe):
    gram = np.einsum("pi,qi->pq", pe, pe)
    return spreads(gram, lambda entries: entries.max() - entries.min())


@ANSWERS.sample("offset_only")
def entry_after_entry(pe):
    found = []
    for offset in range(len(pe)):
        entries = [float(pe[p] @ pe[p + offset]) for p in range(len(pe) - offset)]
        found.append(max(entries) - min(entries))
    return np.array(found)


@ANSWERS.sample("offset_only")
def slices_of_the_table(pe):
    T = len(pe)
    return np.array([np.ptp((pe[: T - offset] * pe[offset:]).sum(axis=1)) for offset in range(T)])


@ANSWERS.sample("offset_only")
def below_the_main_diagonal(pe):
    gram = pe @ pe.T
    return np.array([np.ptp(gram.diagonal(-offset)) for offset in range(len(gram))], dtype=np.float32)


@ANSWERS.sample("offset_only")
def sorted_by_offset(pe):
    T, gram = len(pe), pe @ pe.T
    offset = np.subtract.outer(np.arange(T), np.arange(T))
    return np.array([gram[offset == each].max() - gram[offset == each].min() for each in range(T)])


@ANSWERS.sample("offset_only")
def running_extremes(pe):
    T, gram = len(pe), pe @ pe.T
    high, low = np.full(T, -np.inf), np.full(T, np.inf)
    for p in range(T):
        for q in range(p, T):
            high[q - p], low[q - p] = max(high[q - p], gram[p, q]), min(low[q - p], gram[p, q])
    return high - low


@ANSWERS.sample("offset_only")
def a_column(pe):
    return np.fromiter((np.ptp(np.diag(np.dot(pe, pe.T), k)) for k in range(pe.shape[0])), dtype=float)


@ANSWERS.sample("offset_only", "one-number-for-all")
def the_largest_spread(pe):
    return spreads(pe @ pe.T).max()


@ANSWERS.sample("offset_only", "one-number-for-all")
def the_main_diagonal_as_one_number(pe):
    return float(np.ptp(np.diagonal(pe @ pe.T)))


@ANSWERS.sample("offset_only", "circular-roll")
def rolled_rows(pe):
    return np.array([np.ptp((pe * np.roll(pe, -offset, axis=0)).sum(axis=1)) for offset in range(len(pe))])


@ANSWERS.sample("offset_only", "rows-for-diagonals")
def rows_of_the_gram_matrix(pe):
    return np.ptp(pe @ pe.T, axis=0)


@ANSWERS.sample("offset_only", "zeros")
def rounding_of_its_size(pe):
    return np.full(len(pe), np.finfo(pe.dtype).eps * pe.shape[1])


@ANSWERS.sample("offset_only", "offset-0-missing")
def offset_0_left_out(pe):
    return spreads(pe @ pe.T)[1:]


@ANSWERS.sample("offset_only", "unknown")
def only_whether_it_is_constant(pe):
    return spreads(pe @ pe.T) < 1e-4


@ANSWERS.sample("offset_only", "unknown")
def a_list(pe):
    return list(spreads(pe @ pe.T))


@ANSWERS.sample("offset_only", "unseen")
def small_spreads_taken_for_rounding(pe):
    found = spreads(pe @ pe.T)
    return np.where(found < 0.01, 0, found)


@ANSWERS.sample("offset_only", "unseen")
def the_first_sixty_offsets_alone(pe):
    gram = pe @ pe.T
    return np.array([np.ptp(np.diagonal(gram, offset)) if offset < 60 else 0.0 for offset in range(len(pe))])
