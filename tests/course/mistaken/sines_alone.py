"""Lab 03, rotation proof: right and wrong answers to `sines_alone`."""

import numpy as np
from table_samples import omega_of

from minimodel.positional.sinusoidal import sinusoidal_pe
from mistaken import Samples

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


@ANSWERS.sample("sines_alone", "unknown")
def the_largest_instead_of_the_root_mean_square(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2]
    return np.abs(sines[:T] @ np.linalg.lstsq(sines[:T], sines[k:], rcond=None)[0] - sines[k:]).max()


@ANSWERS.sample("sines_alone", "unknown")
def whole_pairs(T, d, k):
    table = sinusoidal_pe(T + k, d)
    return np.sqrt(np.mean((table[:T] @ np.linalg.lstsq(table[:T], table[k:], rcond=None)[0] - table[k:]) ** 2))


@ANSWERS.sample("sines_alone", "unknown")
def within_a_table_of_T_rows(T, d, k):
    sines = sinusoidal_pe(T, d)[:, 0::2]
    here, there = sines[:-k], sines[k:]
    return np.sqrt(np.mean((here @ np.linalg.lstsq(here, there, rcond=None)[0] - there) ** 2))


@ANSWERS.sample("sines_alone", "unknown")
def every_sine_from_its_own_sine(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2]
    scale = (sines[:T] * sines[k:]).sum(axis=0) / (sines[:T] ** 2).sum(axis=0)
    return np.sqrt(np.mean((sines[:T] * scale - sines[k:]) ** 2))
