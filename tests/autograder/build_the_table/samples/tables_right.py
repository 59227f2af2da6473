"""Lab 01, build the table: right tables, written in many ways, unusual in form, cached between calls, or made with a class."""

import contextlib
import functools
import math
import operator
import sys
import warnings

import numpy as np

from autograder.samples import Sample

from . import TableSamples, angles_of, omega_of, refuse, weave

ANSWERS = TableSamples()
written, right = ANSWERS.of_table(), ANSWERS.sample("sinusoidal_pe")

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


@written
def doubling(T, d):
    phase = np.ones((1, d // 2), complex)
    while len(phase) < T:
        phase = np.concatenate([phase, phase * np.exp(1j * len(phase) * omega_of(d))])
    return np.stack([phase[:T].imag, phase[:T].real], axis=-1).reshape(T, d).astype(np.float32)


def table_of(T, d):
    refuse(T, d)
    return weave(angles_of(T, d))


def read_only(T, d):
    table = table_of(T, d)
    table.flags.writeable = False
    return table


kept = functools.lru_cache(table_of)
ANSWERS.tables(
    "",
    fortran_order=lambda T, d: np.asfortranarray(table_of(T, d)),
    transposed_view=lambda T, d: np.ascontiguousarray(table_of(T, d).T).T,
    flipped_twice=lambda T, d: table_of(T, d)[::-1][::-1],
    masked_array=lambda T, d: np.ma.masked_array(table_of(T, d)),
    kept_and_copied=lambda T, d: kept(T, d).copy(),
)
ANSWERS += [
    Sample("sinusoidal_pe", "read_only_result", read_only),
    Sample("sinusoidal_pe", "kept_and_read_only", functools.lru_cache(read_only)),
    Sample("sinusoidal_pe", "a lambda", lambda T, d: table_of(T, d)),
]


@right
def every_other_row_of_a_larger_array(T, d):
    refuse(T, d)
    table = np.full((2 * T, 2 * d), 9, np.float32)[::2, ::2]
    table[:] = table_of(T, d)
    return table


@right
def prints_and_warns(T, d):
    print("building", T, d)
    warnings.warn("a warning", stacklevel=1)
    print("to stderr", file=sys.stderr)
    return table_of(T, d)


@right
def division_by_zero_on_the_way(T, d):
    with contextlib.suppress(ZeroDivisionError):
        1 / 0
    return table_of(T, d)


@right
def names_by_keyword_and_default(T, d, base=10_000.0, dtype=np.float32):
    refuse(T, d)
    return weave(np.arange(T, dtype=np.float64)[:, None] * base ** (-2 * np.arange(d // 2) / d), dtype=dtype)


@right
def long_double_inside(T, d):
    refuse(T, d)
    omega = np.longdouble(10000) ** (-2 * np.arange(d // 2) / np.longdouble(d))
    return weave(np.arange(T, dtype=np.longdouble)[:, None] * omega)


@right
def sizes_asserted_by_a_subclass_of_ValueError(T, d):
    if min(operator.index(T), operator.index(d) - 1) < 0 or d % 2:
        raise UnicodeError("no such table")
    return table_of(T, d)


class Encoding:
    """A callable that makes the table, with the speeds as an attribute."""

    def __call__(self, T, d):
        refuse(T, d)
        self.omega = omega_of(d)
        return weave(np.arange(T)[:, None] @ self.omega[None, :])


def closure():
    base = 10000.0

    def omega(d):
        return np.array([base ** (-2 * k / d) for k in range(d // 2)])

    def sinusoidal_pe(T, d):
        refuse(T, d)
        rows = [[f(p * w) for w in omega(d) for f in (math.sin, math.cos)] for p in range(T)]
        return np.array(rows, "f4").reshape(T, d)

    return sinusoidal_pe


ANSWERS += [
    Sample("sinusoidal_pe", "an object that can be called", Encoding()),
    Sample("sinusoidal_pe", "a closure", closure()),
    Sample("sinusoidal_pe", "a partial function", functools.partial(names_by_keyword_and_default, base=1e4)),
]
