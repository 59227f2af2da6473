"""Figures of lab 07: errors against position, and times against size. Times are measured when a figure is drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter

from encoding_labs.precision_and_cost.measure import SIZES, by_doubling, fill, in_blocks, timings
from labkit.notebook import show
from labkit.student.notebook.language import deferred
from labkit.student.notebook.language import translated as _
from minimodel.positional.sinusoidal import sinusoidal_pe

CAST = 3e-8  # the largest error of an entry rounded to float32
FILL, LOCKED, YOURS = deferred("fill the memory"), deferred("the locked formula"), deferred("your doubling")
STYLES = {
    FILL: {"color": "0.4", "marker": "s", "ls": ":"},
    LOCKED: {"color": "C1", "marker": "^", "ls": "--"},
    YOURS: {"color": "C0", "marker": "o"},
}
LARGE, SMALL = 15, 13  # font sizes in points, of a figure's title and of its other text
POSITION, ERROR = deferred("position p"), deferred("largest error in the row")


def finish(ax, title: str, **what) -> None:
    """Set a large font, and a title that states the finding."""
    ax.set(**what)
    ax.set_title(title, fontsize=LARGE, loc="left", pad=10)
    ax.xaxis.label.set_size(SMALL)
    ax.yaxis.label.set_size(SMALL)
    ax.tick_params(labelsize=SMALL - 1)


def errors(float32_error: Callable) -> None:
    """Plot the error of the float32 formula from position 1 to 10**8, for three d."""
    positions = np.unique(np.geomspace(1, 1e8, 100).round().astype(np.int64))
    figure, ax = plt.subplots(figsize=(8, 5))
    told, grows = [], True
    for d, mark, colour in ((512, "^", "C1"), (128, "s", "C2"), (32, "o", "C0")):
        off = np.asarray(float32_error(positions, d))
        ax.plot(positions, off, mark, ms=4.5, color=colour, label=f"d = {d}")
        parts = [off[(positions >= low) & (positions < 100 * low)].max() for low in (1, 1e2, 1e4, 1e6)]
        grows &= all(later > earlier for earlier, later in pairwise(parts))
        told.append(f"d = {d}: " + ", ".join(f"{power_above(part):.0e}" for part in parts))
    ax.axhline(CAST, color="0.4", ls=":")
    ax.text(
        3e5, CAST * 1.25, _("float64 angles, entries rounded"), color="0.3", fontsize=SMALL, ha="center", va="bottom"
    )
    ax.axvline(2**24, color="0.4", lw=1)
    ax.text(2**24, 4e-7, "2²⁴ ", ha="right", va="bottom", color="0.3", fontsize=SMALL)
    ax.legend(loc="upper left", fontsize=SMALL, markerscale=1.5)
    title = _("The error grows with the position") if grows else _("The error at each position")
    finish(ax, title, xscale="log", yscale="log", xlabel=_(POSITION), ylabel=_(ERROR))
    alt = _(
        "Largest error against the position from 1 to 100 million, both axes logarithmic, as your function gives it for d = 512, 128 and "
        "32. At positions from 1, 100, 10 thousand and 1 million on, up to the next of these, the errors are at most: {told}. A dotted "
        "horizontal line near 3e-8 marks float64 angles whose entries are rounded.",
        told="; ".join(told),
    )
    show(figure, alt=alt)


def power_above(error: float) -> float:
    """The next power of ten: the digits of an error differ between machines."""
    return 10.0 ** np.ceil(np.log10(error)) if error > 0 else 0


def gap(float32_error: Callable) -> None:
    """Plot the error at d = 2 around 2**24, where float32 starts to skip whole numbers."""
    near = 2**24 + np.arange(-8, 17)
    figure, ax = plt.subplots(figsize=(8, 3.4))
    off = np.asarray(float32_error(near, 2))
    ax.bar(near - 2**24, off)
    ax.axvline(0, color="0.4", lw=1)
    before, odd, even = off[near <= 2**24], off[(near > 2**24) & (near % 2 == 1)], off[(near > 2**24) & (near % 2 == 0)]
    title = _("The error around 2²⁴")
    if max(before.max(), even.max()) < 0.001 < odd.min():
        title = _("From 2²⁴ on, every other position is lost")
    finish(ax, title, xlabel=_("position − 16,777,216"), ylabel=_(ERROR))
    alt = _(
        "Bars of the error at the positions around 2 to the 24, at d = 2. Up to 16,777,216 they are at most {before:.2f} high, beyond it "
        "between {least:.2f} and {most:.2f} at odd positions, and at most {even:.2f} at even ones.",
        before=before.max(),
        least=odd.min(),
        most=odd.max(),
        even=even.max(),
    )
    show(figure, alt=alt)


def blocks() -> None:
    """Show how doubling makes sixteen rows."""
    figure, ax = plt.subplots(figsize=(8, 3.2))
    ax.broken_barh([(-0.5, 1)], (-0.35, 0.7), color="C0")
    for step, n in enumerate((1, 2, 4, 8), 1):
        ax.broken_barh([(-0.5, n)], (step - 0.35, 0.7), color="0.8")
        ax.broken_barh([(n - 0.5, n)], (step - 0.35, 0.7), color="C0")
        ax.text(2 * n - 0.3, step, _("turned by {n}", n=n), va="center", fontsize=SMALL)
    ax.set(xlim=(-0.5, 19), ylim=(4.6, -0.6), xticks=range(16), yticks=range(5))
    ax.grid(False)
    finish(ax, _("Each step turns all the rows there are"), xlabel=_("row"), ylabel=_("step"))
    show(
        figure,
        alt=_(
            "Sixteen rows: row 0 is the start, and four steps make the other fifteen. Step 1 turns row 0 by 1 position and makes "
            "row 1. Step 2 turns rows 0 and 1 by 2 and makes rows 2 and 3. Step 3 turns rows 0 to 3 by 4 and makes rows 4 to 7. Step 4 "
            "turns rows 0 to 7 by 8 and makes rows 8 to 15."
        ),
    )


def exactness(double: Callable) -> None:
    """Plot the largest error of each row, for the locked and the doubled table, at T = 16,384 and d = 32."""
    T, d = 16_384, 32
    turned = np.exp(-1j * np.arange(T)[:, None] * 10_000.0 ** (-2 * np.arange(d // 2) / d))
    shown = np.unique(np.geomspace(1, T - 1, 1_000).round().astype(int))
    figure, ax = plt.subplots(figsize=(8, 5))
    for name, build in ((LOCKED, sinusoidal_pe), (YOURS, by_doubling(double))):
        table = np.asarray(build(T, d), dtype=np.float64)
        off = np.maximum(np.abs(table[:, 0::2] + turned.imag), np.abs(table[:, 1::2] - turned.real)).max(axis=1)
        ax.plot(shown, off[shown], ".", ms=4, color=STYLES[name]["color"], label=_(name))
    ax.legend(loc="upper left", markerscale=4, fontsize=SMALL)
    if (most := off.max()) < 1e-5:  # of the doubled table: each of its 14 steps may add up to 1e-6
        title, doubled = _("One error grows with the position, the other hardly does"), _("stays below 1e-5 throughout")
    else:
        title, doubled = _("The largest error of each row"), _("reaches {most:.0e}", most=most)
    finish(ax, title, xscale="log", yscale="log", xlabel=_(POSITION), ylabel=_(ERROR))
    show(
        figure,
        alt=_(
            "Largest error of each row against the position up to 16,384 at d = 32, both axes logarithmic. The error of"
            " the locked formula rises in proportion to the position, from below 1e-7 to near 1e-3. The error of the "
            "doubled table {doubled}.",
            doubled=doubled,
        ),
    )


def compared(locked: float, yours: float) -> str:
    """Say which of two measured times at the largest table is shorter, and by what factor."""
    (T, d), factor = SIZES[-1], round(max(locked, yours) / min(locked, yours), 1)
    facts = {"entries": T * d, "d": d, "factor": factor}
    if factor == 1:
        return _(
            "At {entries:,} entries and d = {d}, your doubling and the formula took the same time on this machine.",
            **facts,
        )
    if yours < locked:
        return _(
            "At {entries:,} entries and d = {d}, your doubling was {factor:.1f} times as fast as the formula on this machine.",
            **facts,
        )
    return _(
        "At {entries:,} entries and d = {d}, the formula was {factor:.1f} times as fast as your doubling on this machine.",
        **facts,
    )


def speed(double: Callable) -> None:
    """Plot nanoseconds per entry against table size: filling memory, the locked formula, the doubled table."""
    measured = timings({FILL: fill, LOCKED: sinusoidal_pe, YOURS: in_blocks(double)})
    figure, ax = plt.subplots(figsize=(8, 5.6))
    for name, seconds in measured.items():
        for width, fillstyle in ((32, "none"), (128, "full")):
            points = [(T * d, 1e9 * each / (T * d)) for (T, d), each in zip(SIZES, seconds) if d == width]
            ax.plot(*zip(*points), **STYLES[name], ms=8, fillstyle=fillstyle)
        ax.plot(
            [],
            [],
            **STYLES[name],
            ms=8,
            label=_("{name}: {time:.2g} ns at the last filled mark", name=_(name), time=points[-1][1]),
        )
    for width, fillstyle in ((32, "none"), (128, "full")):
        ax.plot([], [], "D", color="0.3", ms=8, fillstyle=fillstyle, label=f"d = {width}")
    figure.legend(loc="outside lower left", ncols=2, fontsize=SMALL)
    title = _("What an entry costs, on this machine")
    finish(
        ax, title, xscale="log", yscale="log", xlabel=_("entries of the table, T·d"), ylabel=_("nanoseconds per entry")
    )
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:g}"))
    print(compared(measured[LOCKED][-1], measured[YOURS][-1]))
    show(
        figure,
        alt=_(
            "Nanoseconds per entry against the number of entries, both axes logarithmic, for filling the memory, the "
            "locked formula and your doubling, each with open marks at d = 32 and filled ones at d = 128. The times "
            "were measured when this figure was drawn, and differ from run to run. The three numbers in the legend are "
            "for the largest table at d = 128."
        ),
    )
