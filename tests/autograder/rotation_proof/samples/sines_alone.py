"""Lab 03, rotation proof: right and wrong answers to `sines_alone`."""

import numpy as np

from autograder.samples import Sample, Samples, omega_of
from minimodel.positional.sinusoidal import sinusoidal_pe

ANSWERS = Samples()


def sides(T, d, k):
    """The sines at p and at p + k, in float64."""
    sines = np.sin(np.outer(np.arange(T + k), omega_of(d)))
    return sines[:T], sines[k:]


def rms(rest):
    return np.sqrt(np.mean(rest**2))


def left_over(here, there):
    return there - here @ np.linalg.lstsq(here, there, rcond=None)[0]


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
def normal_equations(T, d, k):
    here, there = sides(T, d, k)
    rest = there - here @ np.linalg.solve(here.T @ here, here.T @ there)
    return np.linalg.norm(rest) / np.sqrt(rest.size)


@ANSWERS.sample("sines_alone")
def a_projection_column_by_column(T, d, k):
    here, there = sides(T, d, k)
    q, _ = np.linalg.qr(here)
    rests = [column - q @ (q.T @ column) for column in there.T]
    return (sum(float(rest @ rest) for rest in rests) / (T * d / 2)) ** 0.5


def whole_table(T, d, k):
    table = sinusoidal_pe(T + k, d)
    return table[:T], table[k:]


for style, mistake, answer in (
    ("the largest error in float32", "wrong-measure", lambda *given: np.abs(left_over(*sides(*given))).max().astype("f4")),
    ("the sums of squares of lstsq", "wrong-measure", lambda *given: np.linalg.lstsq(*sides(*given), rcond=None)[1].sum()),
    ("what is left over, in float32", "not-reduced", lambda *given: np.float32(left_over(*sides(*given)))),
    ("the rows themselves", "nothing-left", lambda *given: rms(left_over(*sides(*given)[:1] * 2))),
    ("the mean of the columns' roots", "wrong-measure", lambda *given: np.sqrt((left_over(*sides(*given)) ** 2).mean(axis=0)).mean()),
    ("whole pairs", "nothing-left", lambda *given: rms(left_over(*whole_table(*given)))),
    ("in a list", "unknown", lambda *given: [rms(left_over(*sides(*given)))]),
):  # fmt: skip
    ANSWERS.append(Sample("sines_alone", style, answer, (mistake,)))


@ANSWERS.sample("sines_alone", "nothing-left")
def a_map_on_the_left(T, d, k):
    """Fit a matrix on the wrong side, W @ A. W has a row and a column per position, so the fit is always exact."""
    here, there = sides(T, d, k)
    return rms((there @ np.linalg.pinv(here)) @ here - there)


@ANSWERS.sample("sines_alone", "rows-lost")
def within_a_table_of_T_rows(T, d, k):
    sines = sinusoidal_pe(T, d)[:, 0::2]
    return rms(left_over(sines[:-k], sines[k:]))


@ANSWERS.sample("sines_alone", "own-sine-only")
def each_sine_fitted_to_itself(T, d, k):
    here, there = sides(T, d, k)
    return rms(np.array([left_over(one[:, None], other) for one, other in zip(here.T, there.T)]))
