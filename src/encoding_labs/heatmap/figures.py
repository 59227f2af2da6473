"""Lab 02's figures. Some are drawn by the student's own function, passed as an argument."""

from __future__ import annotations

import re
from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.tables import Table
from labkit.notebook import show
from labkit.student.calls.axes import Drawing
from labkit.student.calls.snapshot import snapshot
from labkit.student.judging.words import filled
from labkit.student.notebook.language import spoken
from labkit.student.notebook.language import translated as _

SINE, COSINE = "C1", "C0"  # warm and cool


def heatmap(draw_heatmap: Callable) -> None:
    """Draw the table of 64 positions and 32 dimensions with the student's function."""
    figure, ax = plt.subplots(figsize=(7.5, 5.4))
    table = Table(64, 32).build()
    draw_heatmap(table, ax)
    ax.grid(False)  # the course's style draws a grid, which suits only curves
    drawing, title, told = Drawing.from_plain(snapshot(ax)), _("Your picture of the table"), []
    for image in drawing.images:
        values = drawing.seen(image)[0]
        if values.shape == table.shape and np.allclose(values, table):
            title = _("Fast pairs on the left, slow ones on the right")
            shown = _(
                "in the leftmost columns the colours of +1 and -1 alternate every few rows; to the right the bands get longer from "
                "pair to pair; from column 20 on the even columns stay close to the colour of 0, and the odd ones keep the colour of +1"
            )
        else:
            edges = (", ".join(f"{value:.2f}" for value in np.ravel(edge)[:4]) for edge in (values[:1], values[:, :1]))
            shown = _("the top row begins {row}, and the left column {column}", row=next(edges), column=next(edges))
        facts = {"rows": len(values), "columns": values.shape[1], "low": image.limits[0], "high": image.limits[1]}
        told.append(
            _(
                "{rows} rows by {columns} columns, in colours from {low:.3g} to {high:.3g}: {shown}",
                shown=shown,
                **facts,
            )
        )
    ax.set_title(title)
    alt = _(
        "The table for 64 positions and 32 dimensions, as your function draws it. Pictures on its Axes: {count}. {told}",
        count=len(told),
        told="".join(f"{each}. " for each in told),
    )
    show(figure, alt=alt.strip())


def grouped(label: str) -> str:
    """Add thousands separators to a label's numbers, as in the lab's other figures: 6283.2 becomes 6,283.2."""
    pattern = r"(?<![\d.,])(\d{4,})(?![\d,])"
    return re.sub(pattern, lambda number: filled("{n:,}", {"n": int(number[0])}, spoken()), label)


def columns(draw_columns: Callable) -> None:
    """Draw the sine and cosine of four pairs with the student's function, one panel per pair."""
    figure, axes = plt.subplots(4, 1, figsize=(7.2, 5.6), sharex=True, sharey=True)
    table, told, names = Table(64, 32).build(), [], [_("sine"), _("cosine")]
    for ax, sine in zip(axes, (0, 8, 16, 24)):
        draw_columns(table, (sine, sine + 1), ax)
        curves = [line for line in ax.lines if np.size(line.get_xdata()) == 64]
        heights = [np.asarray(line.get_ydata(), dtype=float) for line in curves]
        if not all(map(np.allclose, heights, table[:, sine:].T)):
            names = [_("first line"), _("second line")]
        lines = "; ".join(map(_course, heights)) or _("no line with 64 points")
        told.append(_("Columns {sine} and {cosine}", sine=sine, cosine=sine + 1) + f": {lines}.")
        for line, colour in zip(curves, (SINE, COSINE)):
            line.set_color(colour)
        legend = ax.get_legend()
        words = legend.get_texts() if legend else ()
        label = _(" and ").join(dict.fromkeys(grouped(text.get_text()) for text in words))
        ax.set(
            title=_("Columns {sine} and {cosine}", sine=sine, cosine=sine + 1) + (f": {label}" if label else ""),
            ylim=(-1.15, 1.15),
        )
        if legend:
            legend.remove()
        ax.label_outer()
    figure.legend(curves, names[: len(curves)], loc="outside upper right", ncols=2)
    alt = _(
        "Four panels, one below the other, each with the lines that your function draws for one pair, the first in orange, the second "
        "in blue. {told}",
        told=" ".join(told),
    )
    show(figure, alt=alt)


def _course(heights: np.ndarray) -> str:
    """Say where a line begins and ends, and how often it changes between rising and falling."""
    steps = np.diff(heights)
    turns = np.count_nonzero(np.diff(np.sign(steps[steps != 0])))
    return _(
        "from {first:.2f} to {last:.2f}, changes between rising and falling: {turns}",
        first=heights[0],
        last=heights[-1],
        turns=turns,
    )


def other_orientation() -> None:
    """Show positions 0 to 29 and the first 6 of 128 dimensions, with positions from left to right."""
    figure, ax = plt.subplots(figsize=(8.5, 3.1))
    part = Table(30, 128).build()[:, :6]
    mesh = ax.pcolormesh(np.arange(30), np.arange(6), part.T, shading="nearest", cmap="RdBu_r", vmin=-1, vmax=1)
    ax.set(xlabel=_("position"), ylabel=_("dimension"), xticks=range(0, 30, 5), yticks=range(6))
    ax.set_title(_("At d = 128, each pair takes 15 % longer to turn than the one before"))
    ax.grid(False)
    figure.colorbar(mesh, ax=ax, label=_("value"), ticks=(-1, 0, 1))
    show(
        figure,
        alt=_(
            "Heatmap with positions 0 to 29 along the x axis, which counts from left to right, and dimensions 0 to 5 along the "
            "y axis, which counts from bottom to top; blue is -1, white 0, red 1. Each row is a wave along the positions. "
            "Dimension 1 is reddest near positions 0, 6, 13, 19 and 25, dimension 3 near 0, 7, 15, 22 and 29, dimension 5 near "
            "0, 8, 17 and 25."
        ),
    )


def colours_used() -> None:
    """Show how many of 256 colours each column of the table for T = 64, d = 32 uses."""
    colour = np.minimum((Table(64, 32).build() + 1) / 2 * 256, 255).astype(int)
    used = np.array([len(np.unique(column)) for column in colour.T])
    figure, ax = plt.subplots(figsize=(7.5, 3.6))
    ax.axhline(64, color="black", lw=1)
    ax.text(15.4, 65, _("one for each row"), ha="right", va="bottom")
    for name, values, mark, tint in ((_("sine"), used[0::2], "o-", SINE), (_("cosine"), used[1::2], "s-", COSINE)):
        ax.plot(values, mark, color=tint, lw=1, label=name)
    ax.text(15.4, 20, _("the last pair: {used} and {used_2}", used=used[-2], used_2=used[-1]), ha="right")
    ax.set(xlabel=_("pair"), ylabel=_("colours used"), ylim=(-3, 74), xlim=(-0.5, 16), xticks=range(0, 16, 3))
    ax.set_title(_("How many of 256 colours each column uses"))
    ax.legend(loc="lower left", ncols=2)
    sines, cosines = (", ".join(map(str, values)) for values in (used[0::2], used[1::2]))
    show(
        figure,
        alt=_(
            "How many of 256 colours each column uses for its 64 rows, at d = 32, by pair. Sines: {sines}. "
            "Cosines: {cosines}.",
            sines=sines,
            cosines=cosines,
        ),
    )
