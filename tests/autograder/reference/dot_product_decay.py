"""Lab 04, dot-product decay: the truth."""

import numpy as np

LONGEST = 5000  # every d up to 512 has its first crossing before this offset
# Sizes whose landmarks stay where they are when every sum is 0.005 off, so that rounding cannot move them.
CLEAR_SIZES = (
    8,
    16,
    24,
    40,
    48,
    56,
    64,
    72,
    80,
    96,
    104,
    112,
    120,
    136,
    152,
    160,
    192,
    200,
    208,
    224,
    256,
    320,
    384,
    496,
)


def similarity(pe, anchor):
    """Dot products of every row with row `anchor`, summed in float64.

    The locked table's last bits differ between machines. Its exact twin takes its place, so that what is stored is the same
    everywhere.
    """
    table = np.asarray(pe, dtype=np.float64)
    angle = np.arange(len(table))[:, None] * frequencies(table.shape[1])
    exact = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(table.shape)
    table = exact if np.allclose(table, exact, rtol=0, atol=1e-3) else table
    return table @ table[anchor]


def frequencies(d):
    """omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1, in float64."""
    return 10000.0 ** (-2.0 * np.arange(d // 2) / d)


def closed_form(offsets, d):
    """The sum over k of cos(offset * omega_k)."""
    return np.cos(np.multiply.outer(np.asarray(offsets, dtype=np.float64), frequencies(d))).sum(axis=-1)


def offset_only(T, d, dtype):
    """The smallest and the largest spread that rounding explains, in units of the dtype's rounding of d/2.

    Measured between (16, 8) and (1000, 128): 0.2 units, when the entries are rounded and the rest is exact, to 42, when
    float32 angles come first. The angle's error grows with the position, hence T. No spread at all means no measurement.
    """
    unit = float(np.finfo(dtype).eps) * d / 2
    return [unit / 16, unit * (8 + T / 4)]


def landmarks(d):
    """The first local minimum of the closed form, and the first offset where it is not positive."""
    total = closed_form(np.arange(LONGEST), d)
    return [int(np.argmax(np.diff(total) > 0)), int(np.argmax(total <= 0))]
