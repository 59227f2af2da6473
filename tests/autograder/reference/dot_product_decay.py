"""Lab 04, dot-product decay: the truth."""

import numpy as np

LONGEST = 5000  # every d up to 512 has its first crossing before this offset
# Sizes whose landmarks stay where they are when every sum is 0.005 off, so that rounding cannot move them.
CLEAR_SIZES = (8, 16, 24, 40, 48, 56, 64, 72, 80, 96, 104, 112, 120, 136, 152, 160, 192, 200, 208, 224, 240, 256, 320, 384, 392, 496)


def similarity(pe, anchor):
    """Dot products of every row with row `anchor`, summed in float64."""
    table = np.asarray(pe, dtype=np.float64)
    return table @ table[anchor]


def closed_form(offsets, d):
    """sum over k of cos(offset * omega_k), with omega_k = 10000**(-2k/d)."""
    return np.cos(np.multiply.outer(np.asarray(offsets, dtype=np.float64), 10000.0 ** (-2.0 * np.arange(d // 2) / d))).sum(axis=-1)


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
