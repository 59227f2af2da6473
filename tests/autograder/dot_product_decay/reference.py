"""Reference answers for lab 04, dot-product decay."""

from functools import cache

import numpy as np

LONGEST = 5000  # the first crossing comes before this offset for every d up to 512
# For these d, the landmarks are the same even if every sum is off by 0.005, so rounding cannot move them.
# Larger ones take longer to sum and test nothing else: 128 and 512 are among the public calls.
CLEAR_SIZES = (6, 8, 12, 14, 16, 18, 20, 22, 24, 28, 30, 34, 36, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64)


def similarity(pe, anchor):
    """Dot products of all rows with row `anchor`, summed in float64."""
    table = exact(pe)
    return table @ table[anchor]


def exact(pe):
    """Replace each row of the locked table with its value in float64.

    The last bits of the locked table differ between machines. With exact rows, the stored values are the same everywhere.
    """
    table = np.array(pe, dtype=np.float64)
    if table.shape[1] % 2 == 0:
        angle = np.arange(len(table))[:, None] * frequencies(table.shape[1])
        twin = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(table.shape)
        near = np.abs(table[:, None] - twin).max(axis=-1) < 1e-3
        table[near.any(axis=1)] = twin[near.argmax(axis=1)[near.any(axis=1)]]
    return table


def frequencies(d):
    """omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1, in float64."""
    return 10000.0 ** (-2.0 * np.arange(d // 2) / d)


def closed_form(offsets, d):
    """The sum over k of cos(offset * omega_k)."""
    return summed(offsets, frequencies(d))


def summed(offsets, omega, wave=np.cos):
    return wave(np.multiply.outer(np.asarray(offsets, dtype=np.float64), omega)).sum(axis=-1)


def offset_only(pe, spread=np.ptp):
    """For each offset, starting at 0: the largest minus the smallest entry on that diagonal of the Gram matrix."""
    table = exact(pe)
    gram = table @ table.T
    return np.array([spread(np.diagonal(gram, offset)) for offset in range(len(table))]).round(12)


@cache
def landmarks(d):
    """The first local minimum of the closed form, and the first offset where it is not positive."""
    return landmarks_of(closed_form(np.arange(LONGEST), d))


def landmarks_of(total):
    """Both landmarks, given the sums at offsets 0, 1, 2, and so on. A missing landmark is 0."""
    return [int(np.argmax(np.diff(total) > 0)), int(np.argmax(total <= 0))]


def first_minimum(d):
    """The first local minimum, with None in place of the crossing, so that only the minimum is compared."""
    return [landmarks(d)[0], None]


def first_crossing(d):
    """The first crossing, with None in place of the minimum, so that only the crossing is compared."""
    return [None, landmarks(d)[1]]


def grid_similarity(dx, dy, d):
    """The dot product of two encoded image patches. A patch is encoded by d/2 dimensions for x, followed by d/2 for y."""
    return float(closed_form([dx, dy], d // 2).sum())
