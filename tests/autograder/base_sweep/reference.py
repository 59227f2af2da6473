"""Reference answers for lab 05, base sweep."""

from functools import cache

import numpy as np

from encoding_labs.base_sweep.exercises import CHECKED, DRAW_SWEEP, OFFSETS

TURN = 2 * np.pi


def wavelengths(d, base):
    """lambda_k = 2 pi * base**(2k/d), k = 0 .. d/2 - 1, in float64."""
    return TURN * float(base) ** (2.0 * np.arange(d // 2) / d)


def decode(row):
    """Find the position of a row, for positions below the longest wavelength."""
    return vernier(angles(row), wavelengths(row.size, 10_000))


def angles(row):
    """The angle by which each hand has turned, from 0 to 2 pi."""
    return np.arctan2(row[0::2], row[1::2]).astype(np.float64) % TURN


def vernier(turned, turns, whole=round):
    """Combine the hands: the slowest gives a rough position, and each faster one makes it more precise."""
    readings = turned / TURN * turns
    position = readings[-1]
    for reading, turn in zip(readings[-2::-1], turns[-2::-1]):
        position = reading + turn * whole((position - reading) / turn)
    return float(position)


def similarity(offsets, d, base):
    """S(offset) / (d/2): the mean over the pairs of cos(offset * omega_k)."""
    angles = np.asarray(offsets, dtype=np.float64)[:, None] * (TURN / wavelengths(d, base))
    return np.cos(angles).mean(axis=1)


def nearest_neighbour(T, d, base):
    """The smallest distance between two rows. It depends only on their offset: |PE(p) - PE(q)|^2 = d - 2 S(p - q)."""
    return np.sqrt(d * (1 - similarity(np.arange(1, T), d, base))).min()


def sweep(bases, T, d):
    """For each base: the longest wavelength, how many pairs complete a cycle within T, and the nearest-neighbour distance."""
    rows = []
    for base in bases:
        turns = wavelengths(d, base)
        rows.append((turns[-1], (turns <= T).sum(), nearest_neighbour(T, d, base)))
    return np.array(rows)


@cache
def column(number):
    """Compute one column of the sweep. The other columns are nan, so they are not compared."""

    def only(bases, T, d):
        return np.where(np.arange(3) == number, sweep(bases, T, d), np.nan)

    return only


def base_for_length(T, d):
    """The base whose longest wavelength is T: (T / 2 pi)**(d / (d-2))."""
    return (T / TURN) ** (d / (d - 2))


def which_base(row):
    """Compute the base from the slowest hand of row 1, whose angle is its frequency: base**-((d-2)/d)."""
    return float(angles(row)[-1]) ** (-row.size / (row.size - 2))


def draw_sweep(bases, d, offsets=OFFSETS):
    """The data that the figure must show: offsets in the first column, then each base's similarity."""
    return np.column_stack([offsets, *(similarity(offsets, d, base) for base in bases)])


def curves(bases, d, ax):
    offsets, *heights = draw_sweep(bases, d).T
    for base, height in zip(bases, heights):
        ax.plot(offsets, height, label=f"base {base:,}")
    ax.set(xscale="log", xlabel="offset (positions)", ylabel="similarity, S / (d/2)")
    ax.legend()


FIGURES = {"draw_sweep": curves}  # the expected figure, for look()

EXTRA = {"draw_sweep": {probe.key: draw_sweep(*probe.args, CHECKED) for probe in DRAW_SWEEP.probes}}
