"""Lab 01, build the table: right and wrong frequencies. Each wrong formula is also used to make a table."""

import math

import numpy as np

from autograder.samples import Sample
from autograder.wrong_tables import LAWS

from . import B, TableSamples, k_of, omega_of

ANSWERS = TableSamples()
of_speeds = ANSWERS.of_speeds
right = ANSWERS.sample("frequencies")


def answers(mistakes, **styles):
    """Add answers to `frequencies` only."""
    ANSWERS.extend(Sample("frequencies", style, make, tuple(mistakes.split())) for style, make in styles.items())


answers(
    "",
    power_of_an_array=lambda d: 10000.0 ** (-2 * np.arange(d // 2) / d),
    power_in_float32=lambda d: np.float32(10000) ** (-2 * np.arange(d // 2, dtype=np.float32) / np.float32(d)),
    exp_and_log_in_float32=lambda d: np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(B) / d)),
)


@right
def loop_into_float32_zeros(d):
    omega = np.zeros(d // 2, dtype=np.float32)
    for k in range(len(omega)):
        omega[k] = math.exp(-math.log(1e4) * 2 * k / d)
    return omega


for id, laws in LAWS.items():
    for number, law in enumerate(laws, 1):
        of_speeds(f"law {number} of {id}", law, id)

of_speeds("2k/d - 1 in float32", lambda d: np.float32(B) ** -(2 * k_of(d) / d - 1).astype("f4"), "exponent-d-minus-1")
of_speeds("2k + 1", lambda d: B ** (-(2 * k_of(d) + 1) / d), "k-from-one")
of_speeds("-2k // d", lambda d: B ** (-2 * k_of(d) // d).astype(float), "integer-division")
of_speeds("the log left out", lambda d: np.exp(-2 * k_of(d) / d * 10000), "lost-log")
for base in (12345.0, 2e4, 9000.0):
    of_speeds(f"base {base:g}", lambda d, base=base: omega_of(d, base), "wrong-base")
of_speeds("one step more each", lambda d: 0.01 * (k_of(d) + 1), "arithmetic-frequencies")
of_speeds("linspace down to 0", lambda d: np.linspace(1, 0, d // 2), "arithmetic-frequencies")
of_speeds("whole numbers", lambda d: k_of(d) + 1.0, "arithmetic-frequencies")
of_speeds("speeds in degrees", lambda d: np.degrees(omega_of(d)), "degrees")
of_speeds("over 2 pi", lambda d: omega_of(d) / (2 * np.pi), "cycles")
of_speeds("float16 speeds", lambda d: omega_of(d).astype(np.float16).astype(np.float32), "low-precision")
of_speeds("speeds of 4 decimals", lambda d: np.round(omega_of(d), 4), "low-precision")
of_speeds("speeds of 3 decimals", lambda d: np.round(omega_of(d), 3), "low-precision")
of_speeds("harmonic", lambda d: 1 / (1 + k_of(d)), "unknown")
of_speeds("quadratic exponent", lambda d: B ** -((2 * k_of(d) / d) ** 2), "unknown")
of_speeds("square root", lambda d: np.sqrt(omega_of(d)) * 0.9, "unknown")
of_speeds("random", lambda d: np.random.default_rng(3).uniform(0.1, 1, d // 2), "unknown")
of_speeds("two regimes", lambda d: np.where(k_of(d) < d // 4, omega_of(d), omega_of(d, 300.0)), "unknown")
of_speeds("2k over d + 1", lambda d: B ** (-2 * k_of(d) / (d + 1)), "unknown")
of_speeds("base d", lambda d: omega_of(d, float(d)), "unknown")
of_speeds("base 1000 counted from one", lambda d: 1000.0 ** (-2 * (k_of(d) + 1) / d), "wrong-base", "k-from-one")
of_speeds("base 1e5 reversed", lambda d: omega_of(d, 1e5)[::-1], "wrong-base", "frequencies-reversed")
of_speeds("reversed in degrees", lambda d: np.radians(omega_of(d)[::-1]), "degrees", "frequencies-reversed")
of_speeds("no minus, k/d", lambda d: B ** (k_of(d) / d), "missing-minus", "exponent-k-over-d")
of_speeds("no minus, from one", lambda d: B ** (2 * (k_of(d) + 1) / d), "missing-minus", "k-from-one")
of_speeds("base 777 with 2 pi", lambda d: 2 * np.pi * omega_of(d, 777.0), "wrong-base", "cycles")
of_speeds("k/d from one", lambda d: B ** (-(k_of(d) + 1) / d), "exponent-k-over-d", "k-from-one")
of_speeds("k over d - 1", lambda d: B ** (-k_of(d) / (d - 1)), "exponent-k-over-d", "exponent-d-minus-1")
of_speeds(
    "geomspace to 1/1000", lambda d: np.geomspace(1, 1e-3, d // 2), "exponent-d-minus-2", "wrong-base", alone=False
)

answers(
    "wrong-container",
    a_list=lambda d: list(omega_of(d)),
    a_tuple_of_floats=lambda d: tuple(map(float, omega_of(d))),
    a_row_of_a_matrix=lambda d: omega_of(d)[None, :],
    a_column=lambda d: omega_of(d).reshape(-1, 1),
    each_twice=lambda d: np.repeat(omega_of(d), 2),
)
answers("raw-column-j", one_per_column_j=lambda d: B ** (-np.arange(d) / d))
answers("raw-column-2j", one_per_column_2j=lambda d: B ** (-2 * np.arange(d) / d))
answers("last-pair-missing", one_too_few=lambda d: B ** (-2 * np.arange(d // 2 - 1) / d))
answers("k-from-one", range_from_one_and_one_too_few=lambda d: B ** (-2 * np.arange(1, d // 2) / d))
answers(
    "operator-precedence",
    the_2_outside_the_brackets=lambda d: np.divide(1.0, B**2 * k_of(d) / d),
    base_to_minus_2_times_k_over_d=lambda d: B**-2 * k_of(d) / d,
)
answers("integer-division", whole_powers_of_a_whole_number=lambda d: 10000 ** (-2 * np.arange(d // 2) // d))
answers(
    "operator-precedence",
    caret_with_an_array=lambda d: 10000 ^ (-2 * np.arange(d // 2) / d),
    caret_in_a_loop=lambda d: np.array([10000 ^ (-2 * k / d) for k in range(d // 2)]),
)
answers("integer-table", as_integers=lambda d: omega_of(d).astype(int))
answers("wavelengths", wavelengths_in_float32=lambda d: np.float32(2 * np.pi) / np.float32(omega_of(d)))
answers("exponents-alone", exponents_in_a_loop=lambda d: np.array([2 * k / d for k in range(d // 2)], "f4"))
answers("minus-outside", minus_before_the_power=lambda d: -(B ** (2 * k_of(d) / d)))
answers("wrong-base wrong-container", base_1000_as_a_list=lambda d: list(omega_of(d, 1e3)))
answers(
    "unknown",
    half_the_speeds=lambda d: omega_of(d) / 2,
    nothing=lambda d: None,
    stops=lambda d: omega_of(d) + undefined_name,
    no_speeds_at_all=lambda d: np.zeros(d // 2),
)
