"""Lab 05, base sweep: the truth."""

import numpy as np

from encoding_labs.base_sweep.exercises import DRAW_SWEEP, OFFSETS


def wavelengths(d, base):
    """lambda_k = 2 pi * base**(2k/d), k = 0 .. d/2 - 1, in float64."""
    return 2 * np.pi * float(base) ** (2.0 * np.arange(d // 2) / d)


def longest_wavelength(d, base):
    """The last pair's: 2 pi * base**((d-2)/d)."""
    return wavelengths(d, base)[-1]


def similarity(offsets, d, base):
    """S(offset) / (d/2): the mean over the pairs of cos(offset * omega_k)."""
    angles = np.asarray(offsets, dtype=np.float64)[:, None] * (2 * np.pi / wavelengths(d, base))
    return np.cos(angles).mean(axis=1)


def nearest_neighbour(T, d, base):
    """The smallest distance of two rows. It depends on their offset alone: |PE(p) - PE(q)|^2 = d - 2 S(p - q)."""
    return np.sqrt(d * (1 - similarity(np.arange(1, T), d, base))).min()


def sweep(bases, T, d):
    """Per base: the longest wavelength, the pairs that complete a cycle within T, the nearest-neighbour distance."""
    return np.array(
        [
            (longest_wavelength(d, base), (wavelengths(d, base) <= T).sum(), nearest_neighbour(T, d, base))
            for base in bases
        ]
    )


def base_for_length(T, d):
    """The base whose longest wavelength is T: (T / 2 pi)**(d / (d-2))."""
    return (T / (2 * np.pi)) ** (d / (d - 2))


def draw_sweep(bases, d):
    """What the figure has to show: the offsets, then each base's similarity, as columns."""
    return np.column_stack([OFFSETS, *(similarity(OFFSETS, d, base) for base in bases)])


EXTRA = {"draw_sweep": {probe.key: draw_sweep(*probe.args) for probe in DRAW_SWEEP.probes}}
