"""Reference answers for lab 02, heatmap."""

import numpy as np


def wavelengths(d):
    """lambda_k = 2 pi * 10000**(2k/d), k = 0 .. d/2 - 1, in positions."""
    return 2 * np.pi * 10000.0 ** (2.0 * np.arange(d // 2) / d)


def full_cycles(T, d):
    """Count the pairs with a wavelength of at most T positions."""
    return int((wavelengths(d) <= T).sum())


def draw_columns(pe, columns):
    """For each chosen column, the wavelength of its pair."""
    return wavelengths(pe.shape[1])[np.asarray(columns) // 2]


def read_a_figure(picture):
    """Read the table (positions, dimensions) from a picture with dimensions as rows, dimension 0 at the bottom."""
    return np.asarray(picture, dtype=np.float64)[::-1].T


def seen_wavelength(wavelength, step):
    """The wavelength that a pair seems to have if lines of pixels are `step` positions apart.

    From one line to the next, a hand seems to turn the shorter way round.
    """
    turns = step / wavelength
    return step / abs(turns - round(turns))


def heatmap(pe, ax):
    image = ax.imshow(pe, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    ax.set(xlabel="dimension", ylabel="position")
    ax.grid(False)
    ax.figure.colorbar(image, ax=ax, label="value")


def curves(pe, columns, ax):
    for column, wavelength in zip(columns, draw_columns(pe, columns)):
        ax.plot(pe[:, column], label=f"{wavelength:.2f} positions")
    ax.set(xlabel="position", ylabel="value")
    ax.legend(title="wavelength", frameon=True, framealpha=1)


FIGURES = {"draw_heatmap": heatmap, "draw_columns": curves}  # the expected figures, for look()
