"""Reference answers for lab 01, build the table."""

import numpy as np

from autograder.wrong_tables import WRONG_TABLES, omega_of, woven
from encoding_labs.build_the_table.exercises import NAME_THE_MISTAKE
from labkit.student.judging.short_answers import stored


def frequencies(d):
    """omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1, in float64."""
    return 10000.0 ** (-2.0 * np.arange(d // 2) / d)


def sinusoidal_pe(T, d):
    """The interleaved table with angles in float64, which is accurate to 6e-17 * p."""
    return interleave(np.arange(T, dtype=np.float64)[:, None] * frequencies(d))


def interleave(angles):
    """Put the sines in the even columns and the cosines in the odd ones."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(angles.shape[0], 2 * angles.shape[1])


def by_hand(numbers):
    """Digests of the four numbers in `by_hand`."""
    return stored("by_hand", {str(i): x for i, x in enumerate(numbers)}, decimals=4)


BY_HAND = by_hand(sinusoidal_pe(4, 4)[3])


def sinusoidal_pos(seed, T, d_model):
    """The table row by row, shape (T * d_model,). The seed has no effect."""
    return sinusoidal_pe(T, d_model).ravel()


def wrong_table(mistake, T, d, sines_left=False):
    """The table of shape (T, d) that a program with this mistake returns."""
    return WRONG_TABLES[mistake][mistake == "columns-unwritten" and sines_left](T, d)


GALLERY = {"A": "frequencies-reversed", "B": "halves-layout", "C": "degrees", "D": "columns-unwritten"}


def named(mistakes):
    """Digests of the right names by letter, for tables with these mistakes."""
    return stored("name_the_mistake", mistakes)


def shuffled(T, d, base, columns):
    """The float32 table of shape (T, d) for a base, with its columns in the given order."""
    return woven(np.arange(T)[:, None] * omega_of(d, base))[:, columns].astype(np.float32)


def unshuffle(table):
    """Put the columns in the right order. Row 0 distinguishes sines from cosines, and row 1 gives each column's speed."""
    sines, cosines = (np.flatnonzero(table[0].round() == value) for value in (0, 1))
    sines, cosines = sines[np.argsort(-table[1, sines])], cosines[np.argsort(table[1, cosines])]
    return table[:, np.stack([sines, cosines], axis=-1).ravel()]


EXTRA = {
    "gallery": {letter: np.float32(wrong_table(mistake, 24, 16)) for letter, mistake in GALLERY.items()},
    "name_the_mistake": {probe.key: named(GALLERY) for probe in NAME_THE_MISTAKE.probes},
}
