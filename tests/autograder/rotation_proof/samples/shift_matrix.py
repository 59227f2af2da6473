"""Lab 03, rotation proof: right and wrong answers to `shift_matrix`."""

import numpy as np

from autograder.samples import Samples, omega_of
from minimodel.positional.sinusoidal import sinusoidal_pe

ANSWERS = Samples()


def blocks(angles, block):
    """A block-diagonal matrix from a function of sine and cosine that gives one 2 x 2 block."""
    matrix = np.zeros((2 * len(angles),) * 2)
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.sin(angle), np.cos(angle))
    return matrix


def turning(s, c):
    return [[c, s], [-s, c]]


@ANSWERS.sample("shift_matrix")
def a_loop_over_pairs(k, d):
    return blocks(k * omega_of(d), turning)


@ANSWERS.sample("shift_matrix")
def three_diagonals(k, d):
    angle = k * np.repeat(omega_of(d), 2)
    beside = np.where(np.arange(d - 1) % 2, 0, np.sin(angle[:-1]))
    return np.diag(np.cos(angle)) + np.diag(beside, 1) - np.diag(beside, -1)


@ANSWERS.sample("shift_matrix")
def strided_diagonals(k, d):
    omega = 1 / 10000 ** (np.arange(0, d, 2) / d)
    matrix = np.zeros((d, d))
    matrix[range(d), range(d)] = np.repeat(np.cos(k * omega), 2)
    matrix[range(0, d, 2), range(1, d, 2)] = np.sin(k * omega)
    matrix[range(1, d, 2), range(0, d, 2)] = -np.sin(k * omega)
    return matrix


@ANSWERS.sample("shift_matrix")
def kronecker_products(k, d):
    angle = np.exp(np.arange(d // 2) * (-2 * np.log(10000.0) / d)) * k
    return np.kron(np.diag(np.cos(angle)), np.eye(2)) + np.kron(np.diag(np.sin(angle)), np.array([[0, 1], [-1, 0]]))


@ANSWERS.sample("shift_matrix")
def a_matrix_power(k, d):
    return np.linalg.matrix_power(blocks(omega_of(d), turning), k)


@ANSWERS.sample("shift_matrix", "low-precision")
def a_float32_matrix_power(k, d):
    return np.linalg.matrix_power(blocks(omega_of(d), turning).astype(np.float32), k)


@ANSWERS.sample("shift_matrix", "low-precision")
def right_entries_stored_in_float32(k, d):
    return a_loop_over_pairs(k, d).astype(np.float32)


@ANSWERS.sample("shift_matrix", "low-precision")
def each_pair_fitted_to_rows_of_the_locked_table(k, d):
    table = sinusoidal_pe(64 + abs(k), d)
    here, there = (table[:64], table[abs(k) :]) if k >= 0 else (table[-k:], table[:64])
    matrix = np.zeros((d, d))
    for i in range(0, d, 2):
        pair = slice(i, i + 2)
        matrix[pair, pair] = np.linalg.lstsq(here[:, pair].astype(float), there[:, pair], rcond=None)[0].T
    return matrix


@ANSWERS.sample("shift_matrix", "low-precision")
def float32_angles(k, d):
    omega = np.float32(1) / np.float32(10000) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    return blocks(np.float32(k) * omega, turning)


@ANSWERS.sample("shift_matrix")
def complex_phases(k, d):
    phase = np.exp(1j * k * omega_of(d))
    return blocks(np.angle(phase), turning)


@ANSWERS.sample("shift_matrix")
def the_exponential_of_the_generator(k, d):
    generator = np.zeros((d, d))
    for i, omega in enumerate(omega_of(d)):
        generator[2 * i, 2 * i + 1], generator[2 * i + 1, 2 * i] = omega, -omega
    term = part = np.eye(d)
    for n in range(1, 20):
        term = term @ generator * (k / 2**14 / n)
        part = part + term
    return np.linalg.matrix_power(part, 2**14)


@ANSWERS.sample("shift_matrix")
def a_product_of_complex_phases_as_real_blocks(k, d):
    phase = np.exp(1j * omega_of(d)) ** k
    return np.kron(np.diag(phase.real), np.eye(2)) + np.kron(np.diag(phase.imag), [[0, 1], [-1, 0]])


@ANSWERS.sample("shift_matrix", "rotation-transposed")
def a_float32_matrix_power_transposed(k, d):
    return a_float32_matrix_power(k, d).T


@ANSWERS.sample("shift_matrix", "reflection")
def three_diagonals_without_a_minus(k, d):
    angle = k * np.repeat(omega_of(d), 2).astype(np.float32)
    beside = np.where(np.arange(d - 1) % 2, 0, np.sin(angle[:-1]))
    return np.diag(np.cos(angle)) + np.diag(beside, 1) + np.diag(beside, -1)


@ANSWERS.sample("shift_matrix", "rotation-transposed")
def the_textbook_rotation_of_x_and_y(k, d):
    return blocks(k * omega_of(d), lambda s, c: [[c, -s], [s, c]])


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def least_squares_on_64_rows(k, d):
    table = blocks_table(64 + abs(k), d)
    here, there = (table[:64], table[abs(k) :]) if k >= 0 else (table[abs(k) :], table[:64])
    return np.linalg.lstsq(here, there, rcond=None)[0].T


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def least_squares_on_a_float32_table(k, d):
    table = sinusoidal_pe(64 + abs(k), d)
    here, there = (table[:64], table[abs(k) :]) if k >= 0 else (table[abs(k) :], table[:64])
    return np.linalg.lstsq(here, there, rcond=None)[0].T


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def pseudoinverse_of_30_rows(k, d):
    table = blocks_table(30, d)
    here, there = (table[: 30 - k], table[k:]) if k >= 0 else (table[-k:], table[: 30 + k])
    return (np.linalg.pinv(here) @ there).T


def blocks_table(T, d):
    angle = np.arange(T)[:, None] * omega_of(d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


@ANSWERS.sample("shift_matrix", "powered-entries")
def entries_raised_to_the_power_k(k, d):
    return blocks(omega_of(d), turning) ** float(k)


@ANSWERS.sample("shift_matrix", "blocks-alone")
def only_the_blocks(k, d):
    return np.array([turning(np.sin(angle), np.cos(angle)) for angle in k * omega_of(d)])


@ANSWERS.sample("shift_matrix", "unknown")
def a_list_of_lists(k, d):
    return a_loop_over_pairs(k, d).tolist()


@ANSWERS.sample("shift_matrix", "row-for-matrix")
def a_row_of_the_table(k, d):
    return sinusoidal_pe(abs(k) + 1, d)[-1]


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


@ANSWERS.sample("shift_matrix", "integer-table")
def a_list_of_zeros_made_an_array(k, d):
    matrix = np.array([[0] * d for _ in range(d)])
    for i, angle in enumerate(k * omega_of(d)):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = turning(np.sin(angle), np.cos(angle))
    return matrix


@ANSWERS.sample("shift_matrix", "sign-lost")
def as_many_steps_as_the_offset(k, d):
    matrix = np.eye(d)
    for _ in range(k):
        matrix = matrix @ a_loop_over_pairs(1, d)
    return matrix


@ANSWERS.sample("shift_matrix", "unknown")
def backwards_by_another_step(k, d):
    return a_loop_over_pairs(k if k >= 0 else k - 1, d)


@ANSWERS.sample("shift_matrix")
def backwards_by_the_transpose(k, d):
    forwards = a_loop_over_pairs(abs(k), d)
    return forwards if k >= 0 else forwards.T


@ANSWERS.sample("shift_matrix")
def backwards_by_the_inverse(k, d):
    return np.linalg.matrix_power(np.linalg.inv(a_loop_over_pairs(1, d)), -k) if k < 0 else a_loop_over_pairs(k, d)


@ANSWERS.sample("shift_matrix", "unknown")
def by_the_square_of_the_offset(k, d):
    return a_loop_over_pairs(k * k, d)


@ANSWERS.sample("shift_matrix", "unknown")
def one_step_more_each_time(k, d):
    """Adds the steps up: offset 3 turns by 1 + 2 + 3."""
    return a_loop_over_pairs(sum(range(k + 1)) if k > 0 else k, d)
