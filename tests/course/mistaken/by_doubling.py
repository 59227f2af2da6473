"""Lab 07, precision and cost: right and wrong answers to `by_doubling`."""

import functools

import numpy as np
from precision_and_cost_samples import F, doubled, exact, locked_rows, omega, turn

from mistaken import Samples

ANSWERS = Samples()


def as_table(rows):
    return np.ascontiguousarray(rows).view(np.float32)


@ANSWERS.sample("by_doubling")
def in_place_with_out(T, d):
    rows = np.empty((T, d // 2), dtype=np.complex64)
    rows[:1] = 1j
    n = 1
    while n < T:
        more = min(n, T - n)
        np.multiply(rows[:more], turn(n, d), out=rows[n : n + more])
        n *= 2
    return rows.view(np.float32)


@ANSWERS.sample("by_doubling")
def concatenated_and_cut(T, d):
    rows = np.full((1, d // 2), 1j, dtype=np.complex64)
    while len(rows) < T:
        rows = np.concatenate([rows, rows * turn(len(rows), d)])
    return as_table(rows[:T])


@ANSWERS.sample("by_doubling")
def sines_and_cosines_turned(T, d):
    table = np.zeros((T, d), dtype=np.float32)
    table[:1, 1::2] = 1
    n = 1
    while n < T:
        old = table[: min(n, T - n)]
        c, s = np.cos(n * omega(d)).astype(F), np.sin(n * omega(d)).astype(F)
        table[n : n + len(old), 0::2] = old[:, 0::2] * c + old[:, 1::2] * s
        table[n : n + len(old), 1::2] = old[:, 1::2] * c - old[:, 0::2] * s
        n += len(old)
    return table


@ANSWERS.sample("by_doubling")
def complex128_cast_at_the_end(T, d):
    rows = np.full((1, d // 2), 1j)
    while len(rows) < T:
        rows = np.vstack([rows, rows * np.exp(-1j * len(rows) * omega(d))])
    return as_table(rows[:T].astype(np.complex64))


@ANSWERS.sample("by_doubling")
def recursion(T, d):
    if T <= 1:
        return np.tile(np.array([0, 1], np.float32), (T, d // 2))
    half = (T + 1) // 2
    first = recursion(half, d)
    second = first[: T - half].view(np.complex64) * turn(half, d)
    return np.concatenate([first, second.view(np.float32)])


@ANSWERS.sample("by_doubling")
def blocks_of_64_from_the_first(T, d):
    first = doubled(min(T, 64), d, turn)
    starts = np.arange(0, T, 64)
    phases = np.exp(-1j * starts[:, None] * omega(d)).astype(np.complex64)
    return as_table((phases[:, None] * first[None]).reshape(-1, d // 2)[:T]) if T else np.empty((0, d), F)


@ANSWERS.sample("by_doubling")
def two_tables_outer(T, d):
    side = int(np.ceil(np.sqrt(max(T, 1))))
    slow = np.exp(-1j * side * np.arange(side)[:, None] * omega(d)).astype(np.complex64)
    fast = (1j * np.exp(-1j * np.arange(side)[:, None] * omega(d))).astype(np.complex64)
    return as_table((slow[:, None] * fast).reshape(-1, d // 2)[:T].copy())


@ANSWERS.sample("by_doubling")
def the_float64_formula_cast(T, d):
    return exact(np.arange(T), d).astype(np.float32)


@ANSWERS.sample("by_doubling")
def loop_over_rows_in_float64(T, d):
    table = np.empty((T, d), dtype=np.float32)
    for p in range(T):
        table[p, 0::2], table[p, 1::2] = np.sin(p * omega(d)), np.cos(p * omega(d))
    return table


@ANSWERS.sample("by_doubling")
def cosine_first_and_turned_over(T, d):
    rows = doubled(T, d, lambda n, d: np.exp(1j * n * omega(d)).astype(np.complex64), start=1)
    table = np.empty((T, d), dtype=np.float32)
    table[:, 0::2], table[:, 1::2] = rows.imag, rows.real
    return table


@ANSWERS.sample("by_doubling")
def by_the_matrices_of_lab_03(T, d):
    table = np.tile(np.array([0.0, 1.0]), (min(T, 1), d // 2))
    while len(table) < T:
        n = len(table)
        R = np.zeros((d, d))
        for k, w in enumerate(omega(d)):
            R[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[np.cos(n * w), np.sin(n * w)], [-np.sin(n * w), np.cos(n * w)]]
        table = np.concatenate([table, table @ R.T])
    return table[:T].astype(np.float32)


@ANSWERS.sample("by_doubling", "float32-angles")
def the_locked_formula(T, d):
    return locked_rows(np.arange(T), d)


@ANSWERS.sample("by_doubling", "float32-angles")
def the_phase_of_every_row_in_float32(T, d):
    angle = np.arange(T, dtype=F)[:, None] * omega(d, F)
    return as_table((1j * np.exp(-1j * angle)).astype(np.complex64))


@ANSWERS.sample("by_doubling", "float32-phase")
def angle_of_the_phase_in_float32(T, d):
    return as_table(doubled(T, d, lambda n, d: np.exp(-1j * (F(n) * omega(d, F))).astype(np.complex64)))


@ANSWERS.sample("by_doubling", "float32-phase")
def phases_squared(T, d):
    @functools.cache
    def phase(n):
        return turn(1, d) if n == 1 else phase(n // 2) * phase(n // 2)

    return as_table(doubled(T, d, lambda n, d: phase(n)))


@ANSWERS.sample("by_doubling", "float32-phase")
def frequencies_in_float32(T, d):
    return as_table(doubled(T, d, lambda n, d: np.exp(-1j * n * omega(d, F).astype(float)).astype(np.complex64)))


@ANSWERS.sample("by_doubling", "accumulated-angle")
def row_after_row(T, d):
    rows = np.full((max(T, 1), d // 2), 1j, dtype=np.complex64)
    for p in range(1, T):
        rows[p] = rows[p - 1] * turn(1, d)
    return as_table(rows[:T])


@ANSWERS.sample("by_doubling", "accumulated-angle")
def running_sum_of_angles(T, d):
    angle = np.cumsum(np.tile(omega(d, F), (T, 1)), axis=0, dtype=F) - omega(d, F)
    table = np.empty((T, d), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


@ANSWERS.sample("by_doubling", "other-position")
def turned_by_a_block_too_many(T, d):
    return as_table(doubled(T, d, lambda n, d: turn(2 * n, d)))


@ANSWERS.sample("by_doubling", "other-position")
def turned_by_one_too_few(T, d):
    return as_table(doubled(T, d, lambda n, d: turn(n - 1, d)))


@ANSWERS.sample("by_doubling", "other-position")
def always_the_phase_of_one_position(T, d):
    return as_table(doubled(T, d, lambda n, d: turn(1, d)))


@ANSWERS.sample("by_doubling", "other-position")
def turned_the_other_way(T, d):
    return as_table(doubled(T, d, lambda n, d: turn(-n, d)))


@ANSWERS.sample("by_doubling", "other-position")
def starts_at_position_one(T, d):
    return as_table(doubled(T + 1, d, turn)[1:])


@ANSWERS.sample("by_doubling", "power-of-two")
def up_to_the_next_power(T, d):
    size = 1 << max(T - 1, 0).bit_length() if T else 0
    return as_table(doubled(size, d, turn))


@ANSWERS.sample("by_doubling", "power-of-two")
def down_to_the_last_power(T, d):
    return as_table(doubled(1 << (T.bit_length() - 1) if T else 0, d, turn))


@ANSWERS.sample("by_doubling", "rows-unwritten")
def the_last_block_left_out(T, d):
    full = 1 << (T.bit_length() - 1) if T else 0
    table = np.zeros((T, d), dtype=np.float32)
    table[:full] = as_table(doubled(full, d, turn))
    return table


@ANSWERS.sample("by_doubling", "no-empty-table")
def always_a_first_row(T, d):
    return as_table(doubled(max(T, 1), d, turn))


@ANSWERS.sample("by_doubling", "swapped-sin-cos")
def starts_from_one(T, d):
    return as_table(doubled(T, d, lambda n, d: np.conj(turn(n, d)), start=1))


@ANSWERS.sample("by_doubling", "halves-layout")
def real_parts_then_imaginary(T, d):
    rows = doubled(T, d, turn)
    return np.concatenate([rows.real, rows.imag], axis=1)


@ANSWERS.sample("by_doubling", "wrong-container")
def still_complex(T, d):
    return doubled(T, d, turn)


@ANSWERS.sample("by_doubling", "wrong-container")
def float64_kept(T, d):
    return exact(np.arange(T), d)


@ANSWERS.sample("by_doubling", "low-precision")
def float16_on_the_way(T, d):
    return exact(np.arange(T), d).astype(np.float16).astype(np.float32)


@ANSWERS.sample("by_doubling", "shared-state")
@functools.lru_cache
def kept_from_the_last_time(T, d):
    return as_table(doubled(T, d, turn))


@ANSWERS.sample("by_doubling", "unknown")
def with_the_frequencies(T, d):
    return exact(np.arange(T), d).astype(np.float32), omega(d)


@ANSWERS.sample("by_doubling", "unknown")
def all_zeros(T, d):
    return np.zeros((T, d), np.float32)


@ANSWERS.sample("by_doubling", "unknown")
def exponent_k_over_d(T, d):
    return exact(np.arange(T), 2 * d)[:, :d].astype(np.float32)


@ANSWERS.sample("by_doubling", "float32-phase")
def chained_blocks_of_16(T, d):
    rows = doubled(min(T, 16), d, turn)
    while len(rows) < T:
        rows = np.concatenate([rows, rows[-16:] * turn(16, d)])
    return as_table(rows[:T])


@ANSWERS.sample("by_doubling", "unknown")
def transposed(T, d):
    return exact(np.arange(T), d).astype(np.float32).T
