"""Wrong frequencies and rounded angles, as in programs that others have published."""

import numpy as np

from autograder.wrong_tables import bfloat16, omega_of, woven

# Wrong frequencies from real programs, by the id of the mistake.
SHIPPED = {
    "operator-precedence/floor-division": [lambda d: np.exp(np.arange(0, d, 2) * (-np.log(10000) / d // 2))],
    "operator-precedence/power-tower": [lambda d: 10.0 ** -(4.0 ** (2 * np.arange(d // 2) / d))],
    "integer-division/whole-factor": [lambda d: np.exp(np.arange(0, d, 2) * int(-np.log(10000) / d))],
    "base-and-exponent-swapped": [
        lambda d: (2 * np.arange(d // 2) / d) ** (1 / 10000),
        lambda d: (np.arange(d // 2) / d) ** (1 / 10000),
        lambda d: (np.arange(d // 2) / (d // 2 - 1 or 1)) ** (1 / 10000),
    ],
}


# Angles from positions and frequencies, with some of them rounded to bfloat16.
COARSE_ANGLES = (
    lambda p, omega: bfloat16(p * omega),
    lambda p, omega: bfloat16(bfloat16(p) * bfloat16(omega)),
    lambda p, omega: bfloat16(p * bfloat16(omega)),
    lambda p, omega: p * bfloat16(omega),
    lambda p, omega: bfloat16(p) * omega,
    lambda p, omega: bfloat16(p) * bfloat16(omega),
)


def coarsely(angles, waves=np.asarray):
    """Make a table from rounded angles. `waves` also rounds the sines and cosines."""
    return lambda T, d: waves(woven(angles(np.arange(T)[:, None], omega_of(d))))


BFLOAT16 = [coarsely(angles, waves) for angles in COARSE_ANGLES for waves in (np.asarray, bfloat16)]
