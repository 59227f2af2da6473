"""Lab 01, build the table: right tables in an unusual form, kept between calls, or made by more than a function."""

import contextlib
import functools
import math
import operator
import sys
import warnings

import numpy as np

from autograder.samples import Sample, Samples

from . import refuse
from .arrays import complex_exponential, even_and_odd_columns, in_one_expression

ANSWERS = Samples()
right = ANSWERS.sample("sinusoidal_pe")


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
