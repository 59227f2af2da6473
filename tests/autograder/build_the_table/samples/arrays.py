"""Lab 01, build the table: right tables written with whole arrays."""

import math

import numpy as np

from autograder.samples import Samples

from . import refuse

ANSWERS = Samples()
right = ANSWERS.sample("sinusoidal_pe")


@right
def in_one_expression(T, d):
    refuse(T, d)
    angles = np.arange(T)[:, None] / 10000 ** (2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d).astype(np.float32)


@right
def even_and_odd_columns(T, d):
    refuse(T, d)
    table = np.empty((T, d), dtype=np.float32)
    angles = np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


@right
def all_in_float32(T, d):
    refuse(T, d)
    k = np.arange(0, d, 2, dtype=np.float32)
    angles = np.arange(T, dtype=np.float32)[:, None] / np.power(np.float32(10000), k / np.float32(d))
    table = np.zeros((T, d), np.float32)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


@right
def exp_of_minus_log(T, d):
    refuse(T, d)
    division = np.exp(np.arange(0, d, 2) * -(math.log(10000.0) / d))
    table = np.zeros((T, d), dtype="float32")
    table[:, 0::2] = np.sin(np.arange(T).reshape(-1, 1) * division)
    table[:, 1::2] = np.cos(np.arange(T).reshape(-1, 1) * division)
    return table


@right
def exp_of_minus_log_in_float32(T, d):
    refuse(T, d)
    division = np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(10000.0) / d))
    angles = np.arange(T, dtype=np.float32)[:, None] * division
    return np.stack((np.sin(angles), np.cos(angles)), 2).reshape(T, d)


@right
def exp2_and_log2(T, d):
    refuse(T, d)
    angles = np.outer(np.arange(T), np.exp2(-np.log2(10000) * np.arange(d // 2) * 2 / d))
    return np.dstack([np.sin(angles), np.cos(angles)]).reshape(T, d).astype(np.float32)


@right
def logspace_of_speeds(T, d):
    refuse(T, d)
    angles = np.arange(T)[:, None] * np.logspace(0, -4, d // 2, endpoint=False)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(T, d).astype("f4")


@right
def geomspace_of_speeds(T, d):
    refuse(T, d)
    speeds_ = np.geomspace(1, 1e-4, d // 2 + 1)[:-1]
    table = np.ones((T, d), np.float32)
    np.sin(np.arange(T)[:, None] * speeds_, out=table[:, 0::2], casting="unsafe")
    np.cos(np.arange(T)[:, None] * speeds_, out=table[:, 1::2], casting="unsafe")
    return table


@right
def where_on_the_parity(T, d):
    refuse(T, d)
    j = np.arange(d)[None, :]
    angles = np.arange(T)[:, None] / np.power(10000, 2 * (j // 2) / np.float64(d))
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)


@right
def overwritten_in_place(T, d):
    refuse(T, d)
    table = np.arange(T)[:, np.newaxis] / np.power(10000, (2 * (np.arange(d)[np.newaxis, :] // 2)) / np.float64(d))
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return table.astype(np.float32)


@right
def cosine_as_a_shifted_sine(T, d):
    refuse(T, d)
    j = np.arange(d)
    return np.sin(np.arange(T)[:, None] * 1e4 ** (-(j - j % 2) / d) + (j % 2) * np.pi / 2).astype(np.float32)


@right
def complex_exponential(T, d):
    refuse(T, d)
    phase = np.exp(1j * np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d))
    return np.stack([phase.imag, phase.real], axis=-1).reshape(T, d).astype(np.float32)


@right
def complex_view(T, d):
    refuse(T, d)
    phase = 1j * np.exp(-1j * np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d))
    return np.ascontiguousarray(phase.astype(np.complex64)).view(np.float32)


@right
def einsum_of_positions_and_speeds(T, d):
    refuse(T, d)
    angles = np.einsum("p,k->pk", np.arange(T, dtype=float), 10000.0 ** (-2 * np.arange(d // 2) / d))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d).astype(np.float32)


@right
def multiply_outer(T, d):
    refuse(T, d)
    angles = np.multiply.outer(np.arange(T), np.power(10000.0, -np.arange(0, d, 2) / d))
    pairs = np.concatenate([np.sin(angles)[..., None], np.cos(angles)[..., None]], axis=-1)
    return pairs.reshape(T, -1 if T else d).astype("f4")


@right
def meshgrid_of_positions_and_pairs(T, d):
    refuse(T, d)
    p, k = np.meshgrid(np.arange(T), np.arange(d // 2), indexing="ij")
    table = np.zeros((T, d), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(p / 1e4 ** (2 * k / d)), np.cos(p / 1e4 ** (2 * k / d))
    return table


@right
def fromfunction_of_row_and_column(T, d):
    refuse(T, d)
    value = lambda p, j: np.sin(p / 10000 ** (2 * (j // 2) / d) + np.pi / 2 * (j % 2))
    return np.fromfunction(value, (T, d)).astype(np.float32)


@right
def vectorized_function(T, d):
    refuse(T, d)
    value = lambda p, j: (math.cos if j % 2 else math.sin)(p * 10000 ** (-2 * (j // 2) / d))
    return np.vectorize(value, otypes=[np.float32])(*np.indices((T, d)))


@right
def indices_of_cells(T, d):
    refuse(T, d)
    p, j = np.indices((T, d))
    angles = p * np.exp(-math.log(10000) * (j // 2) * 2 / d)
    angles[:, 1::2] += np.pi / 2
    return np.sin(angles, dtype=np.float64).astype(np.float32)


@right
def put_by_parity_mask(T, d):
    refuse(T, d)
    table, even = np.zeros((T, d), np.float32), np.arange(d) % 2 == 0
    angles = np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    table[:, even], table[:, ~even] = np.sin(angles), np.cos(angles)
    return table


@right
def halves_then_interleaved(T, d):
    refuse(T, d)
    angles = np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    halves = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return halves[:, np.arange(d).reshape(2, -1).T.ravel()].astype(np.float32)


@right
def repeated_angles_and_two_ufuncs(T, d):
    refuse(T, d)
    angles = np.repeat(np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d), 2, axis=1)
    table = np.sin(angles)
    np.cos(angles, out=table, where=np.arange(d) % 2 == 1)
    return table.astype(np.float32)


@right
def apply_along_rows(T, d):
    refuse(T, d)
    omega = 10000.0 ** (-2 * np.arange(d // 2) / d)
    row = lambda p: np.stack([np.sin(p * omega), np.cos(p * omega)], axis=1).ravel()
    return np.array(list(map(row, range(T))), np.float32).reshape(T, d)
