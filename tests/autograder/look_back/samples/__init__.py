"""Helpers for the sample answers to lab 08, a head that learns to look back."""

import numpy as np

from autograder.samples import omega_of


def turned(x, angle, back=False):
    """Turn each pair of each row by its angle, in the direction of increasing positions (or back)."""
    phase = np.exp(-1j * angle if back else 1j * angle)
    clocks = (x[:, 1::2] + 1j * x[:, 0::2]) * phase
    return np.stack([clocks.imag, clocks.real], axis=-1).reshape(x.shape)


def shift(offset, d):
    """The matrix R with PE(p + offset) = R @ PE(p)."""
    matrix = np.zeros((d, d))
    for k, w in enumerate(omega_of(d)):
        s, c = np.sin(offset * w), np.cos(offset * w)
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[c, s], [-s, c]]
    return matrix
