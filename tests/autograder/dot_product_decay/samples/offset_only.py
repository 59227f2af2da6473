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


@ANSWERS.sample("offset_only", "main-diagonal-alone")
def the_main_diagonal_for_every_offset(pe):
    return np.full(len(pe), np.ptp(np.diagonal(pe @ pe.T)))


@ANSWERS.sample("offset_only", "standard-deviation")
def standard_deviations(pe):
    return spreads(pe @ pe.T, np.std)


@ANSWERS.sample("offset_only", "largest-alone")
def largest_entries(pe):
    return spreads(pe @ pe.T, np.max)


@ANSWERS.sample("offset_only", "circular-roll")
def rolled_rows(pe):
    return np.array([np.ptp((pe * np.roll(pe, -offset, axis=0)).sum(axis=1)) for offset in range(len(pe))])


@ANSWERS.sample("offset_only", "circular-roll")
def rolled_the_other_way(pe):
    return np.array([np.ptp((pe * np.roll(pe, offset, axis=0)).sum(axis=1)) for offset in range(len(pe))])


@ANSWERS.sample("offset_only", "other-diagonals")
def diagonals_of_p_plus_q(pe):
    return spreads((pe @ pe.T)[::-1])


@ANSWERS.sample("offset_only", "rows-for-diagonals")
def rows_of_the_gram_matrix(pe):
    return np.ptp(pe @ pe.T, axis=0)


@ANSWERS.sample("offset_only", "both-sides")
def every_diagonal(pe):
    gram = pe @ pe.T
    return np.array([np.ptp(np.diagonal(gram, offset)) for offset in range(1 - len(gram), len(gram))])


@ANSWERS.sample("offset_only", "wrong-product")
def columns_with_columns(pe):
    return spreads(pe.T @ pe)


@ANSWERS.sample("offset_only", "over-normalised")
def divided_by_half_of_d(pe):
    return spreads(pe @ pe.T / (pe.shape[1] / 2))


@ANSWERS.sample("offset_only", "unknown")
def nothing_measured(pe):
    return np.zeros(len(pe))


@ANSWERS.sample("offset_only", "unknown")
def rounding_of_its_size(pe):
    return np.full(len(pe), np.finfo(pe.dtype).eps * pe.shape[1])


@ANSWERS.sample("offset_only", "unknown")
def rounded_away(pe):
    return spreads(np.round(pe @ pe.T))


@ANSWERS.sample("offset_only", "unknown")
def from_the_first_entry(pe):
    return spreads(pe @ pe.T, lambda entries: np.abs(entries - entries[0]).max())


@ANSWERS.sample("offset_only", "unknown")
def from_the_mean(pe):
    return spreads(pe @ pe.T, lambda entries: np.abs(entries - entries.mean()).max())


@ANSWERS.sample("offset_only", "unknown")
def offset_0_left_out(pe):
    return spreads(pe @ pe.T)[1:]


@ANSWERS.sample("offset_only", "unknown")
def far_offsets_first(pe):
    return spreads(pe @ pe.T)[::-1]


@ANSWERS.sample("offset_only", "unknown")
def cosines_alone(pe):
    return spreads(pe[:, 1::2] @ pe[:, 1::2].T)


@ANSWERS.sample("offset_only", "unknown")
def neighbouring_entries_compared(pe):
    return spreads(pe @ pe.T, lambda entries: np.abs(np.diff(entries)).max(initial=0))


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
