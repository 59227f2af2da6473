"""Lab 01, build the table: right tables that are unusual in form, cached between calls, or made with a class."""

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
right = ANSWERS.sample("sinusoidal_pe")


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
