"""The figures of lab 01. Each takes the student's own function, draws what it gives, and shows it with its words."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from encoding_labs.build_the_table.gallery import gallery
from labkit.notebook import show

SHOWN, PAIRS = 16, 4  # positions and pairs of the clockwork
SIGNED = {"cmap": "RdBu_r", "vmin": -1, "vmax": 1, "aspect": "auto", "interpolation": "nearest"}


def speeds(frequencies: Callable) -> None:
    """The frequencies of three widths on a logarithmic axis."""
    figure, ax = plt.subplots()
    for d, shade in ((8, 0.0), (16, 0.28), (32, 0.52)):  # dark to light: the wider, the lighter
        ax.plot(np.arange(d // 2), frequencies(d), "o-", color=plt.get_cmap("viridis")(shade), label=f"d = {d}")
    ax.set_yscale("log")
    ax.set(xlabel="pair k", ylabel="frequency (radians per position)", title="Each pair is slower by the same factor")
    ax.legend()
    show(
        figure,
        alt="Your frequencies against the pair index, on a logarithmic axis, a line each for d = 8, 16 and 32. The right "
        "ones lie on three straight falling lines that all start at 1; the larger d is, the gentler the slope. The last "
        "points are at 0.001 for d = 8, 0.00032 for d = 16 and 0.00018 for d = 32.",
    )


def rows(sinusoidal_pe: Callable) -> None:
    """Print the first three rows at d = 8."""
    with np.printoptions(precision=2, suppress=True, floatmode="fixed"):
        print(np.round(sinusoidal_pe(3, 8), 2) + 0.0)  # adding 0 makes -0 a plain 0


def clockwork(sinusoidal_pe: Callable, p: int) -> None:
    """Four clocks at position p, the row of the table that they show, and p as a binary counter shows it."""
    table = sinusoidal_pe(SHOWN, 2 * PAIRS)
    figure = plt.figure(figsize=(9.5, 5.4))
    parts = figure.subfigures(2, 1, height_ratios=(1, 1.25))
    for k, ax in enumerate(parts[0].subplots(1, PAIRS)):
        _clock(ax, table[: p + 1, 2 * k], table[: p + 1, 2 * k + 1], f"pair {k}")
    left, right = parts[1].subplots(1, 2, width_ratios=(2, 1))
    image = left.imshow(table, **SIGNED)
    left.set(xlabel="dimension", ylabel="position", title=f"Row {p} of the table")
    parts[1].colorbar(image, ax=left, label="value")
    digits = np.arange(SHOWN)[:, None] // 2 ** np.arange(PAIRS)[::-1] % 2
    right.imshow(digits, cmap="Greys", vmin=0, vmax=1.6, aspect="auto")
    right.set(xlabel="digit", title=f"{p} in binary: {p:0{PAIRS}b}", xticks=range(PAIRS))
    right.set_xticklabels([f"{2**k}" for k in reversed(range(PAIRS))])
    for ax, width in ((left, 2 * PAIRS), (right, PAIRS)):
        ax.grid(False)
        ax.add_patch(Rectangle((-0.5, p - 0.5), width, 1, fill=False, edgecolor="black", linewidth=3, clip_on=False))
    hands = "; ".join(f"pair {k}: sine {table[p, 2 * k]:.2f}, cosine {table[p, 2 * k + 1]:.2f}" for k in range(PAIRS))
    show(
        figure,
        alt=f"Position {p}. Above: four clocks, one for each pair at d = 8, x the sine and y the cosine, with the tips of "
        f"the hand at positions 0 to {p}. {hands}. Below: the table for {SHOWN} positions as a heatmap, and the binary "
        f"digits of 0 to {SHOWN - 1} beside it, both with row {p} framed; its digits are {p:0{PAIRS}b}.",
    )


def _clock(ax, sines: np.ndarray, cosines: np.ndarray, title: str) -> None:
    """A clock whose hand starts at 12 and turns clockwise: x is the sine, y the cosine."""
    turn = np.linspace(0, 2 * np.pi, 100)
    ax.plot(np.sin(turn), np.cos(turn), color="0.55", lw=1.5)
    ax.plot(sines, cosines, "o", color="C0", ms=5)
    ax.plot([0, sines[-1]], [0, cosines[-1]], color="C1", lw=3)
    ax.set(aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), xticks=(-1, 0, 1), yticks=(-1, 0, 1), title=title)
    ax.set(xlabel="sine", ylabel="cosine" if title == "pair 0" else "")


def play(sinusoidal_pe: Callable) -> None:
    """The clockwork with a control that lets the position run."""
    from ipywidgets import HBox, IntSlider, Play, interactive_output, jslink

    sinusoidal_pe(SHOWN, 2 * PAIRS)  # not written yet? then this ends the cell, and no control appears
    player = Play(min=0, max=SHOWN - 1, interval=900)
    slider = IntSlider(min=0, max=SHOWN - 1, description="position")
    jslink((player, "value"), (slider, "value"))
    _display(HBox([player, slider]), interactive_output(lambda p: clockwork(sinusoidal_pe, p), {"p": slider}))


def _display(*widgets: object) -> None:
    from IPython.display import display

    display(*widgets)


def wrong_tables() -> None:
    """The four wrong tables of the gallery."""
    figure, axes = plt.subplots(1, 4, figsize=(10, 4.2), sharey=True)
    for ax, (letter, wrong) in zip(axes, gallery().items()):
        image = ax.imshow(wrong, **SIGNED)
        ax.set(title=f"Table {letter}", xlabel="dimension")
        ax.grid(False)
    axes[0].set_ylabel("position")
    figure.colorbar(image, ax=axes, label="value")
    show(
        figure,
        alt="Four heatmaps, A to D, of wrong tables: 24 positions as rows, 16 dimensions as columns; blue is -1, white 0, "
        'red 1. The numbers themselves are in gallery()["A"] to gallery()["D"]; rows 0 and 1 tell all eight mistakes apart.',
    )
