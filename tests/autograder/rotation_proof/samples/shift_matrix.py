"""Lab 03, rotation proof: right and wrong answers to `shift_matrix`."""

import numpy as np
import sympy

from autograder.samples import Sample, Samples, omega_of
from minimodel.positional.sinusoidal import sinusoidal_pe

ANSWERS = Samples()


def turning(s, c):
    return [[c, s], [-s, c]]


def blocks(angles, block=turning):
    """Make a block-diagonal matrix from a function of sine and cosine that returns a 2 x 2 block."""
    matrix = np.zeros((2 * len(angles),) * 2)
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.sin(angle), np.cos(angle))
    return matrix


@ANSWERS.sample("shift_matrix")
def a_loop_over_pairs(k, d):
    return blocks(k * omega_of(d))


@ANSWERS.sample("shift_matrix")
def three_diagonals(k, d):
    angle = k * np.repeat(omega_of(d), 2)
    beside = np.where(np.arange(d - 1) % 2, 0, np.sin(angle[:-1]))
    return np.diag(np.cos(angle)) + np.diag(beside, 1) - np.diag(beside, -1)


@ANSWERS.sample("shift_matrix", "low-precision")
def float32_angles(k, d):
    omega = np.float32(1) / np.float32(10000) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    return blocks(np.float32(k) * omega)


def before_and_after(table, k):
    """Rows of the table, and the rows k positions after them."""
    T = len(table) - abs(k)
    return (table[:T], table[k:]) if k >= 0 else (table[-k:], table[:T])


@ANSWERS.sample("shift_matrix", "low-precision")
def each_pair_fitted_to_rows_of_the_locked_table(k, d):
    here, there = before_and_after(sinusoidal_pe(64 + abs(k), d).astype(float), k)
    matrix = np.zeros((d, d))
    for i in range(0, d, 2):
        pair = slice(i, i + 2)
        matrix[pair, pair] = np.linalg.lstsq(here[:, pair], there[:, pair], rcond=None)[0].T
    return matrix


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def least_squares_on_a_float32_table(k, d):
    return np.linalg.lstsq(*before_and_after(sinusoidal_pe(64 + abs(k), d), k), rcond=None)[0].T


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def pseudoinverse_of_30_float64_rows(k, d):
    angle = np.arange(30)[:, None] * omega_of(d)
    here, there = before_and_after(np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(-1, d), k)
    return (np.linalg.pinv(here) @ there).T


for mistake, style, answer in (
    ("low-precision", "a float32 matrix power", lambda k, d: np.linalg.matrix_power(np.float32(a_loop_over_pairs(1, d)), k)),
    ("low-precision", "right entries stored in float32", lambda k, d: np.float32(a_loop_over_pairs(k, d))),
    ("rotation-transposed", "float32, transposed", lambda k, d: np.float32(three_diagonals(k, d)).T),
    ("reflection", "no minus", lambda k, d: np.float32(three_diagonals(k, d) * (1 - 2 * np.tri(d, k=-1)))),
    ("powered-entries", "entries to the power k", lambda k, d: a_loop_over_pairs(1, d) ** float(k)),
    ("row-for-matrix", "a row of the table", lambda k, d: sinusoidal_pe(abs(k) + 1, d)[-1]),
    ("symbols-for-numbers", "a cosine of SymPy", lambda k, d: np.diag(np.repeat(sympy.cos(k * omega_of(d)), 2))),
    ("half-unwritten", "the sines alone", lambda k, d: np.float32(three_diagonals(k, d) * (1 - np.eye(d)))),
    ("unknown", "a list of lists", lambda k, d: a_loop_over_pairs(k, d).tolist()),
    ("unknown", "backwards by another step", lambda k, d: a_loop_over_pairs(k if k >= 0 else k - 1, d)),
    ("unknown", "by the square of the offset", lambda k, d: a_loop_over_pairs(k * k, d)),
):  # fmt: skip
    ANSWERS.append(Sample("shift_matrix", style, answer, (mistake,)))


@ANSWERS.sample("shift_matrix", "zeros")
def cells_of_a_copy(k, d):
    matrix, even = np.zeros((d, d)), np.arange(0, d, 2)
    matrix[even][:, even] = matrix[even + 1][:, even + 1] = np.diag(np.cos(k * omega_of(d)))
    matrix[even][:, even + 1], matrix[even + 1][:, even] = np.sin(k * omega_of(d)), -np.sin(k * omega_of(d))
    return matrix


@ANSWERS.sample("shift_matrix", "slices-for-cells")
def values_in_stripes(k, d):
    matrix = np.zeros((d, d))
    for i, angle in enumerate(k * omega_of(d)):
        matrix[::2, 2 * i], matrix[1::2, 2 * i] = np.cos(angle), -np.sin(angle)
        matrix[::2, 2 * i + 1], matrix[1::2, 2 * i + 1] = np.sin(angle), np.cos(angle)
    return matrix


@ANSWERS.sample("shift_matrix", "integer-table")
def written_into_whole_numbers(k, d):
    matrix = np.eye(d, dtype=int)
    matrix[:] = a_loop_over_pairs(k, d)
    return matrix


@ANSWERS.sample("shift_matrix", "sign-lost")
def as_many_steps_as_the_offset(k, d):
    matrix = np.eye(d)
    for _ in range(k):
        matrix = matrix @ a_loop_over_pairs(1, d)
    return matrix
