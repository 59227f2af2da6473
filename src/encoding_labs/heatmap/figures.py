"""The figures of lab 02. Those of the student's drawing take the student's function."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.tables import Table
from labkit.notebook import show


def heatmap(draw_heatmap: Callable) -> None:
    """The table of 64 positions and 32 dimensions, as the student draws it."""
    figure, ax = plt.subplots(figsize=(7, 5.2))
    draw_heatmap(Table(64, 32).build(), ax)
    ax.grid(False)  # the course's style draws a grid, which suits curves
    ax.set_title("Fast pairs stand on the left, nearly still ones on the right")
    show(
        figure,
        alt="Your heatmap of the table for 64 positions and 32 dimensions. In the leftmost columns the colours of +1 and -1 "
        "alternate every few rows. To the right the bands get longer, from pair to pair. From column 20 on the even "
        "columns stay close to the colour of 0, and the odd ones keep the colour of +1.",
    )


def columns(draw_columns: Callable) -> None:
    """Four sines of that table, as the student draws them."""
    figure, ax = plt.subplots()
    draw_columns(Table(64, 32).build(), (0, 8, 16, 24), ax)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), title="wavelength")
    ax.set_title("Within 64 positions the slow sines are almost straight lines")
    show(
        figure,
        alt="Sine columns 0, 8, 16 and 24 of the table against positions 0 to 63. Column 0 swings up and down ten times. "
        "Column 8 makes one full wave. Column 16 rises to 0.59 in a slight curve. Column 24 rises to 0.06, almost straight.",
    )


def smoothed(draw_heatmap: Callable) -> None:
    """The student's heatmap of 4,000 positions, sharp and smoothed."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    for ax, title in zip(axes, ("Sharp: rows are left out", "Smoothed: fast columns fade")):
        draw_heatmap(Table(4000, 32).build(), ax)
        ax.set_title(title)
        ax.grid(False)
    for image in axes[1].images:
        image.set(interpolation="hanning", interpolation_stage="data")
    show(
        figure,
        alt="Two heatmaps of the table for 4,000 positions and 32 dimensions. Left, sharp: the fast columns on the left are "
        "full of strong colours in fine stripes, about 43 positions apart in the first two columns and 21 in the next two. "
        "Right, smoothed: the first two columns have the colour of 0 from top to "
        "bottom, as if they held zeros, and the next ones are pale; the slow columns on the right keep their colours, with "
        "blurred edges.",
    )


def other_orientation() -> None:
    """Positions 0 to 29 and the first 6 of 128 dimensions, with positions from left to right."""
    figure, ax = plt.subplots(figsize=(8, 2.9))
    part = Table(30, 128).build()[:, :6]
    mesh = ax.pcolormesh(np.arange(30), np.arange(6), part.T, shading="nearest", cmap="RdBu_r", vmin=-1, vmax=1)
    ax.set(xlabel="position", ylabel="dimension", xticks=range(0, 30, 5), yticks=range(6))
    ax.set_title("Of 128 dimensions, each pair takes 15 % longer for a turn")
    ax.grid(False)
    figure.colorbar(mesh, ax=ax, label="value")
    show(
        figure,
        alt="Heatmap with positions 0 to 29 along the x axis, which counts from left to right, and dimensions 0 to 5 along the "
        "y axis, which counts from bottom to top; blue is -1, white 0, red 1. Each row is a wave along the positions. "
        "Dimension 1 is reddest near positions 0, 6, 13, 19 and 25, dimension 3 near 0, 7, 15, 22 and 29, dimension 5 near "
        "0, 8, 17 and 25.",
    )


def colours_used() -> None:
    """Print how many of 256 colours each column of the table for T = 64, d = 32 uses."""
    colour = np.minimum((Table(64, 32).build() + 1) / 2 * 256, 255).astype(int)
    print("sines  ", [len(np.unique(column)) for column in colour[:, 0::2].T])
    print("cosines", [len(np.unique(column)) for column in colour[:, 1::2].T])
