"""Lab 01, build the table: right tables, written with array operations, loops, recurrences and recursion."""

import cmath
import itertools
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
    even_and_odd_columns=lambda T, d: weave(np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)),
    all_in_float32=lambda T, d: weave(
        np.arange(T, dtype=np.float32)[:, None]
        / np.power(np.float32(10000), np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    ),
    exp_of_minus_log=lambda T, d: weave(
        np.arange(T).reshape(-1, 1) * np.exp(np.arange(0, d, 2) * -(math.log(10000.0) / d))
    ),
    exp_of_minus_log_in_float32=lambda T, d: weave(
        np.arange(T, dtype=np.float32)[:, None]
        * np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(10000.0) / d))
    ),
    exp2_and_log2=lambda T, d: weave(np.outer(np.arange(T), np.exp2(-np.log2(10000) * np.arange(d // 2) * 2 / d))),
    logspace_of_speeds=lambda T, d: weave(np.arange(T)[:, None] * np.logspace(0, -4, d // 2, endpoint=False)),
    geomspace_of_speeds=lambda T, d: weave(np.arange(T)[:, None] * np.geomspace(1, 1e-4, d // 2 + 1)[:-1]),
    einsum_of_positions_and_speeds=lambda T, d: weave(np.einsum("p,k->pk", np.arange(T, dtype=float), omega_of(d))),
    multiply_outer=lambda T, d: weave(np.multiply.outer(np.arange(T), np.power(10000.0, -np.arange(0, d, 2) / d))),
    running_sum_in_float64=lambda T, d: weave(
        np.cumsum(np.tile(omega_of(d), (T, 1)) * (np.arange(T) > 0)[:, None], axis=0)
    ),
    dstack_of_both=lambda T, d: np.dstack([np.sin(angles_of(T, d)), np.cos(angles_of(T, d))]).reshape(T, d),
    cosine_as_a_shifted_sine=lambda T, d: np.sin(
        np.arange(T)[:, None] * 1e4 ** (-(np.arange(d) // 2 * 2) / d) + (np.arange(d) % 2) * np.pi / 2
    ),
    fromfunction_of_row_and_column=lambda T, d: np.fromfunction(
        lambda p, j: np.sin(p / 10000 ** (2 * (j // 2) / d) + np.pi / 2 * (j % 2)), (T, d)
    ),
    vectorized_function=lambda T, d: np.vectorize(
        lambda p, j: (math.cos if j % 2 else math.sin)(p * 10000 ** (-2 * (j // 2) / d)), otypes=[np.float32]
    )(*np.indices((T, d))),
    apply_along_rows=lambda T, d: np.array(
        [np.stack([np.sin(p * omega_of(d)), np.cos(p * omega_of(d))], axis=1).ravel() for p in range(T)], np.float32
    ).reshape(T, d),
    comprehension_to_an_array=lambda T, d: np.array(
        [[(math.sin, math.cos)[j % 2](p / 10000 ** (2 * (j // 2) / d)) for j in range(d)] for p in range(T)], "f4"
    ).reshape(T, d),
)


@right
def where_on_the_parity(T, d):
    j = np.arange(d)[None, :]
    angles = np.arange(T)[:, None] / np.power(10000, 2 * (j // 2) / np.float64(d))
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)


@right
def overwritten_in_place(T, d):
    table = np.arange(T)[:, np.newaxis] / np.power(10000, (2 * (np.arange(d)[np.newaxis, :] // 2)) / np.float64(d))
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return table.astype(np.float32)


@right
def written_by_ufuncs_into_float32(T, d):
    table = np.ones((T, d), np.float32)
    np.sin(angles_of(T, d), out=table[:, 0::2], casting="unsafe")
    np.cos(angles_of(T, d), out=table[:, 1::2], casting="unsafe")
    return table


@right
def complex_exponential(T, d):
    phase = np.exp(1j * angles_of(T, d))
    return np.stack([phase.imag, phase.real], axis=-1).reshape(T, d).astype(np.float32)


@right
def complex_view(T, d):
    return np.ascontiguousarray((1j * np.exp(-1j * angles_of(T, d))).astype(np.complex64)).view(np.float32)


@right
def meshgrid_of_positions_and_pairs(T, d):
    p, k = np.meshgrid(np.arange(T), np.arange(d // 2), indexing="ij")
    return weave(p / 1e4 ** (2 * k / d))


@right
def indices_of_cells(T, d):
    p, j = np.indices((T, d))
    angles = p * np.exp(-math.log(10000) * (j // 2) * 2 / d)
    angles[:, 1::2] += np.pi / 2
    return np.sin(angles, dtype=np.float64).astype(np.float32)


@right
def put_by_parity_mask(T, d):
    table, even = np.zeros((T, d), np.float32), np.arange(d) % 2 == 0
    table[:, even], table[:, ~even] = np.sin(angles_of(T, d)), np.cos(angles_of(T, d))
    return table


@right
def halves_then_interleaved(T, d):
    halves = np.concatenate([np.sin(angles_of(T, d)), np.cos(angles_of(T, d))], axis=1)
    return halves[:, np.arange(d).reshape(2, -1).T.ravel()].astype(np.float32)


@right
def repeated_angles_and_two_ufuncs(T, d):
    angles = np.repeat(angles_of(T, d), 2, axis=1)
    table = np.sin(angles)
    np.cos(angles, out=table, where=np.arange(d) % 2 == 1)
    return table.astype(np.float32)


@right
def two_loops(T, d):
    table = np.zeros((T, d), dtype=np.float32)
    for p in range(T):
        for k in range(d // 2):
            angle = p / 10000 ** (2 * k / d)
            table[p, 2 * k] = math.sin(angle)
            table[p, 2 * k + 1] = math.cos(angle)
    return table


@right
def two_loops_with_numpy_numbers(T, d):
    table = np.zeros((T, d), dtype=np.float32)
    for p in range(T):
        for i in range(0, d, 2):
            table[p, i] = np.sin(p / np.power(10000, i / d))
            table[p, i + 1] = np.cos(p / np.power(10000, i / d))
    return table


@right
def one_loop_over_rows(T, d):
    table = np.zeros((T, d), np.float32)
    for p, row in enumerate(table):
        row[::2], row[1::2] = np.sin(p * omega_of(d)), np.cos(p * omega_of(d))
    return table


@right
def one_loop_over_columns(T, d):
    table = np.empty((T, d), np.float32)
    for j in range(d):
        table[:, j] = (np.cos if j % 2 else np.sin)(np.arange(T) * 10000 ** (-(j - j % 2) / d))
    return table


@right
def columns_in_a_list(T, d):
    columns = []
    for k in range(d // 2):
        columns += [np.sin(np.arange(T) / 10000 ** (2 * k / d)), np.cos(np.arange(T) / 10000 ** (2 * k / d))]
    return np.column_stack(columns).astype(np.float32)


@right
def chained_pairs_to_fromiter(T, d):
    angles = (p * 10000 ** (-2 * k / d) for p in range(T) for k in range(d // 2))
    values = itertools.chain.from_iterable((math.sin(a), math.cos(a)) for a in angles)
    return np.fromiter(values, np.float32, T * d).reshape(T, d)


@right
def powers_of_a_unit_number(T, d):
    phase = np.exp(1j * omega_of(d)) ** np.arange(T)[:, None]
    return np.stack([phase.imag, phase.real], axis=-1).reshape(T, d).astype(np.float32)


@right
def cmath_in_pure_python(T, d):
    table = np.zeros((T, d), np.float32)
    for p, k in itertools.product(range(T), range(d // 2)):
        phase = cmath.rect(1, p * 10000 ** (-2 * k / d))
        table[p, 2 * k], table[p, 2 * k + 1] = phase.imag, phase.real
    return table


@right
def angle_addition_row_by_row(T, d):
    omega, table, s, c = omega_of(d), np.zeros((T, d)), np.zeros(d // 2), np.ones(d // 2)
    for p in range(T):
        table[p, 0::2], table[p, 1::2] = s, c
        s, c = s * np.cos(omega) + c * np.sin(omega), c * np.cos(omega) - s * np.sin(omega)
    return table.astype(np.float32)


@right
def cumulative_product_of_phases(T, d):
    steps = np.tile(np.exp(1j * omega_of(d)), (T, 1))
    steps[:1] = 1
    phase = np.cumprod(steps, axis=0)
    return np.stack([phase.imag, phase.real], axis=-1).reshape(T, d).astype(np.float32)


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
