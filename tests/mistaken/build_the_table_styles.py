"""Lab 01, build the table: right answers in many styles. Every one of them must pass."""

import cmath
import contextlib
import functools
import itertools
import math
import operator
import sys
import warnings
from fractions import Fraction

import numpy as np

from mistaken import Sample, Samples

ANSWERS = Samples()
right = ANSWERS.sample("sinusoidal_pe")
speeds = ANSWERS.sample("frequencies")


def refuse(T, d):
    if d <= 0 or d % 2 or T < 0:
        raise ValueError(f"no table of size ({T}, {d})")


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
def fortran_order(T, d):
    refuse(T, d)
    table = np.empty((T, d), np.float32, order="F")
    angles = np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


@right
def transposed_view(T, d):
    refuse(T, d)
    angles = (10000.0 ** (-2 * np.arange(d // 2) / d))[:, None] * np.arange(T)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).reshape(d, T).astype(np.float32).T


@right
def every_other_row_of_a_larger_array(T, d):
    refuse(T, d)
    table = np.full((2 * T, 2 * d), 9, np.float32)[::2, ::2]
    angles = np.arange(T)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


@right
def flipped_twice(T, d):
    refuse(T, d)
    return in_one_expression(T, d)[::-1][::-1]


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


@right
def read_only_result(T, d):
    table = in_one_expression(T, d)
    table.flags.writeable = False
    return table


@functools.lru_cache
def _kept_readonly(T, d):
    return read_only_result(T, d)


@right
def kept_and_read_only(T, d):
    return _kept_readonly(T, d)


@functools.lru_cache(maxsize=None)
def _kept(T, d):
    return in_one_expression(T, d)


@right
def kept_and_copied(T, d):
    return _kept(T, d).copy()


@right
def prints_and_warns(T, d):
    print("building", T, d)
    warnings.warn("a warning", stacklevel=1)
    print("to stderr", file=sys.stderr)
    return in_one_expression(T, d)


@right
def division_by_zero_on_the_way(T, d):
    refuse(T, d)
    with contextlib.suppress(ZeroDivisionError):
        1 / 0
    wavelength_over_2_pi = 10000.0 ** (2 * np.arange(d // 2) / d)
    return even_and_odd_columns(T, d) if wavelength_over_2_pi.size else None


@right
def masked_array(T, d):
    return np.ma.masked_array(in_one_expression(T, d))


@right
def names_by_keyword_and_default(T, d, base=10_000.0, dtype=np.float32):
    refuse(T, d)
    angles = np.arange(T, dtype=np.float64)[:, None] * base ** (-2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d).astype(dtype)


@right
def long_double_inside(T, d):
    refuse(T, d)
    angles = np.arange(T, dtype=np.longdouble)[:, None] * np.longdouble(10000) ** (
        -2 * np.arange(d // 2) / np.longdouble(d)
    )
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d).astype(np.float32)


@right
def sizes_asserted_by_a_subclass_of_ValueError(T, d):
    refuse(operator.index(T), operator.index(d))
    return complex_exponential(T, d)


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


class Encoding:
    """A table with its speeds as an attribute; calling it makes the table."""

    def __call__(self, T, d):
        refuse(T, d)
        self.omega = 1.0 / (10000.0 ** (np.arange(0, d, 2) / d))
        angles = np.arange(T)[:, None] @ self.omega[None, :]
        return np.stack((np.sin(angles), np.cos(angles)), axis=-1).reshape(T, d).astype(np.float32)


def closure():
    base = 10000.0

    def omega(d):
        return np.array([base ** (-2 * k / d) for k in range(d // 2)])

    def sinusoidal_pe(T, d):
        refuse(T, d)
        return np.array([[f(p * w) for w in omega(d) for f in (math.sin, math.cos)] for p in range(T)], "f4").reshape(
            T, d
        )

    return sinusoidal_pe


ANSWERS.append(Sample("sinusoidal_pe", "an object that can be called", Encoding()))
ANSWERS.append(Sample("sinusoidal_pe", "a closure", closure()))
ANSWERS.append(Sample("sinusoidal_pe", "a partial function", functools.partial(names_by_keyword_and_default, base=1e4)))
ANSWERS.append(Sample("sinusoidal_pe", "a lambda", lambda T, d: in_one_expression(T, d)))


@speeds
def power_of_an_array(d):
    return 10000.0 ** (-2 * np.arange(d // 2) / d)


@speeds
def one_over_a_power(d):
    return 1 / 10000 ** (2 * np.arange(d // 2) / d)


@speeds
def power_in_float32(d):
    return np.float32(10000) ** (-2 * np.arange(d // 2, dtype=np.float32) / np.float32(d))


@speeds
def arange_by_two(d):
    return np.power(10000.0, -np.arange(0, d, 2) / d)


@speeds
def exp_and_log(d):
    return np.exp(-2 * np.arange(d // 2) * np.log(10000) / d)


@speeds
def exp_and_log_in_float32(d):
    return np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(10000.0) / d))


@speeds
def logspace(d):
    return np.logspace(0, -4, d // 2, endpoint=False)


@speeds
def geomspace(d):
    return np.geomspace(1, 1e-4, d // 2, endpoint=False)


@speeds
def power_of_minus_linspace(d):
    return 10000 ** -np.linspace(0, 1, d // 2, endpoint=False)


@speeds
def comprehension(d):
    return np.array([10000 ** (-2 * k / d) for k in range(d // 2)])


@speeds
def loop_with_append(d):
    found = []
    for i in range(0, d, 2):
        found.append(1 / (10000 ** (i / d)))
    return np.asarray(found)


@speeds
def loop_into_zeros(d):
    omega = np.zeros(d // 2)
    for k in range(len(omega)):
        omega[k] = math.pow(10000, -2 * k / d)
    return omega


@speeds
def loop_into_float32_zeros(d):
    omega = np.zeros(d // 2, dtype=np.float32)
    for k in range(len(omega)):
        omega[k] = math.exp(-math.log(1e4) * 2 * k / d)
    return omega


@speeds
def cumulative_product(d):
    return np.cumprod(np.r_[1.0, np.full(d // 2 - 1, 1e4 ** (-2 / d))])


@speeds
def ten_to_a_power(d):
    return 10 ** (-8 * np.arange(d / 2) / d)


@speeds
def from_wavelengths(d):
    wavelength = 2 * np.pi * 10000 ** (np.arange(0, d, 2) / d)
    return 2 * np.pi / wavelength


@speeds
def every_other_of_columns(d):
    return (10000.0 ** (-(np.arange(d) // 2 * 2) / d))[::2]


@speeds
def fromfunction(d):
    return np.fromfunction(lambda k: 10000.0 ** (-2 * k / d), (d // 2,))


@speeds
def fractions_of_the_exponent(d):
    return np.array([10000 ** -float(Fraction(2 * k, d)) for k in range(d // 2)])


@speeds
def reversed_twice(d):
    return np.sort(10000.0 ** (-2 * np.arange(d // 2) / d))[::-1]
