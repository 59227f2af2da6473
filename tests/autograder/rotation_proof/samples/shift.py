"""Lab 03, rotation proof: right and wrong answers to `shift`."""

import numpy as np
import sympy

from autograder.samples import UNSEEN, Sample, Samples, omega_of

ANSWERS = Samples()


def shifted(even, odd):
    return np.stack([even, odd], axis=-1).reshape(len(even), -1)


def turned(pe, angle):
    """Turn each pair, as a complex number, by an angle."""
    hands = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * angle)
    return shifted(hands.imag, hands.real)


def turn(pe, k):
    """The sine and cosine of the angle by which each pair turns."""
    return np.sin(k * omega_of(pe.shape[1])), np.cos(k * omega_of(pe.shape[1]))


@ANSWERS.sample("shift")
def two_strided_columns(pe, k):
    (s, c), out = turn(pe, k), np.empty_like(pe)
    out[:, 0::2] = pe[:, 0::2] * c + pe[:, 1::2] * s
    out[:, 1::2] = pe[:, 1::2] * c - pe[:, 0::2] * s
    return out


ANSWERS.several("shift", one_complex_multiplication=lambda pe, k: turned(pe, k * omega_of(pe.shape[1])))


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


@ANSWERS.sample("shift", UNSEEN, "matrix-built")
def the_matrix_all_the_same(pe, k):
    matrix = np.zeros((pe.shape[1],) * 2)
    for i, (s, c) in enumerate(zip(*turn(pe, k))):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return pe @ matrix.T


@ANSWERS.sample("shift")
def three_shears(pe, k):
    """Rotate with three shears. Each uses columns that the one before has changed."""
    out, half = pe.astype(np.float64), k * omega_of(pe.shape[1]) / 2
    near = np.abs(np.cos(half)) > 1e-3
    tangent = np.where(near, np.tan(half), 0)
    out[:, 0::2] += out[:, 1::2] * tangent
    out[:, 1::2] -= out[:, 0::2] * np.sin(2 * half)
    out[:, 0::2] += out[:, 1::2] * tangent
    return np.where(np.repeat(near, 2), out, two_strided_columns(pe, k))


def partners(pe):
    return np.arange(pe.shape[1]) ^ 1


for mistake, style, answer in (
    ("rotation-transposed", "turned the other way", lambda pe, k: two_strided_columns(pe, -k)),
    ("uses-position", "turned by p + k", lambda pe, k: turned(pe, (np.arange(len(pe)) + k)[:, None] * omega_of(pe.shape[1]))),
    ("one-angle", "every pair by k radians", turned),
    ("swapped-sin-cos", "columns exchanged in the result", lambda pe, k: two_strided_columns(pe, k)[:, partners(pe)]),
    ("wrong-frequencies", "k over d", lambda pe, k: turned(pe, k * np.sqrt(omega_of(pe.shape[1])))),
    ("rows-lost", "the last row repeated", lambda pe, k: pe[np.clip(np.arange(len(pe)) + k, 0, len(pe) - 1)]),
    ("half-unwritten", "cosines of a copy", lambda pe, k: np.where(partners(pe) % 2, two_strided_columns(pe, k), pe)),
    ("columns-apart", "all sines, then all cosines", lambda pe, k: np.hstack([two_strided_columns(pe, k)[:, i::2] for i in (0, 1)])),
    ("unknown", "a list of rows", lambda pe, k: two_strided_columns(pe, k).tolist()),
    ("unknown", "nothing returned", lambda pe, k: None),
):  # fmt: skip
    ANSWERS.append(Sample("shift", style, answer, (mistake,)))


@ANSWERS.sample("shift", "symbols-for-numbers")
def with_sines_of_sympy(pe, k):
    angle, out = k * omega_of(pe.shape[1]), np.empty(pe.shape)
    out[:, 0::2] = pe[:, 0::2] * sympy.cos(angle) + pe[:, 1::2] * sympy.sin(angle)
    return out


@ANSWERS.sample("shift", "reflection")
def a_plus_in_both_identities(pe, k):
    s, c = turn(pe, k)
    return shifted(pe[:, 0::2] * c + pe[:, 1::2] * s, pe[:, 1::2] * c + pe[:, 0::2] * s)


@ANSWERS.sample("shift", "halves-blocks")
def partners_half_a_table_apart(pe, k):
    (sines, cosines), (s, c) = np.split(pe, 2, axis=1), turn(pe, k)
    return np.concatenate([sines * c + cosines * s, cosines * c - sines * s], axis=1)


@ANSWERS.sample("shift", "wrong-frequencies")
def only_the_first_pair(pe, k):
    out = pe.copy()
    out[:, :2] = two_strided_columns(pe, k)[:, :2]
    return out


@ANSWERS.sample("shift", "input-overwritten")
def the_sines_overwritten_before_the_cosines(pe, k):
    s, c = turn(pe, k)
    pe[:, 0::2] = pe[:, 0::2] * c + pe[:, 1::2] * s
    pe[:, 1::2] = pe[:, 1::2] * c - pe[:, 0::2] * s
    return pe


@ANSWERS.sample("shift", "input-overwritten")
def a_new_result_and_a_spoiled_table(pe, k):
    right = two_strided_columns(pe, k)
    pe *= 0
    return right


@ANSWERS.sample("shift", "half-overwritten")
def the_cosines_of_a_copy_overwritten_before_the_sines(pe, k):
    out, (s, c) = pe.copy(), turn(pe, k)
    out[:, 1::2] = out[:, 1::2] * c - out[:, 0::2] * s
    out[:, 0::2] = out[:, 0::2] * c + out[:, 1::2] * s
    return out


@ANSWERS.sample("shift", "half-overwritten")
def a_view_of_a_copy_overwritten(pe, k):
    pe, (sin, cos) = pe.copy(), turn(pe, k)
    s, c = pe[:, 0::2], pe[:, 1::2]
    s[:] = s * cos + c * sin
    c[:] = c * cos - s * sin
    return pe


@ANSWERS.sample("shift", "pairs-apart")
def real_and_imaginary_parts_in_a_list(pe, k):
    hands = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * k * omega_of(pe.shape[1]))
    return np.array([hands.imag, hands.real])


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


@ANSWERS.sample("shift", "length-lost")
def turned_pairs_scaled_to_length_1(pe, k):
    right = two_strided_columns(pe, k).reshape(len(pe), -1, 2)
    return (right / np.hypot(right[..., :1], right[..., 1:])).reshape(pe.shape)


@ANSWERS.sample("shift", "unknown")
def the_sines_overwritten_and_a_sign_lost(pe, k):
    out, (s, c) = pe.astype(np.float64), turn(pe, k)
    out[:, 0::2] = out[:, 0::2] * c + out[:, 1::2] * s
    out[:, 1::2] = out[:, 1::2] * c + out[:, 0::2] * s
    return out


KEPT = {}


@ANSWERS.sample("shift", "unseen")
def kept_by_shape(pe, k):
    return KEPT.setdefault((pe.shape, k), two_strided_columns(pe, k))
