"""Lab 02, heatmap: the truth."""

import numpy as np

from encoding_labs.heatmap.exercises import DRAW_COLUMNS


def wavelengths(d):
    """lambda_k = 2 pi * 10000**(2k/d), k = 0 .. d/2 - 1, in positions."""
    return 2 * np.pi * 10000.0 ** (2.0 * np.arange(d // 2) / d)


def full_cycles(T, d):
    """How many pairs have a wavelength of at most T positions."""
    return int((wavelengths(d) <= T).sum())


def draw_columns(pe, columns):
    """The wavelength of each chosen column: that of its pair."""
    return wavelengths(pe.shape[1])[np.asarray(columns) // 2]


def read_a_figure(picture):
    """The table (positions, dimensions) in a picture whose rows are dimensions, dimension 0 at the bottom."""
    return np.asarray(picture, dtype=np.float64)[::-1].T


EXTRA = {"draw_columns": {probe.key: draw_columns(*probe.inputs()) for probe in DRAW_COLUMNS.probes}}
