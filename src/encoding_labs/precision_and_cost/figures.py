"""What lab 07 draws: errors against the position, and times against the size. Times are measured when a figure is drawn."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.precision_and_cost.measure import SIZES, by_doubling, fill, timings, warm
from labkit.notebook import show
from minimodel.positional.sinusoidal import sinusoidal_pe

CAST = 3e-8  # what rounding an entry to float32 costs at most
FILL, LOCKED, YOURS = "fill the memory", "the locked formula", "your doubling"
STYLES = {
    FILL: {"color": "0.4", "marker": "s", "ls": ":"},
    LOCKED: {"color": "C1", "marker": "^", "ls": "--"},
    YOURS: {"color": "C0", "marker": "o"},
}


def errors(float32_error: Callable) -> None:
    """The error of the float32 formula from position 1 to 10**8, for three d."""
    positions = np.unique(np.geomspace(1, 1e8, 100).round().astype(np.int64))
    figure, ax = plt.subplots(figsize=(7, 4.4))
    for d, mark, colour in ((512, "^", "C1"), (128, "s", "C2"), (32, "o", "C0")):
        ax.plot(positions, float32_error(positions, d), mark, ms=3.5, color=colour, label=f"d = {d}")
    ax.axhline(CAST, color="0.4", ls=":", label="angles in float64, cast")
    ax.axvline(2**24, color="0.4", lw=1)
    ax.text(2**24, 1e-6, "2²⁴ ", ha="right", va="bottom", color="0.3")
    ax.set(xscale="log", yscale="log", xlabel="position p", ylabel="largest error of an entry")
    ax.set_title("The error grows with the position")
    ax.legend(loc="upper left")
    show(
        figure,
        alt="Largest error of the float32 formula against the position from 1 to 100 million, both axes logarithmic, for "
        "d = 32, 128 and 512. Each cloud of points rises in proportion to the position; that of d = 512 lies highest and that "
        "of d = 32 lowest, four to eight times lower. They level off near 2, the largest difference that two sines can have. A "
        "dotted level line near 3e-8 marks angles in float64.",
    )


def gap(float32_error: Callable) -> None:
    """The error at d = 2 around 2**24, from where float32 skips whole numbers."""
    near = 2**24 + np.arange(-8, 17)
    figure, ax = plt.subplots(figsize=(7, 3))
    ax.bar(near - 2**24, float32_error(near, 2))
    ax.set(xlabel="position − 16,777,216", ylabel="largest error")
    ax.set_title("d = 2, around 2 to the 24")
    show(
        figure,
        alt="Bars at the positions around 2 to the 24 at d = 2. Up to 16,777,216 there is none. Beyond it every other position, "
        "the odd ones, has a bar between 0.7 and 0.96 high, and the even ones have none.",
    )


def blocks() -> None:
    """How sixteen rows come about by doubling."""
    figure, ax = plt.subplots(figsize=(7, 2.6))
    ax.broken_barh([(-0.5, 1)], (-0.35, 0.7), color="C0")
    for step, n in enumerate((1, 2, 4, 8), 1):
        ax.broken_barh([(-0.5, n)], (step - 0.35, 0.7), color="0.8")
        ax.broken_barh([(n - 0.5, n)], (step - 0.35, 0.7), color="C0")
        ax.annotate(f"turned by {n}", (2 * n - 0.35, step), va="center")
    ax.set(xlim=(-0.5, 18.5), ylim=(4.6, -0.6), xlabel="row", ylabel="step", xticks=range(16), yticks=range(5))
    ax.set_title("Each step turns all rows that are there")
    ax.grid(False)
    show(
        figure,
        alt="Sixteen rows: row 0 is the start, and four steps make the other fifteen. Step 1 turns row 0 by 1 position and makes "
        "row 1. Step 2 turns rows 0 and 1 by 2 and makes rows 2 and 3. Step 3 turns rows 0 to 3 by 4 and makes rows 4 to 7. Step 4 "
        "turns rows 0 to 7 by 8 and makes rows 8 to 15.",
    )


def exactness(double: Callable) -> None:
    """The largest error of each row, of the locked table and of the doubled one, at T = 16,384 and d = 32."""
    T, d = 16_384, 32
    turned = np.exp(-1j * np.arange(T)[:, None] * 10_000.0 ** (-2 * np.arange(d // 2) / d))
    shown = np.unique(np.geomspace(1, T - 1, 1_000).round().astype(int))
    figure, ax = plt.subplots()
    for name, build in ((LOCKED, sinusoidal_pe), (YOURS, by_doubling(double))):
        table = np.asarray(build(T, d), dtype=np.float64)
        off = np.maximum(np.abs(table[:, 0::2] + turned.imag), np.abs(table[:, 1::2] - turned.real)).max(axis=1)
        ax.plot(shown, off[shown], ".", ms=4, color=STYLES[name]["color"], label=name)
    ax.set(xscale="log", yscale="log", xlabel="position p", ylabel="largest error of an entry")
    ax.set_title("One grows with the position, the other hardly at all")
    ax.legend(loc="upper left", markerscale=3)
    show(
        figure,
        alt="Largest error of each row against the position up to 16,384 at d = 32, both axes logarithmic. The locked formula's "
        "rises in proportion to the position, from below 1e-7 to near 1e-3. That of the doubled table stays below 1e-6 "
        "throughout.",
    )


def speed(double: Callable) -> None:
    """Nanoseconds for each entry against T at d = 128: filling memory, the locked formula, the doubled table."""
    measured = timings({FILL: fill, LOCKED: sinusoidal_pe, YOURS: by_doubling(double)})
    figure, ax = plt.subplots(figsize=(7, 4.4))
    for name, rows in measured.items():
        entries = [(T * d, 1e9 * seconds / (T * d)) for (T, d), seconds in zip(SIZES, warm(rows)) if d == 128]
        ax.plot(*zip(*entries), **STYLES[name], label=name)
        for place, each in entries:
            above = {"xytext": (0, 6)} if name != YOURS else {"xytext": (0, -15)}
            text = {"textcoords": "offset points", "ha": "center", "fontsize": 10, "color": STYLES[name]["color"]}
            ax.annotate(f"{each:.2g}", (place, each), **above, **text)
    ax.set(xscale="log", yscale="log", xlabel="entries of the table, T·d", ylabel="nanoseconds for each entry")
    ax.set_title("What an entry costs, measured here and now")
    ax.margins(x=0.1, y=0.2)
    figure.legend(loc="outside lower center", ncols=3)
    show(
        figure,
        alt="Nanoseconds for each entry against the number of entries at d = 128, both axes logarithmic, for filling the "
        "memory, the locked formula and your doubling, each point with its number. They were measured when this was drawn, "
        "and differ from run to run. Compare the three at the largest size, on the right.",
    )


def exponents(cost: Callable, double: Callable) -> None:
    """Seconds against T at two d, with the exponents that `cost` finds in them."""
    measured = timings({LOCKED: sinusoidal_pe, YOURS: by_doubling(double)})
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
    for ax, (name, rows) in zip(axes, measured.items()):
        seconds, colour = warm(rows), STYLES[name]["color"]
        for d, fillstyle in ((32, "none"), (128, "full")):
            line = [(T, each) for (T, width), each in zip(SIZES, seconds) if width == d]
            ax.plot(*zip(*line), color=colour, marker="o", fillstyle=fillstyle, label=f"d = {d}")
        in_T, in_d = (float(each) for each in cost(rows))
        ax.set(xscale="log", yscale="log", xlabel="positions T")
        ax.set_title(f"{name}:\nT to the {in_T:.2f}, d to the {in_d:.2f}")
        ax.legend(loc="upper left")
    axes[0].set_ylabel("seconds")
    show(
        figure,
        alt="Seconds against T on logarithmic axes, at d = 32 and 128: left the locked formula, right your doubling. Above "
        "each stand the exponents in T and in d that your cost finds. All of it was measured when this was drawn.",
    )
