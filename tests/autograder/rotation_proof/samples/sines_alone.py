"""Lab 03, rotation proof: right and wrong answers to `sines_alone`."""

import numpy as np

from autograder.samples import Sample, Samples, omega_of
from minimodel.positional.sinusoidal import sinusoidal_pe

ANSWERS = Samples()


@ANSWERS.sample("sines_alone")
def least_squares_on_the_locked_table(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2]
    best = np.linalg.lstsq(sines[:T], sines[k:], rcond=None)[0]
    return np.sqrt(np.mean((sines[:T] @ best - sines[k:]) ** 2))


@ANSWERS.sample("sines_alone")
def the_pseudoinverse(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, ::2].astype(np.float64)
    rest = sines[k:] - sines[:T] @ (np.linalg.pinv(sines[:T]) @ sines[k:])
    return float(np.sqrt((rest * rest).sum() / rest.size))


@ANSWERS.sample("sines_alone")
def normal_equations_in_float64(T, d, k):
    sines = np.sin(np.arange(T + k)[:, None] * omega_of(d))
    here, there = sines[:T], sines[k:]
    rest = there - here @ np.linalg.solve(here.T @ here, here.T @ there)
    return np.linalg.norm(rest) / np.sqrt(rest.size)


@ANSWERS.sample("sines_alone")
def a_projection_column_by_column(T, d, k):
    sines = np.sin(np.arange(T + k)[:, None] * omega_of(d))
    q, _ = np.linalg.qr(sines[:T])
    rests = [there - q @ (q.T @ there) for there in sines[k:].T]
    return (sum(float(rest @ rest) for rest in rests) / (T * d / 2)) ** 0.5


def fit(T, d, k):
    """What is left over by the best map, and what was to be reached."""
    part = sinusoidal_pe(T + k, d)[:, 0::2].astype(np.float64)
    best = np.linalg.lstsq(part[:T], part[k:], rcond=None)[0]
    return part[k:] - part[:T] @ best, part[k:]


@ANSWERS.sample("sines_alone")
def from_the_squared_residuals(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2].astype(np.float64)
    squares = np.linalg.lstsq(sines[:T], sines[k:], rcond=None)[1]
    return float(np.sqrt(squares.sum() / (T * d / 2)))


@ANSWERS.sample("sines_alone")
def with_scipys_way_written_out(T, d, k):
    sines = np.sin(np.outer(np.arange(T + k), omega_of(d)))
    u, s, vt = np.linalg.svd(sines[:T], full_matrices=False)
    return np.sqrt(((sines[k:] - u @ (u.T @ sines[k:])) ** 2).mean())


@ANSWERS.sample("sines_alone")
def one_column_of_w_at_a_time(T, d, k):
    sines = np.sin(np.outer(np.arange(T + k), omega_of(d)))
    rests = []
    for column in range(d // 2):
        w = np.linalg.lstsq(sines[:T], sines[k:, column], rcond=None)[0]
        rests.append(sines[k:, column] - sines[:T] @ w)
    return np.sqrt(np.mean(np.square(rests)))


@ANSWERS.sample("sines_alone")
def mean_of_the_columns_mean_squares(T, d, k):
    rest, _ = fit(T, d, k)
    return np.sqrt((rest**2).mean(axis=0).mean())


for style, mistake, measure in (
    ("the largest error", "wrong-measure", lambda rest, there: np.abs(rest).max()),
    ("as a share", "wrong-measure", lambda rest, there: np.linalg.norm(rest) / np.linalg.norm(there)),
    ("the array that is left over", "not-reduced", lambda rest, there: rest),
    ("in a list", "unknown", lambda rest, there: [np.sqrt(np.mean(rest**2))]),
):
    ANSWERS.append(Sample("sines_alone", style, lambda T, d, k, measure=measure: measure(*fit(T, d, k)), (mistake,)))


@ANSWERS.sample("sines_alone", "nothing-left")
def a_map_on_the_left(T, d, k):
    """W @ A with a row and a column for each position, which reaches whatever it is to reach."""
    sines = sinusoidal_pe(T + k, d)[:, 0::2].astype(np.float64)
    here, there = sines[:T], sines[k:]
    return np.sqrt(np.mean(((there @ np.linalg.pinv(here)) @ here - there) ** 2))


@ANSWERS.sample("sines_alone", "nothing-left")
def the_rows_themselves(T, d, k):
    here = sinusoidal_pe(T, d)[:, 0::2].astype(np.float64)
    return np.sqrt(np.mean((here @ np.linalg.lstsq(here, here, rcond=None)[0] - here) ** 2))


@ANSWERS.sample("sines_alone", "nothing-left")
def whole_pairs(T, d, k):
    table = sinusoidal_pe(T + k, d)
    return np.sqrt(np.mean((table[:T] @ np.linalg.lstsq(table[:T], table[k:], rcond=None)[0] - table[k:]) ** 2))


@ANSWERS.sample("sines_alone", "rows-lost")
def within_a_table_of_T_rows(T, d, k):
    sines = sinusoidal_pe(T, d)[:, 0::2]
    here, there = sines[:-k], sines[k:]
    return np.sqrt(np.mean((here @ np.linalg.lstsq(here, there, rcond=None)[0] - there) ** 2))


@ANSWERS.sample("sines_alone", "wrong-measure")
def the_sums_of_squares_that_lstsq_returns(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2].astype(np.float64)
    return float(np.linalg.lstsq(sines[:T], sines[k:], rcond=None)[1].sum())


@ANSWERS.sample("sines_alone", "own-sine-only")
def every_sine_from_its_own_sine(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2]
    scale = (sines[:T] * sines[k:]).sum(axis=0) / (sines[:T] ** 2).sum(axis=0)
    return np.sqrt(np.mean((sines[:T] * scale - sines[k:]) ** 2))
