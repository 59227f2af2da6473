"""Lab 03, rotation proof: the truth."""

import numpy as np

from labkit.judging.short_answers import stored


def frequencies(d, base=10000.0):
    return base ** (-2.0 * np.arange(d // 2) / d)


def angles(T, d, base=10000.0):
    return np.arange(T)[:, None] * frequencies(d, base)


def table(T, d, base=10000.0):
    return interleave(np.sin(angles(T, d, base)), np.cos(angles(T, d, base)))


def interleave(even, odd):
    return np.stack([even, odd], axis=-1).reshape(even.shape[0], -1)


def shift_matrix(k, d):
    """R with PE(p + k) = R @ PE(p): one 2 x 2 rotation by k * omega_i for each pair i, in float64."""
    sine, cosine = np.sin(k * frequencies(d)), np.cos(k * frequencies(d))
    even = np.arange(0, d, 2)
    matrix = np.zeros((d, d))
    matrix[even, even] = matrix[even + 1, even + 1] = cosine
    matrix[even, even + 1], matrix[even + 1, even] = sine, -sine
    return matrix


def shift(pe, k):
    """Every row moved on by k positions, in float64."""
    return pe.astype(np.float64) @ shift_matrix(k, pe.shape[1]).T


def sines_alone(T, d, k):
    """Root mean square of what the best linear map from the sines at p to those at p + k leaves over, p = 0 .. T-1."""
    sines = table(T + k, d)[:, 0::2]
    here, there = sines[:T], sines[k:]
    return np.sqrt(np.mean((there - here @ np.linalg.lstsq(here, there, rcond=None)[0]) ** 2))


def wrong_tables(T=200, d=8):
    """Tables with one mistake of lab 01 each, in float64, by the mistake's id."""
    right, angle = table(T, d), angles(T, d)
    sine, cosine = np.sin(angle), np.cos(angle)
    last_missing, unwritten = right.copy(), right.copy()
    last_missing[:, -2:], unwritten[:, 1::2] = 0.0, 0.0
    return {
        "positions-from-one": table(T + 1, d)[1:],
        "scaled-values": right * np.sqrt(d),
        "last-pair-missing": last_missing,
        "swapped-sin-cos": interleave(cosine, sine),
        "halves-layout": np.concatenate([sine, cosine], axis=1),
        "wrong-base": table(T, d, base=1000.0),
        "same-function-twice": interleave(sine, sine),
        "columns-unwritten": unwritten,
    }


def errors(wrong, k=3):
    """The largest error of the matrix of the course, and that of the best fixed matrix there is for this table."""
    here, there = wrong[:-k], wrong[k:]
    best = np.linalg.lstsq(here, there, rcond=1e-10)[0]
    return (np.abs(here @ shift_matrix(k, wrong.shape[1]).T - there).max(), np.abs(here @ best - there).max())


def verdict(wrong, small=1e-6):
    """What the rotation test says of a table."""
    ours, best = errors(wrong)
    return "passes" if ours < small else "other matrix" if best < small else "no matrix"


WHICH_MISTAKES_SURVIVE = stored(
    "which_mistakes_survive", {mistake: verdict(wrong) for mistake, wrong in wrong_tables().items()}
)
