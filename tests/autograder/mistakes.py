"""Wrong formulas that several labs share: wrong laws of the frequencies."""

import numpy as np


def omega_of(d, base=10000.0):
    """omega_k = base**(-2k/d), k = 0 .. d/2 - 1."""
    return base ** (-2.0 * np.arange(d // 2) / d)


# By the id of the mistake: d -> the frequencies that it gives.
WRONG_FREQUENCIES = {
    "exponent-k-over-d": lambda d: 10000.0 ** (-np.arange(d // 2) / d),
    "exponent-4k-over-d": lambda d: 10000.0 ** (-4.0 * np.arange(d // 2) / d),
    "exponent-d-minus-2": lambda d: np.geomspace(1, 1e-4, d // 2),
    "k-from-one": lambda d: 10000.0 ** (-2.0 * np.arange(1, d // 2 + 1) / d),
    "missing-minus": lambda d: 1 / omega_of(d),
    "cycles": lambda d: 2 * np.pi * omega_of(d),
    "degrees": lambda d: np.deg2rad(omega_of(d)),
}
