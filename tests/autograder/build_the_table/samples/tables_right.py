"""Lab 01, build the table: right tables, written with array operations, loops, recurrences and recursion."""

import math

import numpy as np

from . import TableSamples, angles_of, omega_of, weave

ANSWERS = TableSamples()
right = ANSWERS.of_table()

ANSWERS.tables(
    "",
    in_one_expression=lambda T, d: np.stack(
        [np.sin(angles := np.arange(T)[:, None] / 10000 ** (2 * np.arange(d // 2) / d)), np.cos(angles)], axis=-1
    ).reshape(T, d),
    all_in_float32=lambda T, d: weave(
        np.arange(T, dtype=np.float32)[:, None]
        / np.power(np.float32(10000), np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    ),
    exp_of_minus_log_in_float32=lambda T, d: weave(
        np.arange(T, dtype=np.float32)[:, None]
        * np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(10000.0) / d))
    ),
    running_sum_in_float64=lambda T, d: weave(
        np.cumsum(np.tile(omega_of(d), (T, 1)) * (np.arange(T) > 0)[:, None], axis=0)
    ),
)


@right
def doubling(T, d):
    phase = np.ones((1, d // 2), complex)
    while len(phase) < T:
        phase = np.concatenate([phase, phase * np.exp(1j * len(phase) * omega_of(d))])
    return np.stack([phase[:T].imag, phase[:T].real], axis=-1).reshape(T, d).astype(np.float32)


@right
def recursion_over_rows(T, d):
    if T == 0 or T > 200:
        return weave(angles_of(T, d))
    row = np.stack([np.sin((T - 1) * omega_of(d)), np.cos((T - 1) * omega_of(d))], axis=1).reshape(1, d)
    return np.vstack([recursion_over_rows(T - 1, d), row]).astype(np.float32)
