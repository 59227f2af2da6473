"""Reference answers for lab 03, rotation proof."""

import numpy as np

from encoding_labs.rotation_proof.exercises import SHIFT

ROUNDING = 1e-4  # float32 tables have smaller errors than this; tables that the test rejects are off by at least 0.1


def frequencies(d, base=10000.0):
    return base ** (-2.0 * np.arange(d // 2) / d)


def table(T, d, first=0):
    """T rows of the table in float64, starting at position `first`."""
    angle = np.arange(first, first + T)[:, None] * frequencies(d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


def shift_matrix(offset, d):
    """R with PE(p + offset) = R @ PE(p): one 2 x 2 rotation by offset * omega_k for each pair k, in float64."""
    sine, cosine = np.sin(offset * frequencies(d)), np.cos(offset * frequencies(d))
    even = np.arange(0, d, 2)
    matrix = np.zeros((d, d))
    matrix[even, even] = matrix[even + 1, even + 1] = cosine
    matrix[even, even + 1], matrix[even + 1, even] = sine, -sine
    return matrix


def shift(pe, offset):
    """Shift every row by the offset, in float64."""
    turn = np.exp(1j * offset * frequencies(pe.shape[1]))
    hands = (pe[:, 1::2].astype(np.float64) + 1j * pe[:, 0::2]) * turn
    return np.stack([hands.imag, hands.real], axis=-1).reshape(pe.shape)


def rotations(M, block=lambda a, b, c, d: (a + d, b - c, c - b, a + d)):
    """Keep only the rotation of each 2 x 2 block on the diagonal. `block` computes the four new entries from the old ones."""
    even, kept = np.arange(0, len(M), 2), np.zeros(M.shape)
    corners = [(even, even), (even, even + 1), (even + 1, even), (even + 1, even + 1)]
    for corner, values in zip(corners, block(*(M[corner].astype(np.float64) for corner in corners))):
        kept[corner] = values
    return kept


def residual(here, there):
    """What the best linear map from the rows of `here` to the rows of `there` leaves over (least squares)."""
    return there - here @ np.linalg.lstsq(here, there, rcond=None)[0]


def rms(array):
    return np.sqrt(np.mean(array**2))


def sines_alone(T, d, offset):
    """The root-mean-square error of the best linear map from the sines at p to the sines at p + offset, p = 0 .. T-1."""
    sines = table(T + offset, d)[:, 0::2]
    return rms(residual(sines[:T], sines[offset:]))


def errors(wrong, offset=3):
    """Shift each row by `offset`, and return its largest difference from the row that many positions later."""
    here, there = wrong[:-offset].astype(np.float64), wrong[offset:]
    return np.abs(here @ shift_matrix(offset, wrong.shape[1]).T - there).max(axis=1)


def which_mistakes_survive(tables):
    """1 for each table that the rotation test accepts and 0 for the others, in the order of the tables."""
    return np.array([errors(wrong).max() < ROUNDING for wrong in tables.values()], dtype=float)


def next_row(before, here):
    """Compute the next row by turning each pair again by the angle between rows `before` and `here`."""
    was, now = hands(before), hands(here)
    return row_of(now * now / was)


def hands(row):
    """Each pair as a complex number: cosine plus i times sine."""
    return row[1::2] + 1j * row[0::2]


def row_of(hands):
    return np.stack([hands.imag, hands.real], axis=-1).ravel()


EXTRA = {"shift": {probe.key: shift(*probe.inputs()) for probe in SHIFT.probes}}
