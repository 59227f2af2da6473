"""Lab 04, dot-product decay: right and wrong answers to `offset_only`."""

import numpy as np
from dot_product_decay_samples import omega, total

from mistaken import Samples

ANSWERS = Samples()


def table_in(T, d, dtype):
    angle = np.arange(T, dtype=dtype)[:, None] * omega(d, dtype)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


def spread(gram):
    return max(np.ptp(np.diagonal(gram, offset)) for offset in range(len(gram)))


@ANSWERS.sample("offset_only")
def interleaved_and_multiplied(T, d, dtype):
    table = table_in(T, d, dtype)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def halves_and_multiplied(T, d, dtype):
    angle = np.arange(T, dtype=dtype)[:, None] * omega(d, dtype)
    table = np.hstack([np.sin(angle), np.cos(angle)])
    return float(spread(table @ table.T))


@ANSWERS.sample("offset_only")
def cast_after_float64(T, d, dtype):
    table = table_in(T, d, np.float64).astype(dtype)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def product_in_float64(T, d, dtype):
    table = table_in(T, d, np.float64).astype(dtype).astype(np.float64)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def locked_table_for_float32(T, d, dtype):
    from minimodel.positional.sinusoidal import sinusoidal_pe

    table = sinusoidal_pe(T, d) if dtype == "float32" else table_in(T, d, dtype)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only")
def entry_after_entry(T, d, dtype):
    table = table_in(T, d, dtype)
    lists = [[row @ table[q] for q, row in enumerate(table[offset:])] for offset in range(T)]
    return np.array(max(max(entries) - min(entries) for entries in lists))


@ANSWERS.sample("offset_only", "unknown")
def constant_zero(T, d, dtype):
    return 0.0


@ANSWERS.sample("offset_only", "unknown")
def constant_tiny(T, d, dtype):
    return 1e-14


@ANSWERS.sample("offset_only", "unknown")
def the_closed_form_on_the_diagonals(T, d, dtype):
    return spread(total(np.subtract.outer(np.arange(T), np.arange(T)).ravel(), d).reshape(T, T))


@ANSWERS.sample("offset_only", "unknown")
def float32_whatever_is_asked(T, d, dtype):
    table = table_in(T, d, np.float32)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def dtype_left_out(T, d, dtype):
    table = table_in(T, d, np.float64)
    return spread(table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def rows_in_place_of_diagonals(T, d, dtype):
    table = table_in(T, d, dtype)
    return max(np.ptp(row) for row in table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def sines_alone(T, d, dtype):
    table = table_in(T, d, dtype)[:, 0::2]
    return spread(table @ table.T)


@ANSWERS.sample("offset_only", "unknown")
def one_spread_per_diagonal(T, d, dtype):
    table = table_in(T, d, dtype)
    return np.array([np.ptp(np.diagonal(table @ table.T, offset)) for offset in range(T)])


@ANSWERS.sample("offset_only", "unknown")
def only_whether_it_is_constant(T, d, dtype):
    return True
