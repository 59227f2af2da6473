"""Lab 08, a head that learns to look back: right and wrong answers to `look_back`."""

import numpy as np

from autograder.samples import Sample, Samples, omega_of, softmax
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import shift, turned

ANSWERS = Samples()


@ANSWERS.sample("look_back")
def with_a_shift_matrix(pe, offset, gain):
    return softmax(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T)


@ANSWERS.sample("look_back")
def with_its_transpose(pe, offset, gain):
    scores = gain * (pe @ shift(offset, pe.shape[1]) @ pe.T)  # R(-offset)ᵀ is R(offset)
    grown = np.exp(scores)
    return grown / grown.sum(axis=1, keepdims=True)


@ANSWERS.sample("look_back")
def in_float32(pe, offset, gain):
    queries = (pe @ shift(-offset, pe.shape[1]).T).astype(np.float32)
    grown = np.exp(np.float32(gain) * (queries @ pe.T))
    return grown / grown.sum(axis=-1)[:, None]


@ANSWERS.sample("look_back")
def with_complex_numbers(pe, offset, gain):
    return softmax(gain * turned(pe, -offset * omega_of(pe.shape[1])) @ pe.T)


@ANSWERS.sample("look_back")
def row_by_row(pe, offset, gain):
    matrix, rows = shift(-offset, pe.shape[1]), []
    for row in pe:
        scores = gain * pe @ (matrix @ row)
        grown = np.exp(scores - scores.max())
        rows.append(grown / grown.sum())
    return np.array(rows)


@ANSWERS.sample("look_back", "looks-forward")
def the_keys_turned_back(pe, offset, gain):
    return softmax(gain * pe @ (pe @ shift(-offset, pe.shape[1]).T).T)


@ANSWERS.sample("look_back", "shift-forgotten")
def queries_and_keys_turned_alike(pe, offset, gain):
    back = pe @ shift(-offset, pe.shape[1]).T
    return softmax(gain * back @ back.T)


@ANSWERS.sample("look_back", "turned-twice")
def queries_back_and_keys_on(pe, offset, gain):
    back, on = (pe @ shift(by, pe.shape[1]).T for by in (-offset, offset))
    return softmax(gain * back @ on.T)


@ANSWERS.sample("look_back", "gain-squared")
def the_gain_in_queries_and_keys(pe, offset, gain):
    return softmax((gain * pe) @ shift(-offset, pe.shape[1]).T @ (gain * pe).T)


@ANSWERS.sample("look_back", "first-rows")
def rows_moved_down_with_zeros_before(pe, offset, gain):
    queries = np.zeros_like(pe)
    queries[offset:] = pe[: len(pe) - offset]
    return softmax(gain * queries @ pe.T)


@ANSWERS.sample("look_back", "table-rebuilt")
def queries_from_a_longer_table(pe, offset, gain):
    T, d = pe.shape
    rows = sinusoidal_pe(T + offset, d)
    return softmax(gain * (rows @ shift(-offset, d).T)[:T] @ pe.T)


@ANSWERS.sample("look_back", "table-rebuilt")
def queries_and_keys_from_the_table(pe, offset, gain):
    return with_complex_numbers(sinusoidal_pe(*pe.shape), offset, gain)


@ANSWERS.sample("look_back", "input-overwritten")
def the_root_of_the_gain_multiplied_in_place(pe, offset, gain):
    pe *= np.float32(gain) ** 0.5
    return softmax(pe @ shift(-offset, pe.shape[1]).T @ pe.T)


def by_a_matrix(law, back=-1):
    """Make an answer like `with_a_shift_matrix`, in float32 and with wrong angles in the matrix."""

    def answer(pe, offset, gain):
        d = pe.shape[1]
        matrix = np.zeros((d, d), np.float32)
        for k in range(d // 2):
            s, c = np.sin(back * offset * law(k, d)), np.cos(back * offset * law(k, d))
            matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[c, s], [-s, c]]
        return softmax(np.float32(gain) * (pe @ matrix.T) @ pe.T)

    return answer


def in_degrees(k, d):
    return np.deg2rad(10000 ** (-2 * k / d))


for mistake, answer in {
    "degrees": by_a_matrix(in_degrees),
    "exponent-k-over-d": by_a_matrix(lambda k, d: 10000 ** (-k / d)),
    "one-angle": by_a_matrix(lambda k, d: 1.0),
    "degrees looks-forward": by_a_matrix(in_degrees, back=1),
}.items():
    ANSWERS.append(Sample("look_back", f"a_float32_matrix: {mistake}", answer, tuple(mistake.split())))


@ANSWERS.sample("look_back", "reflection")
def a_plus_in_both_lines(pe, offset, gain):
    queries = np.empty_like(pe)
    for k, w in enumerate(omega_of(pe.shape[1])):
        s, c = np.sin(-offset * w), np.cos(-offset * w)
        queries[:, 2 * k] = pe[:, 2 * k] * c + pe[:, 2 * k + 1] * s
        queries[:, 2 * k + 1] = pe[:, 2 * k + 1] * c + pe[:, 2 * k] * s
    return softmax(gain * queries @ pe.T)


@ANSWERS.sample("look_back", "half-overwritten")
def columns_overwritten_on_the_way(pe, offset, gain):
    queries, s, c = pe.copy(), np.sin(-offset * omega_of(pe.shape[1])), np.cos(-offset * omega_of(pe.shape[1]))
    queries[:, 0::2] = queries[:, 0::2] * c + queries[:, 1::2] * s
    queries[:, 1::2] = queries[:, 1::2] * c - queries[:, 0::2] * s
    return softmax(gain * queries @ pe.T)


@ANSWERS.sample("look_back", "masked")
def each_token_sees_those_before_it(pe, offset, gain):
    scores, out = gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T, np.zeros((len(pe), len(pe)))
    for p in range(len(pe)):
        out[p, : p + 1] = softmax(scores[p : p + 1, : p + 1])
    return out


@ANSWERS.sample("look_back", "one-hot")
def a_one_in_each_row(pe, offset, gain):
    out = np.zeros((len(pe), len(pe)))
    for p in range(offset, len(pe)):
        out[p, p - offset] = 1
    return out


@ANSWERS.sample("look_back", "weights-not-normalised")
def exponentials_in_float32(pe, offset, gain):
    queries = (pe @ shift(-offset, pe.shape[1]).T).astype(np.float32)
    return np.exp(np.float32(gain) * (queries @ pe.T))


def scores_of(pe, offset, gain):
    return gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T


@ANSWERS.sample("look_back", "softmax-axis")
def the_largest_of_a_row_and_the_sum_of_a_column(pe, offset, gain):
    scores = scores_of(pe, offset, gain)
    scores -= scores.max(axis=1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=0)


@ANSWERS.sample("look_back", "masked", "over-normalised")
def a_mask_and_the_root(pe, offset, gain):
    scores = scores_of(pe, offset, gain) / np.sqrt(pe.shape[1])
    scores[np.triu_indices(len(pe), 1)] = -np.inf
    return softmax(scores)


@ANSWERS.sample("look_back", "looks-forward", "over-normalised")
def the_matrix_not_transposed_and_the_root(pe, offset, gain):
    return softmax(gain * (pe @ shift(-offset, pe.shape[1])) @ pe.T / pe.shape[1] ** 0.5)


@ANSWERS.sample("look_back", "looks-forward", "gain-forgotten")
def the_other_way_without_the_gain(pe, offset, gain):
    return softmax(pe @ shift(offset, pe.shape[1]).T @ pe.T)


@ANSWERS.sample("look_back", "slices-for-cells")
def a_matrix_filled_by_slices(pe, offset, gain):
    angle, back = -offset * omega_of(pe.shape[1]), np.zeros((pe.shape[1],) * 2)
    back[0::2, 0::2] = back[1::2, 1::2] = np.cos(angle)
    back[0::2, 1::2], back[1::2, 0::2] = np.sin(angle), -np.sin(angle)
    return softmax(gain * (pe @ back.T @ pe.T))


@ANSWERS.sample("look_back", "columns-unwritten")
def only_the_even_columns_of_the_queries(pe, offset, gain):
    angle, queries = -offset * omega_of(pe.shape[1]), np.zeros(pe.shape)
    queries[:, 0::2] = pe[:, 0::2] * np.cos(angle) + pe[:, 1::2] * np.sin(angle)
    return softmax(gain * queries @ pe.T)
