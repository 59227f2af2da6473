"""Lab 01, build the table: wrong speeds; each stands alone as `frequencies`, or in a table too."""

import math

import numpy as np

from autograder.samples import Sample

from . import B, TableSamples, k_of, omega_of

ANSWERS = TableSamples()
of_speeds = ANSWERS.of_speeds

of_speeds("exponent k/d", lambda d: B ** (-k_of(d) / d), "exponent-k-over-d")
of_speeds("exp of k log / d", lambda d: np.exp(-k_of(d) * np.log(B) / d), "exponent-k-over-d")
of_speeds("base 100", lambda d: omega_of(d, 100.0), "exponent-k-over-d")
of_speeds("2 times arange by 2", lambda d: 1 / B ** (2 * np.arange(0, d, 2) / d), "exponent-4k-over-d")
of_speeds("2k over d/2", lambda d: 1 / B ** (2 * k_of(d) / (d // 2)), "exponent-4k-over-d")
of_speeds("base 1e8", lambda d: omega_of(d, 1e8), "exponent-4k-over-d")
of_speeds("2k over d - 2", lambda d: B ** (-2 * k_of(d) / (d - 2)), "exponent-d-minus-2")
of_speeds("linspace to 1", lambda d: B ** -np.linspace(0, 1, d // 2), "exponent-d-minus-2")
of_speeds("geomspace to 1/base", lambda d: np.geomspace(1, 1e-4, d // 2), "exponent-d-minus-2")
of_speeds("k over n - 1", lambda d: np.exp(-np.log(B) * k_of(d) / (d // 2 - 1)), "exponent-d-minus-2")
of_speeds("2k over d - 1", lambda d: B ** (-2 * k_of(d) / (d - 1)), "exponent-d-minus-1")
of_speeds("2k/d - 1", lambda d: B ** -(2 * k_of(d) / d - 1), "exponent-d-minus-1")
of_speeds("arange from 1", lambda d: B ** (-2 * np.arange(1, d // 2 + 1) / d), "k-from-one")
of_speeds("2k + 1", lambda d: B ** (-(2 * k_of(d) + 1) / d), "k-from-one")
of_speeds("linspace without 0", lambda d: B ** -np.linspace(0, 1, d // 2 + 1)[1:], "k-from-one")
of_speeds("2k // d", lambda d: B ** -(2 * k_of(d) // d).astype(float), "integer-division")
of_speeds("-2k // d", lambda d: B ** (-2 * k_of(d) // d).astype(float), "integer-division")
of_speeds("2 * (k // d)", lambda d: 1 / B ** (2 * (k_of(d) // d)), "integer-division")
of_speeds("exponent made int", lambda d: 1 / B ** (2 * k_of(d) / d).astype(int), "integer-division")
of_speeds("no minus", lambda d: B ** (2 * k_of(d) / d), "missing-minus")
of_speeds("exp without minus", lambda d: np.exp(k_of(d) * 2 * np.log(B) / d), "missing-minus")
of_speeds("wavelength over 2 pi", lambda d: 1 / omega_of(d), "missing-minus")
of_speeds("exp of -2k/d", lambda d: np.exp(-2 * k_of(d) / d), "lost-log")
of_speeds("log10", lambda d: np.exp(-2 * k_of(d) / d * np.log10(B)), "lost-log")
of_speeds("log2", lambda d: np.exp(np.arange(0, d, 2) * -(math.log2(B) / d)), "lost-log")
for base in (1e3, 1e5, 1e6, 5e5, 500.0, 12345.0, 2e4, 10.0, 1000000.0, 9000.0):
    of_speeds(f"base {base:g}", lambda d, base=base: omega_of(d, base), "wrong-base")
of_speeds("exp of the log of 1000", lambda d: np.exp(-2 * k_of(d) / d * np.log(1000)), "wrong-base")
of_speeds("reversed", lambda d: omega_of(d)[::-1], "frequencies-reversed")
of_speeds("k counted down", lambda d: B ** (-2 * np.arange(d // 2 - 1, -1, -1) / d), "frequencies-reversed")
of_speeds("sorted", lambda d: np.sort(omega_of(d)), "frequencies-reversed")
of_speeds("linspace of speeds", lambda d: np.linspace(1, 1e-4, d // 2), "arithmetic-frequencies")
of_speeds("1 - 2k/d", lambda d: 1 - 2 * k_of(d) / d, "arithmetic-frequencies")
of_speeds("one step more each", lambda d: 0.01 * (k_of(d) + 1), "arithmetic-frequencies")
of_speeds("linspace down to 0", lambda d: np.linspace(1, 0, d // 2), "arithmetic-frequencies")
of_speeds("whole numbers", lambda d: k_of(d) + 1.0, "arithmetic-frequencies")
of_speeds("radians of speeds", lambda d: np.radians(omega_of(d)), "degrees")
of_speeds("speeds in degrees", lambda d: np.degrees(omega_of(d)), "degrees")
of_speeds("times 2 pi", lambda d: 2 * np.pi * omega_of(d), "cycles")
of_speeds("over 2 pi", lambda d: omega_of(d) / (2 * np.pi), "cycles")
of_speeds("float16 speeds", lambda d: omega_of(d).astype(np.float16).astype(np.float32), "low-precision")
of_speeds("speeds of 4 decimals", lambda d: np.round(omega_of(d), 4), "low-precision")
of_speeds("speeds of 3 decimals", lambda d: np.round(omega_of(d), 3), "low-precision")
of_speeds("harmonic", lambda d: 1 / (1 + k_of(d)), "unknown")
of_speeds("quadratic exponent", lambda d: B ** -((2 * k_of(d) / d) ** 2), "unknown")
of_speeds("square root", lambda d: np.sqrt(omega_of(d)) * 0.9, "unknown")
of_speeds("random", lambda d: np.random.default_rng(3).uniform(0.1, 1, d // 2), "unknown")
of_speeds("two regimes", lambda d: np.where(k_of(d) < d // 4, omega_of(d), omega_of(d, 300.0)), "unknown")
of_speeds("base 1000 counted from one", lambda d: 1000.0 ** (-2 * (k_of(d) + 1) / d), "wrong-base", "k-from-one")
of_speeds("base 1e5 reversed", lambda d: omega_of(d, 1e5)[::-1], "wrong-base", "frequencies-reversed")
of_speeds("reversed in degrees", lambda d: np.radians(omega_of(d)[::-1]), "degrees", "frequencies-reversed")
of_speeds("no minus, k/d", lambda d: B ** (k_of(d) / d), "missing-minus", "exponent-k-over-d")
of_speeds("base 777 with 2 pi", lambda d: 2 * np.pi * omega_of(d, 777.0), "wrong-base", "cycles")
of_speeds("k/d from one", lambda d: B ** (-(k_of(d) + 1) / d), "exponent-k-over-d", "k-from-one")


def answers_frequencies(style, make, *mistakes):
    ANSWERS.append(Sample("frequencies", style, make, mistakes))


answers_frequencies("half the speeds", lambda d: omega_of(d) / 2, "unknown")
answers_frequencies("a list", lambda d: list(omega_of(d)), "wrong-container")
answers_frequencies("a tuple of floats", lambda d: tuple(map(float, omega_of(d))), "wrong-container")
answers_frequencies("a row of a matrix", lambda d: omega_of(d)[None, :], "wrong-container")
answers_frequencies("a column", lambda d: omega_of(d).reshape(-1, 1), "wrong-container")
answers_frequencies("each twice", lambda d: np.repeat(omega_of(d), 2), "wrong-container")
answers_frequencies("one per column, j", lambda d: B ** (-np.arange(d) / d), "raw-column-j")
answers_frequencies("one per column, 2j", lambda d: B ** (-2 * np.arange(d) / d), "raw-column-2j")
answers_frequencies("one too few", lambda d: B ** (-2 * np.arange(d // 2 - 1) / d), "last-pair-missing")
answers_frequencies("range from one, one too few", lambda d: B ** (-2 * np.arange(1, d // 2) / d), "k-from-one")
answers_frequencies("2 left out of the brackets", lambda d: np.divide(1.0, B**2 * k_of(d) / d), "operator-precedence")
answers_frequencies("base to minus 2, times k/d", lambda d: B**-2 * k_of(d) / d, "operator-precedence")
answers_frequencies("as integers", lambda d: omega_of(d).astype(int), "integer-table")
answers_frequencies("wavelengths in float32", lambda d: np.float32(2 * np.pi) / np.float32(omega_of(d)), "wavelengths")
answers_frequencies(
    "exponents in a loop", lambda d: np.array([2 * k / d for k in range(d // 2)], "f4"), "exponents-alone"
)
answers_frequencies("minus before the power", lambda d: -(B ** (2 * k_of(d) / d)), "minus-outside")
answers_frequencies("nothing", lambda d: None, "unknown")
answers_frequencies("stops", lambda d: omega_of(d) + undefined_name, "unknown")
answers_frequencies("no speeds at all", lambda d: np.zeros(d // 2), "unknown")
answers_frequencies("base 1000 as a list", lambda d: list(omega_of(d, 1e3)), "wrong-base", "wrong-container")
