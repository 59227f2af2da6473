"""Lab 01, build the table: the truth."""

import numpy as np

from labkit.judging.short_answers import stored


def frequencies(d):
    """omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1, in float64."""
    return 10000.0 ** (-2.0 * np.arange(d // 2) / d)


def sinusoidal_pe(T, d):
    """The interleaved table with angles in float64, whose error against exact arithmetic is at most 6e-17 * p."""
    return interleave(np.arange(T, dtype=np.float64)[:, None] * frequencies(d))


def interleave(angles):
    """sin in the even columns, cos in the odd ones."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(angles.shape[0], 2 * angles.shape[1])


BY_HAND = stored("by_hand", {str(i): x for i, x in enumerate(sinusoidal_pe(4, 4)[3])}, decimals=4)


def gallery(T=24, d=16):
    """Four wrong tables by letter, and the mistake in each."""
    position, omega = np.arange(T, dtype=np.float64)[:, None], frequencies(d)
    half = sinusoidal_pe(T, d)
    half[:, 1::2] = 0.0
    return {
        "A": ("frequencies-reversed", interleave(position * omega[::-1])),
        "B": ("halves-layout", np.concatenate([np.sin(position * omega), np.cos(position * omega)], axis=1)),
        "C": ("degrees", interleave(np.deg2rad(position * omega))),
        "D": ("columns-unwritten", half),
    }


NAME_THE_MISTAKE = stored("name_the_mistake", {letter: id for letter, (id, _) in gallery().items()})
EXTRA = {"gallery": {letter: table for letter, (_, table) in gallery().items()}}
