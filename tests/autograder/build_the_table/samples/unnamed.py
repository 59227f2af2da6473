"""Lab 01, build the table: answers that are wrong in ways the catalogue does not name."""

import numpy as np

from autograder.samples import UNSEEN

from . import TableSamples, angles_of, omega_of, refuse, weave

ANSWERS = TableSamples()
of_table = ANSWERS.of_table


@of_table("unknown")
def random_numbers(T, d):
    return np.random.default_rng(0).uniform(-1, 1, (T, d)).astype(np.float32)


@of_table("unknown")
def positions_from_two(T, d):
    return weave(np.arange(2, T + 2)[:, None] * omega_of(d))


@of_table("unknown")
def one_cell_off(T, d):
    table = weave(angles_of(T, d))
    table[2:3, 1:2] += 0.01
    return table


@of_table("unknown")
def a_phase_in_each_pair(T, d):
    return weave(angles_of(T, d) + 0.3 * np.arange(d // 2))


@of_table("unknown")
def noise_on_top(T, d):
    return (weave(angles_of(T, d)) + np.random.default_rng(0).normal(0, 1e-3, (T, d))).astype(np.float32)


@of_table("unknown")
def columns_shuffled(T, d):
    return weave(angles_of(T, d))[:, np.random.default_rng(d).permutation(d)]


@of_table("unknown")
def rows_shuffled(T, d):
    return weave(angles_of(T, d))[np.random.default_rng(5).permutation(T)]


@of_table("unknown")
def columns_normalised(T, d):
    table = weave(angles_of(T, d), dtype=np.float64)
    return (table / np.maximum(np.abs(table).max(axis=0, initial=0), 1e-9) if T else table).astype(np.float32)


@of_table("unknown")
def signs_only(T, d):
    return np.sign(weave(angles_of(T, d)))


@of_table("unknown")
def right_for_small_tables_only(T, d):
    return weave(angles_of(T, d)) if T < 50 else weave(angles_of(T, d, 1000.0))


@of_table("unknown")
def complex_numbers(T, d):
    return np.exp(1j * angles_of(T, d)).astype(np.complex64)


@of_table("unknown")
def a_number(T, d):
    return 0.0


@of_table("unknown")
def a_string(T, d):
    return "table"


@of_table("unknown")
def raises_at_once(T, d):
    raise RuntimeError("no")


@of_table("unknown")
def empty_table_refused(T, d):
    return weave(angles_of(T, d)) / (1 / np.float32(T) * T)[()] if T else [][0]


@ANSWERS.sample("sinusoidal_pe", "unknown")
def negative_T_accepted(T, d):
    if d <= 0 or d % 2:
        raise ValueError
    return weave(angles_of(max(T, 0), d))


@ANSWERS.sample("sinusoidal_pe", "unknown")
def asserts_in_place_of_ValueError(T, d):
    assert d > 0 and d % 2 == 0 and T >= 0
    return weave(angles_of(T, d))


@ANSWERS.sample("sinusoidal_pe", "unknown")
def sequential_dice(T, d):
    refuse(T, d)
    return weave(angles_of(T, d) * (1 + 1e-3 * np.arange(T)[:, None]))


@ANSWERS.sample("sinusoidal_pe", "unknown")
def an_error_returned(T, d):
    if T < 0 or d <= 0 or d % 2:
        return ValueError("no such table")
    return weave(angles_of(T, d))


@ANSWERS.sample("sinusoidal_pe", UNSEEN)
def five_thousand_rows_made_once(T, d):
    refuse(T, d)
    return weave(angles_of(5000, d))[:T]


@ANSWERS.sample("sinusoidal_pe", UNSEEN)
def positions_in_float16(T, d):
    refuse(T, d)
    return weave(np.arange(T, dtype=np.float16)[:, None] * omega_of(d))
