"""Helpers for the sample answers to lab 01: parts of a table, and a list with methods that add answers."""

import functools

import numpy as np

from autograder.samples import Sample, Samples, omega_of

B = 10000.0


def refuse(T, d):
    if d <= 0 or d % 2 or T < 0:
        raise ValueError("no such table")


def weave(angles, first=np.sin, second=np.cos, dtype=np.float32):
    """Put one function of the angles in the even columns, and another in the odd ones."""
    table = np.zeros((angles.shape[0], 2 * angles.shape[1]), dtype)
    table[:, 0::2], table[:, 1::2] = first(angles), second(angles)
    return table


def angles_of(T, d, base=B):
    return np.arange(T)[:, None] * omega_of(d, base)


def k_of(d):
    return np.arange(d // 2)


class TableSamples(Samples):
    """A list of sample answers, with methods that add functions returning tables or frequencies."""

    def of_table(self, *mistakes):
        """Return a decorator that adds a function (T, d) -> table, wrapped so that it refuses invalid sizes."""

        def add(function):
            @functools.wraps(function)
            def answer(T, d):
                refuse(T, d)
                with np.errstate(all="ignore"):
                    return function(T, d)

            self.append(Sample("sinusoidal_pe", function.__name__, answer, mistakes))
            return function

        return add

    def tables(self, mistakes, **styles):
        """Add functions (T, d) -> table, wrapped so that they refuse invalid sizes and return float32 instead of float64."""
        for style, function in styles.items():

            def in_float32(T, d, function=function):
                table = function(T, d)
                return table.astype(np.float32) if table.dtype == np.float64 else table

            in_float32.__name__ = style
            self.of_table(*mistakes.split())(in_float32)

    def of_speeds(self, style, make, *mistakes, alone=True):
        """Add wrong frequencies make(d), both as an answer to `frequencies` and in a table.

        The first sample of each mistake is also tried with angles in float32.
        """
        if alone:
            self.append(Sample("frequencies", style, make, mistakes))

        def in_float64(T, d):
            refuse(T, d)
            return weave(np.arange(T)[:, None] * make(d))

        def in_float32(T, d):
            refuse(T, d)
            return weave(np.arange(T, dtype=np.float32)[:, None] * np.asarray(make(d)).astype(np.float32))

        self.append(Sample("sinusoidal_pe", f"{style}, float64 angles", in_float64, mistakes))
        if not any(each.style.endswith("float32 angles") and each.mistakes == mistakes for each in self):
            self.append(Sample("sinusoidal_pe", f"{style}, float32 angles", in_float32, mistakes))
