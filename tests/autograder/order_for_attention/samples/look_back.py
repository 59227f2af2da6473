"""Lab 06, order for attention: right and wrong answers to `look_back`."""

import numpy as np

from autograder.samples import Samples

from . import omega, shift, softmax, turned

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
def with_strided_columns(pe, offset, gain):
    s, c = np.sin(-offset * omega(pe.shape[1])), np.cos(-offset * omega(pe.shape[1]))
    queries = np.empty(pe.shape)
    queries[:, 0::2] = pe[:, 0::2] * c + pe[:, 1::2] * s
    queries[:, 1::2] = pe[:, 1::2] * c - pe[:, 0::2] * s
    return softmax(gain * queries @ pe.T)


@ANSWERS.sample("look_back")
def with_complex_numbers(pe, offset, gain):
    return softmax(gain * turned(pe, -offset * omega(pe.shape[1])) @ pe.T)


@ANSWERS.sample("look_back")
def with_the_keys_turned_on(pe, offset, gain):
    return softmax(gain * pe @ turned(pe, offset * omega(pe.shape[1])).T)


@ANSWERS.sample("look_back")
def row_by_row(pe, offset, gain):
    matrix, rows = shift(-offset, pe.shape[1]), []
    for row in pe:
        scores = gain * pe @ (matrix @ row)
        grown = np.exp(scores - scores.max())
        rows.append(grown / grown.sum())
    return np.array(rows)


@ANSWERS.sample("look_back")
def with_a_matrix_power(pe, offset, gain):
    back = np.linalg.matrix_power(shift(-1, pe.shape[1]), offset)
    return softmax(gain * np.einsum("pi,ji,qj->pq", pe, back, pe))


@ANSWERS.sample("look_back")
def with_the_inverse(pe, offset, gain):
    return softmax(gain * (np.linalg.inv(shift(offset, pe.shape[1])) @ pe.T).T @ pe.T)


@ANSWERS.sample("look_back", "looks-forward")
def turned_the_other_way(pe, offset, gain):
    return softmax(gain * pe @ shift(offset, pe.shape[1]).T @ pe.T)


@ANSWERS.sample("look_back", "looks-forward")
def the_keys_turned_back(pe, offset, gain):
    return softmax(gain * pe @ (pe @ shift(-offset, pe.shape[1]).T).T)


@ANSWERS.sample("look_back", "looks-forward")
def the_transpose_forgotten(pe, offset, gain):
    return softmax(gain * pe @ shift(-offset, pe.shape[1]) @ pe.T)


@ANSWERS.sample("look_back", "shift-forgotten")
def not_turned(pe, offset, gain):
    return softmax(gain * pe @ pe.T)


@ANSWERS.sample("look_back", "shift-forgotten")
def queries_and_keys_turned_alike(pe, offset, gain):
    back = pe @ shift(-offset, pe.shape[1]).T
    return softmax(gain * back @ back.T)


@ANSWERS.sample("look_back", "turned-twice")
def queries_back_and_keys_on(pe, offset, gain):
    back, on = (pe @ shift(by, pe.shape[1]).T for by in (-offset, offset))
    return softmax(gain * back @ on.T)


@ANSWERS.sample("look_back", "gain-forgotten")
def without_the_gain(pe, offset, gain):
    return softmax(pe @ shift(-offset, pe.shape[1]).T @ pe.T)


@ANSWERS.sample("look_back", "gain-squared")
def the_gain_in_queries_and_keys(pe, offset, gain):
    return softmax((gain * pe) @ shift(-offset, pe.shape[1]).T @ (gain * pe).T)


@ANSWERS.sample("look_back", "gain-divides")
def a_temperature(pe, offset, gain):
    return softmax(pe @ shift(-offset, pe.shape[1]).T @ pe.T / gain)


@ANSWERS.sample("look_back", "gain-after-softmax")
def the_gain_at_the_end(pe, offset, gain):
    return gain * softmax(pe @ shift(-offset, pe.shape[1]).T @ pe.T)


@ANSWERS.sample("look_back", "weights-not-normalised")
def exponentials_alone(pe, offset, gain):
    return np.exp(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T - 4)


@ANSWERS.sample("look_back", "weights-not-normalised")
def divided_by_one_sum(pe, offset, gain):
    grown = np.exp(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T)
    return grown / grown.sum()


@ANSWERS.sample("look_back", "weights-not-normalised")
def divided_by_the_largest(pe, offset, gain):
    grown = np.exp(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T)
    return grown / grown.max(axis=1, keepdims=True)


@ANSWERS.sample("look_back", "softmax-axis")
def softmax_down_the_columns(pe, offset, gain):
    return softmax(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T, axis=0)


@ANSWERS.sample("look_back", "softmax-missing")
def scores_alone(pe, offset, gain):
    return gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T


@ANSWERS.sample("look_back", "over-normalised")
def divided_by_the_root_of_d(pe, offset, gain):
    return softmax(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T / np.sqrt(pe.shape[1]))


@ANSWERS.sample("look_back", "scaled-by-length")
def divided_by_the_root_of_T(pe, offset, gain):
    return softmax(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T / np.sqrt(len(pe)))


@ANSWERS.sample("look_back", "masked")
def with_a_causal_mask(pe, offset, gain):
    scores = gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T
    return softmax(np.where(np.tri(len(pe), dtype=bool), scores, -1e9))


@ANSWERS.sample("look_back", "one-hot")
def a_shifted_identity(pe, offset, gain):
    return np.eye(len(pe), k=-offset)


@ANSWERS.sample("look_back", "one-hot")
def only_the_largest(pe, offset, gain):
    scores = pe @ shift(-offset, pe.shape[1]).T @ pe.T
    return (scores == scores.max(axis=1, keepdims=True)).astype(float)


@ANSWERS.sample("look_back", "circular-roll")
def rows_rolled(pe, offset, gain):
    return softmax(gain * np.roll(pe, offset, axis=0) @ pe.T)


@ANSWERS.sample("look_back", "first-rows")
def rows_moved_down_with_zeros_before(pe, offset, gain):
    queries = np.zeros_like(pe)
    queries[offset:] = pe[: len(pe) - offset]
    return softmax(gain * queries @ pe.T)


@ANSWERS.sample("look_back", "first-rows")
def never_before_the_first(pe, offset, gain):
    return softmax(gain * pe[np.maximum(np.arange(len(pe)) - offset, 0)] @ pe.T)


@ANSWERS.sample("look_back", "wrong-product")
def columns_with_columns(pe, offset, gain):
    return softmax(gain * pe.T @ pe)


@ANSWERS.sample("look_back", "unknown")
def halves_turned(pe, offset, gain):
    h = pe.shape[1] // 2
    s, c = np.sin(-offset * omega(2 * h)), np.cos(-offset * omega(2 * h))
    back = np.concatenate([pe[:, :h] * c + pe[:, h:] * s, pe[:, h:] * c - pe[:, :h] * s], axis=1)
    return softmax(gain * back @ pe.T)


@ANSWERS.sample("look_back", "unknown")
def one_angle_for_all(pe, offset, gain):
    return softmax(gain * turned(pe, -offset * np.ones(pe.shape[1] // 2)) @ pe.T)


@ANSWERS.sample("look_back", "wrong-product")
def the_matrix_alone(pe, offset, gain):
    return softmax(gain * shift(-offset, pe.shape[1]))


@ANSWERS.sample("look_back", "unknown")
def the_values_too(pe, offset, gain):
    return softmax(gain * pe @ shift(-offset, pe.shape[1]).T @ pe.T) @ pe


@ANSWERS.sample("look_back", "unknown")
def always_three_back(pe, offset, gain):
    return softmax(gain * pe @ shift(-3, pe.shape[1]).T @ pe.T)


@ANSWERS.sample("look_back", "input-overwritten")
def the_root_of_the_gain_multiplied_in_place(pe, offset, gain):
    pe *= np.float32(gain) ** 0.5
    return softmax(pe @ shift(-offset, pe.shape[1]).T @ pe.T)
