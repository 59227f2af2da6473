"""Lab 01, build the table: right tables written with loops, recurrences and recursion."""

import cmath
import itertools
import math

import numpy as np

from autograder.samples import Samples

from . import refuse
from .arrays import in_one_expression

ANSWERS = Samples()
right = ANSWERS.sample("sinusoidal_pe")


@right
def two_loops(T, d):
    refuse(T, d)
    table = np.zeros((T, d), dtype=np.float32)
    for p in range(T):
        for k in range(d // 2):
            angle = p / 10000 ** (2 * k / d)
            table[p, 2 * k] = math.sin(angle)
            table[p, 2 * k + 1] = math.cos(angle)
    return table


@right
def two_loops_with_numpy_numbers(T, d):
    refuse(T, d)
    table = np.zeros((T, d), dtype=np.float32)
    for p in range(T):
        for i in range(0, d, 2):
            table[p, i] = np.sin(p / np.power(10000, i / d))
            table[p, i + 1] = np.cos(p / np.power(10000, i / d))
    return table


@right
def one_loop_over_rows(T, d):
    refuse(T, d)
    omega = 1 / 10000 ** (np.arange(0, d, 2) / d)
    table = np.zeros((T, d), np.float32)
    for p, row in enumerate(table):
        row[::2], row[1::2] = np.sin(p * omega), np.cos(p * omega)
    return table


@right
def one_loop_over_pairs(T, d):
    refuse(T, d)
    table, p = np.zeros((T, d), np.float32), np.arange(T)
    for k in range(d // 2):
        table[:, 2 * k : 2 * k + 2] = np.column_stack(
            [np.sin(p * 1e4 ** (-2 * k / d)), np.cos(p * 1e4 ** (-2 * k / d))]
        )
    return table


@right
def one_loop_over_columns(T, d):
    refuse(T, d)
    table = np.empty((T, d), np.float32)
    for j in range(d):
        function = np.cos if j % 2 else np.sin
        table[:, j] = function(np.arange(T) * 10000 ** (-(j - j % 2) / d))
    return table


@right
def columns_in_a_list(T, d):
    refuse(T, d)
    p, columns = np.arange(T), []
    for k in range(d // 2):
        columns += [np.sin(p / 10000 ** (2 * k / d)), np.cos(p / 10000 ** (2 * k / d))]
    return np.column_stack(columns).astype(np.float32)


@right
def comprehension_to_an_array(T, d):
    refuse(T, d)
    rows = [[(math.sin, math.cos)[j % 2](p / 10000 ** (2 * (j // 2) / d)) for j in range(d)] for p in range(T)]
    return np.array(rows, dtype=np.float32).reshape(T, d)


@right
def chained_pairs_to_fromiter(T, d):
    refuse(T, d)
    angles = (p * 10000 ** (-2 * k / d) for p in range(T) for k in range(d // 2))
    values = itertools.chain.from_iterable((math.sin(a), math.cos(a)) for a in angles)
    return np.fromiter(values, np.float32, T * d).reshape(T, d)


@right
def powers_of_a_unit_number(T, d):
    refuse(T, d)
    unit = np.exp(1j * 10000.0 ** (-2 * np.arange(d // 2) / d))
    phase = unit ** np.arange(T)[:, None]
    table = np.empty((T, d), np.float32)
    table[:, 0::2], table[:, 1::2] = phase.imag, phase.real
    return table


@right
def cmath_in_pure_python(T, d):
    refuse(T, d)
    table = np.zeros((T, d), np.float32)
    for p, k in itertools.product(range(T), range(d // 2)):
        phase = cmath.rect(1, p * 10000 ** (-2 * k / d))
        table[p, 2 * k], table[p, 2 * k + 1] = phase.imag, phase.real
    return table


@right
def angle_addition_row_by_row(T, d):
    refuse(T, d)
    omega = 10000.0 ** (-2 * np.arange(d // 2) / d)
    table, s, c = np.zeros((T, d)), np.zeros(d // 2), np.ones(d // 2)
    for p in range(T):
        table[p, 0::2], table[p, 1::2] = s, c
        s, c = s * np.cos(omega) + c * np.sin(omega), c * np.cos(omega) - s * np.sin(omega)
    return table.astype(np.float32)


@right
def cumulative_product_of_phases(T, d):
    refuse(T, d)
    steps = np.tile(np.exp(1j * 10000.0 ** (-2 * np.arange(d // 2) / d)), (T, 1))
    steps[:1] = 1
    phase = np.cumprod(steps, axis=0)
    return np.stack([phase.imag, phase.real], axis=-1).reshape(T, d).astype(np.float32)


@right
def doubling(T, d):
    refuse(T, d)
    omega, phase = 10000.0 ** (-2 * np.arange(d // 2) / d), np.ones((1, d // 2), complex)
    while len(phase) < T:
        phase = np.concatenate([phase, phase * np.exp(1j * len(phase) * omega)])
    phase = phase[:T]
    return np.stack([phase.imag, phase.real], axis=-1).reshape(T, d).astype(np.float32)


@right
def running_sum_in_float64(T, d):
    refuse(T, d)
    steps = np.tile(10000.0 ** (-2 * np.arange(d // 2) / d), (T, 1))
    steps[:1] = 0
    angles = np.cumsum(steps, axis=0)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d).astype(np.float32)


@right
def recursion_over_rows(T, d):
    refuse(T, d)
    if T == 0:
        return np.zeros((0, d), np.float32)
    if T > 200:
        return in_one_expression(T, d)
    omega = 10000.0 ** (-2 * np.arange(d // 2) / d)
    row = np.stack([np.sin((T - 1) * omega), np.cos((T - 1) * omega)], axis=1).reshape(1, d)
    return np.vstack([recursion_over_rows(T - 1, d), row]).astype(np.float32)
