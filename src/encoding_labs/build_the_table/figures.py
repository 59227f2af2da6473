"""Lab 01's figures, which show the student's own functions or the gallery's wrong tables."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyBboxPatch

from encoding_labs.build_the_table.gallery import gallery
from labkit.notebook import show
from labkit.student.notebook.language import translated as _

SIGNED = {"cmap": "RdBu_r", "vmin": -1, "vmax": 1, "aspect": "auto", "interpolation": "nearest"}
LARGE = 15  # font size of titles, in points
SINE, COSINE = "#c2410c", "#0072b2"  # warm and cool, as on the clocks


def speeds(frequencies: Callable) -> None:
    """Plot the frequencies for three values of d on a logarithmic axis, each line labelled with d and its lowest frequency."""
    figure, ax = plt.subplots(figsize=(8, 4.6))
    lines = {d: np.asarray(frequencies(d)) for d in (8, 16, 32)}
    for (d, omega), shade in zip(lines.items(), (0.0, 0.28, 0.52)):  # larger widths are lighter
        color = plt.get_cmap("viridis")(shade)
        ax.plot(np.arange(d // 2), omega, "o-", color=color, label=f"d = {d}")
        ax.annotate(
            f"d = {d}\n{omega[-1]:.2g}", (d // 2 - 1, omega[-1]), (12, 0), textcoords="offset points", va="center"
        )
    if all(np.isclose(omega[0], 1) for omega in lines.values()):
        ax.annotate(_("the first pair: always 1"), (0, 1), (14, 12), textcoords="offset points", va="center")
    title = _("How fast each pair turns")
    if all(omega[0] > omega[-1] and np.allclose(omega[1:-1] ** 2, omega[:-2] * omega[2:]) for omega in lines.values()):
        title = _("Each pair is slower than the one before by the same factor")
    ax.set_yscale("log")
    ax.set(
        xlabel=_("pair k"), ylabel=_("radians per position"), xlim=(-0.6, 17.6), ylim=(8e-5, 3), xticks=range(0, 16, 3)
    )
    ax.set_title(title, size=LARGE)
    told = [
        _("at d = {d} from {first:.2g} to {last:.2g}", d=d, first=omega[0], last=omega[-1])
        for d, omega in lines.items()
    ]
    alt = _(
        "{title}. Your frequencies against the pair index, on a logarithmic axis, one line each for d = 8, 16 and 32. From the first "
        "pair to the last they go {told}.",
        title=title,
        told=", ".join(told),
    )
    show(figure, alt=alt)


def transformer() -> None:
    """Draw where the table is added in a transformer."""
    figure, ax = plt.subplots(figsize=(10, 2.2))
    ax.set(xlim=(0, 19.9), ylim=(0.2, 4.2), aspect="equal")
    ax.set_axis_off()
    words, places = np.random.default_rng(5).uniform(-1, 1, (3, 4)), np.arange(3)
    rows = np.array([[f(p / 10**k) for k in range(2) for f in (np.sin, np.cos)] for p in places])
    for left, cells, name in (
        (1.9, words, _("vectors of the words")),
        (6.3, rows, _("rows of positions 0, 1, 2:\nyour table")),
    ):
        ax.imshow(cells, cmap="RdBu_r", vmin=-1, vmax=1, extent=(left, left + 3, 1.7, 4))
        ax.text(left + 1.5, 1.4, name, ha="center", va="top", weight="bold" if left > 5 else "normal")
    for place, word in enumerate((_("dog"), _("bites"), _("man"))):
        ax.text(1.6, 3.62 - 0.77 * place, word, ha="right", va="center")
    ax.text(5.6, 2.85, "+", ha="center", va="center", size=24)
    for left, wide, name in ((10.6, 3, _("attention")), (14.1, 3.4, _("layer for each\nword alone"))):
        ax.add_patch(FancyBboxPatch((left, 1.9), wide, 1.9, boxstyle="round,pad=0.1", fc="white", ec="black"))
        ax.text(left + wide / 2, 2.85, name, ha="center", va="center")
    for start, end in ((9.4, 10.4), (13.7, 14), (17.6, 19.6)):
        ax.annotate("", (end, 2.85), (start, 2.85), arrowprops={"arrowstyle": "->"})
    ax.text(14, 1.4, _("several times"), ha="center", va="top")
    ax.text(18.9, 2.6, _("next\nword"), ha="center", va="top")
    alt = _(
        "From left to right: the words dog, bites and man, each with its vector, a row of four coloured cells; a plus sign; your "
        "table's rows for positions 0, 1 and 2, of the same size; an arrow to a box “attention”, then one to a box “layer for each "
        "word alone”, which together come several times; and an arrow to the next word."
    )
    show(figure, alt=alt)


def rows_0_and_1(sinusoidal_pe: Callable) -> None:
    """Print the first and last numbers of rows 0 and 1, for the student's table and each wrong one."""
    tables = {_("yours"): sinusoidal_pe(24, 16), **gallery()}
    print(f"{'':7}{_('columns 0 to 3'):30}{_('columns 14, 15')}")
    for p in (0, 1):
        print(_("row {p}", p=p))
        for name, table in tables.items():
            print(f"  {name:5}{_numbers(table[p, :4])}   …  {_numbers(table[p, -2:])}")


def _numbers(row: np.ndarray) -> str:
    return " ".join(f"{number:5.2f}" for number in np.round(row, 2) + 0.0)  # adding 0 makes -0 a plain 0


def points(sinusoidal_pe: Callable) -> None:
    """Plot two columns of the same clock against each other, then two columns of different clocks."""
    table = sinusoidal_pe(64, 8)
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.9))
    for ax, column, title in zip(axes, (1, 3), (_("Columns 0 and 1: one clock"), _("Columns 0 and 3: two clocks"))):
        draw_points(ax, table[:, 0], table[:, column])
        ax.set_xlabel(_("column 0, a sine"), color=SINE)
        ax.set_ylabel(_("column {column}, a cosine", column=column), color=COSINE)
        ax.set_title(title, size=LARGE)
    one, two = (np.hypot(table[:, 0], table[:, column]) for column in (1, 3))
    alt = _(
        "64 positions of your table as points, and a circle of radius 1. Left, column 0 against column 1, at distances from the centre "
        "between {nearest:.2f} and {farthest:.2f}. Right, column 0 against column 3, at distances between {least:.2f} and {most:.2f}.",
        nearest=one.min(),
        farthest=one.max(),
        least=two.min(),
        most=two.max(),
    )
    show(figure, alt=alt)


def draw_points(ax, right: np.ndarray, up: np.ndarray) -> None:
    """Draw one point per position, and the circle on which a hand's tip moves."""
    turn = np.linspace(0, 2 * np.pi, 100)
    ax.plot(np.sin(turn), np.cos(turn), color="0.55", lw=1)
    ax.plot(right, up, "o", color="C2", ms=5)
    ax.set(aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), xticks=(-1, 0, 1), yticks=(-1, 0, 1))


def wrong_tables() -> None:
    """Draw the four wrong tables of the gallery."""
    figure, axes = plt.subplots(1, 4, figsize=(8.6, 5.2), sharey=True)
    for ax, (letter, wrong) in zip(axes, gallery().items()):
        image = ax.imshow(wrong, **SIGNED)
        ax.set(xlabel=_("dimension"), xticks=(0, 4, 8, 12))
        ax.set_title(_("Table {letter}", letter=letter), size=LARGE)
        ax.grid(False)
    axes[0].set(ylabel=_("position"), yticks=(0, 5, 10, 15, 20, 23))
    figure.colorbar(image, ax=axes, label=_("value"), location="bottom", shrink=0.5, aspect=30, ticks=(-1, 0, 1))
    show(
        figure,
        alt=_(
            "Four heatmaps, A to D, of wrong tables: 24 positions as rows, 16 dimensions as columns; blue is -1, white 0, "
            'red 1. The numbers themselves are in gallery()["A"] to gallery()["D"]; rows 0 and 1 tell all eight mistakes apart.'
        ),
    )
