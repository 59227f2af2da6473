"""Lab 03, rotation proof: right and wrong answers to `shift`."""

import numpy as np

from autograder.samples import Samples, omega_of

ANSWERS = Samples()


def shifted(even, odd):
    return np.stack([even, odd], axis=-1).reshape(len(even), -1)


@ANSWERS.sample("shift")
def two_strided_columns(pe, k):
    s, c = np.sin(k * omega_of(pe.shape[1])), np.cos(k * omega_of(pe.shape[1]))
    out = np.empty_like(pe)
    out[:, 0::2] = pe[:, 0::2] * c + pe[:, 1::2] * s
    out[:, 1::2] = pe[:, 1::2] * c - pe[:, 0::2] * s
    return out


@ANSWERS.sample("shift")
def one_complex_multiplication(pe, k):
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * k * omega_of(pe.shape[1]))
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift")
def a_complex64_view(pe, k):
    phase = np.exp(-1j * k * omega_of(pe.shape[1])).astype(np.complex64)
    return (np.ascontiguousarray(pe).view(np.complex64) * phase).view(np.float32)


@ANSWERS.sample("shift")
def a_double_loop(pe, k):
    T, d = pe.shape
    out = np.zeros((T, d))
    for p in range(T):
        for i, angle in enumerate(k * omega_of(d)):
            s, c = pe[p, 2 * i : 2 * i + 2]
            out[p, 2 * i] = s * np.cos(angle) + c * np.sin(angle)
            out[p, 2 * i + 1] = c * np.cos(angle) - s * np.sin(angle)
    return out


@ANSWERS.sample("shift")
def pairs_on_a_third_axis(pe, k):
    pairs, angle = pe.reshape(len(pe), -1, 2), k * omega_of(pe.shape[1])
    turned = np.stack([np.cos(angle), np.sin(angle)], axis=-1) * pairs
    return shifted(turned.sum(axis=-1), pairs[..., 1] * np.cos(angle) - pairs[..., 0] * np.sin(angle))


@ANSWERS.sample("shift")
def the_matrix_all_the_same(pe, k):
    matrix = np.zeros((pe.shape[1],) * 2)
    for i, angle in enumerate(k * omega_of(pe.shape[1])):
        s, c = np.sin(angle), np.cos(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return pe @ matrix.T


@ANSWERS.sample("shift")
def repeated_angles_and_a_partner_array(pe, k):
    d = pe.shape[1]
    angle = np.repeat(k * omega_of(d), 2)
    partner = pe[:, np.arange(d) ^ 1] * np.where(np.arange(d) % 2, -1, 1)
    return pe * np.cos(angle) + partner * np.sin(angle)


@ANSWERS.sample("shift")
def einsum_over_pairs(pe, k):
    angle = k * omega_of(pe.shape[1])
    turns = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.einsum("abk,pkb->pka", turns, pe.reshape(len(pe), -1, 2)).reshape(pe.shape)


@ANSWERS.sample("shift")
def a_copy_that_is_overwritten(pe, k):
    pe = pe.astype(np.float64)
    angle = k * omega_of(pe.shape[1])
    sines = pe[:, 0::2].copy()
    pe[:, 0::2] = sines * np.cos(angle) + pe[:, 1::2] * np.sin(angle)
    pe[:, 1::2] = pe[:, 1::2] * np.cos(angle) - sines * np.sin(angle)
    return pe


@ANSWERS.sample("shift", "rotation-transposed")
def turned_the_other_way(pe, k):
    return two_strided_columns(pe, -k)


@ANSWERS.sample("shift", "reflection")
def a_plus_in_both_identities(pe, k):
    s, c = np.sin(k * omega_of(pe.shape[1])), np.cos(k * omega_of(pe.shape[1]))
    return shifted(pe[:, 0::2] * c + pe[:, 1::2] * s, pe[:, 1::2] * c + pe[:, 0::2] * s)


@ANSWERS.sample("shift", "halves-blocks")
def partners_half_a_table_apart(pe, k):
    h = pe.shape[1] // 2
    s, c = np.sin(k * omega_of(2 * h)), np.cos(k * omega_of(2 * h))
    return np.concatenate([pe[:, :h] * c + pe[:, h:] * s, pe[:, h:] * c - pe[:, :h] * s], axis=1)


@ANSWERS.sample("shift", "uses-position")
def turned_by_p_plus_k(pe, k):
    turns = (np.arange(len(pe)) + k)[:, None] * omega_of(pe.shape[1])
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * turns)
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift", "one-angle")
def every_pair_by_k_radians(pe, k):
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * k)
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift", "one-angle")
def pairs_turned_in_degrees(pe, k):
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * np.deg2rad(k * omega_of(pe.shape[1])))
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift", "circular-roll")
def rows_moved_around(pe, k):
    return np.roll(pe, -k, axis=0)


@ANSWERS.sample("shift", "swapped-sin-cos")
def columns_exchanged_in_the_result(pe, k):
    right = two_strided_columns(pe, k)
    return shifted(right[:, 1::2], right[:, 0::2])


@ANSWERS.sample("shift", "wrong-frequencies")
def frequencies_with_k_over_d(pe, k):
    d = pe.shape[1]
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * k * 10000.0 ** (-np.arange(d // 2) / d))
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift", "input-overwritten")
def the_sines_overwritten_before_the_cosines(pe, k):
    s, c = np.sin(k * omega_of(pe.shape[1])), np.cos(k * omega_of(pe.shape[1]))
    pe[:, 0::2] = pe[:, 0::2] * c + pe[:, 1::2] * s
    pe[:, 1::2] = pe[:, 1::2] * c - pe[:, 0::2] * s
    return pe


@ANSWERS.sample("shift", "input-overwritten")
def right_values_in_the_table_that_was_given(pe, k):
    pe[:] = two_strided_columns(pe, k)
    return pe


@ANSWERS.sample("shift", "input-overwritten")
def a_new_result_and_a_spoiled_table(pe, k):
    right = two_strided_columns(pe, k)
    pe *= 0
    return right


@ANSWERS.sample("shift", "rows-lost")
def the_rows_that_are_there(pe, k):
    return pe[k:] if k >= 0 else pe[:k]


@ANSWERS.sample("shift", "rows-lost")
def zeros_at_the_end(pe, k):
    out = np.zeros_like(pe)
    out[: len(pe) - k] = pe[k:] if k >= 0 else pe
    return out if k >= 0 else two_strided_columns(pe, k)


@ANSWERS.sample("shift", "rows-lost")
def the_last_row_repeated(pe, k):
    return pe[np.clip(np.arange(len(pe)) + k, 0, len(pe) - 1)]


@ANSWERS.sample("shift", "offset-ignored")
def unchanged(pe, k):
    return pe


@ANSWERS.sample("shift", "unknown")
def nothing_returned(pe, k):
    two_strided_columns(pe, k)


@ANSWERS.sample("shift", "unknown")
def a_list_of_rows(pe, k):
    return two_strided_columns(pe, k).tolist()


@ANSWERS.sample("shift", "wrong-frequencies")
def only_the_first_pair(pe, k):
    out = pe.copy()
    out[:, :2] = two_strided_columns(pe, k)[:, :2]
    return out


@ANSWERS.sample("shift", "half-overwritten")
def the_sines_of_a_copy_overwritten_before_the_cosines(pe, k):
    out, angle = pe.astype(np.float64), k * omega_of(pe.shape[1])
    out[:, 0::2] = out[:, 0::2] * np.cos(angle) + out[:, 1::2] * np.sin(angle)
    out[:, 1::2] = out[:, 1::2] * np.cos(angle) - out[:, 0::2] * np.sin(angle)
    return out


@ANSWERS.sample("shift", "half-overwritten")
def the_cosines_of_a_copy_overwritten_before_the_sines(pe, k):
    out, angle = pe.copy(), k * omega_of(pe.shape[1])
    out[:, 1::2] = out[:, 1::2] * np.cos(angle) - out[:, 0::2] * np.sin(angle)
    out[:, 0::2] = out[:, 0::2] * np.cos(angle) + out[:, 1::2] * np.sin(angle)
    return out


@ANSWERS.sample("shift", "half-overwritten")
def the_new_sine_of_each_pair_used_for_its_cosine(pe, k):
    out = np.empty(pe.shape)
    for p in range(len(pe)):
        sines, cosines = pe[p, 0::2].astype(float), pe[p, 1::2].astype(float)
        angle = k * omega_of(pe.shape[1])
        sines = sines * np.cos(angle) + cosines * np.sin(angle)
        cosines = cosines * np.cos(angle) - sines * np.sin(angle)
        out[p, 0::2], out[p, 1::2] = sines, cosines
    return out


@ANSWERS.sample("shift", "half-overwritten")
def a_view_of_a_copy_overwritten(pe, k):
    pe = pe.copy()
    s, c = pe[:, 0::2], pe[:, 1::2]
    angle = k * omega_of(pe.shape[1])
    s[:] = s * np.cos(angle) + c * np.sin(angle)
    c[:] = c * np.cos(angle) - s * np.sin(angle)
    return pe


@ANSWERS.sample("shift")
def a_copy_overwritten_from_the_table_itself(pe, k):
    out, angle = pe.copy(), k * omega_of(pe.shape[1])
    out[:, 0::2] = pe[:, 0::2] * np.cos(angle) + pe[:, 1::2] * np.sin(angle)
    out[:, 1::2] = pe[:, 1::2] * np.cos(angle) - pe[:, 0::2] * np.sin(angle)
    return out


@ANSWERS.sample("shift")
def both_halves_at_once(pe, k):
    out, angle = pe.copy(), k * omega_of(pe.shape[1])
    s, c = np.sin(angle), np.cos(angle)
    out[:, 0::2], out[:, 1::2] = out[:, 0::2] * c + out[:, 1::2] * s, out[:, 1::2] * c - out[:, 0::2] * s
    return out


@ANSWERS.sample("shift")
def three_shears(pe, k):
    """A rotation as three shears, each of which uses columns that the one before has overwritten."""
    out, half = pe.astype(np.float64), k * omega_of(pe.shape[1]) / 2
    near = np.abs(np.cos(half)) > 1e-3
    tangent = np.where(near, np.tan(half), 0)
    out[:, 0::2] += out[:, 1::2] * tangent
    out[:, 1::2] -= out[:, 0::2] * np.sin(2 * half)
    out[:, 0::2] += out[:, 1::2] * tangent
    return np.where(np.repeat(near, 2), out, two_strided_columns(pe, k))


@ANSWERS.sample("shift", "half-unwritten")
def the_cosines_of_a_copy_left_as_they_were(pe, k):
    out, angle = pe.copy(), k * omega_of(pe.shape[1])
    out[:, 0::2] = pe[:, 0::2] * np.cos(angle) + pe[:, 1::2] * np.sin(angle)
    return out


@ANSWERS.sample("shift", "columns-apart")
def all_sines_then_all_cosines(pe, k):
    right = two_strided_columns(pe, k)
    return np.stack([right[:, 0::2], right[:, 1::2]], axis=1).reshape(pe.shape)


@ANSWERS.sample("shift", "pairs-apart")
def real_and_imaginary_parts_in_a_list(pe, k):
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * k * omega_of(pe.shape[1]))
    return np.array([turned.imag, turned.real])


@ANSWERS.sample("shift", "integer-table")
def written_into_whole_numbers(pe, k):
    out = np.zeros(pe.shape, dtype=int)
    out[:] = two_strided_columns(pe, k)
    return out


@ANSWERS.sample("shift", "sign-lost")
def one_step_after_another(pe, k):
    for _ in range(k):
        pe = two_strided_columns(pe, 1)
    return pe


@ANSWERS.sample("shift", "unknown")
def the_sines_overwritten_and_a_sign_lost(pe, k):
    out, angle = pe.astype(np.float64), k * omega_of(pe.shape[1])
    out[:, 0::2] = out[:, 0::2] * np.cos(angle) + out[:, 1::2] * np.sin(angle)
    out[:, 1::2] = out[:, 1::2] * np.cos(angle) + out[:, 0::2] * np.sin(angle)
    return out


@ANSWERS.sample("shift", "length-lost")
def turned_pairs_scaled_to_length_1(pe, k):
    right = two_strided_columns(pe, k).reshape(len(pe), -1, 2)
    return (right / np.hypot(right[..., :1], right[..., 1:])).reshape(pe.shape)


KEPT = {}


@ANSWERS.sample("shift", "unseen")
def kept_by_shape(pe, k):
    return KEPT.setdefault((pe.shape, k), two_strided_columns(pe, k))
