"""Lab 05's figures and its printed table, drawn with the student's own functions."""

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.base_sweep.exercises import BASES
from labkit.notebook import show
from labkit.notebook.cells import quiet

STYLES = ("-", "--", "-", "--", "-")  # beside colours that go from dark to light
SIZES = tuple(2**power for power in range(1, 10))  # numbers of dimensions that the slider offers
HAND_OFF = 0.0071  # radians by which two decimals may leave a hand off: 0.005 in each of its two columns


def ordered(count: int) -> np.ndarray:
    """Colours for things that have an order, from dark to light, all dark enough on white."""
    return plt.colormaps["viridis"](np.linspace(0, 0.58, count))


def lengths(wavelengths):
    """The wavelengths of every pair, for each base."""
    figure, ax = plt.subplots()
    for base, colour, style in zip(BASES, ordered(len(BASES)), STYLES):
        ax.plot(wavelengths(32, base), f"o{style}", color=colour, ms=4, label=f"base {base:,}")
    ax.axhline(128, color="0.4", ls=":", lw=1.5)
    ax.set(yscale="log", xlabel="pair k", ylabel="wavelength λ (positions)")
    ax.set_title("The base stretches every wavelength but the first (d = 32)")
    ax.legend()
    show(
        figure,
        alt="Wavelength against pair index k = 0 to 15 at d = 32, on a logarithmic axis, for the bases 10, 100, "
        "1,000, 10,000 and 500,000. All five are straight rising lines that start at 6.28. They end at 54, 471, "
        "4,080, 35,333 and 1.38 million positions. A dotted line marks 128 positions: base 10 stays below it, and "
        "every other base crosses it.",
    )


def hands(wavelengths, position=100, d=8):
    """Which positions each hand of one printed row allows, near that row's position."""
    left, right = position - 70, position + 70
    figure, ax = plt.subplots(figsize=(8, 3))
    for pair, turn in enumerate(wavelengths(d, 10_000)):
        off = max(HAND_OFF / (2 * np.pi) * turn, 0.12)  # else too thin to be seen
        turns = np.arange(np.ceil((left - position) / turn), np.floor((right - position) / turn) + 1)
        ax.broken_barh([(position + each * turn - off, 2 * off) for each in turns], (pair - 0.3, 0.6), color="C0")
    ax.set(xlim=(left, right), xlabel="position p", ylabel="pair k", yticks=range(d // 2))
    ax.invert_yaxis()
    ax.set_title(f"What each hand of row {position} allows, printed with two decimals")
    show(
        figure,
        alt=f"Four lanes, one for each pair at d = {d}, against positions {left} to {right}. Pair 0 at the top: thin "
        "marks, one every 6.28 positions. Pair 1: three thin marks, 62.8 positions apart. Pair 2: one mark a little "
        f"over one position wide. Pair 3: one block, 14 positions wide. Only at position {position} do all four lanes "
        "have a mark.",
    )


def swept(sweep):
    """The whole sweep for 128 positions and d = 32, as printed numbers."""
    found = sweep(BASES, 128, 32)
    print("   base  longest wavelength  pairs within 128  nearest neighbour")
    for base, (longest, pairs, nearest) in zip(BASES, found):
        print(f"{base:7,} {float(f'{longest:.3g}'):19,.0f} {pairs:17.0f} {nearest:18.2f}")


def costs(sweep):
    """The nearest-neighbour distance and the pairs that complete a cycle, against the base."""
    found = sweep(BASES, 128, 32)
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
    axes[0].plot(BASES, found[:, 2], "o-")
    axes[0].set(ylim=(0, 2.2), ylabel="nearest-neighbour distance")
    axes[0].set_title("A larger base: rows move closer")
    axes[1].plot(BASES, found[:, 1], "o-", color="C1")
    axes[1].set(ylim=(0, 17), yticks=range(0, 17, 4), ylabel="pairs (of 16)")
    axes[1].set_title("… and fewer pairs turn in 128 positions")
    for ax in axes:
        ax.set(xscale="log", xlabel="base")
    near, pairs = (", ".join(f"{value:.{digits}f}" for value in found[:, at]) for at, digits in ((2, 2), (1, 0)))
    show(
        figure,
        alt="Two panels against the base on a logarithmic axis, at 10, 100, 1,000, 10,000 and 500,000, for 128 "
        f"positions and d = 32. Left: the nearest-neighbour distance: {near}. Right: the pairs that complete a cycle: "
        f"{pairs}.",
    )


def rules(wavelengths, base_for_length):
    """The longest wavelength that a common rule gives, beside the one that was asked for."""
    figure, ax = plt.subplots()
    sizes = np.arange(4, 257, 4)
    ax.plot(sizes, [wavelengths(d, base_for_length(128, d))[-1] for d in sizes], label="your base")
    ax.plot(sizes, [wavelengths(d, 128 / (2 * np.pi))[-1] for d in sizes], label="base = T / 2π")
    ax.set(ylim=(0, 140), xlabel="dimensions d", ylabel="longest wavelength (positions)")
    ax.set_title("T / 2π falls short of T = 128, most of all at small d")
    ax.legend()
    show(
        figure,
        alt="Longest wavelength against the number of dimensions from 4 to 256, for T = 128. With the exact base it "
        "is 128 at every d, a horizontal line. With the base T / 2π it is 28 at d = 4, 60 at d = 8, 106 at d = 32, "
        "and rises towards 128 without reaching it.",
    )


def similarity(draw_sweep):
    """The student's figure twice, for d = 32 and d = 512, with one legend."""
    figure, axes = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
    for d, ax in zip((32, 512), axes):
        draw_sweep(BASES, d, ax)
        plt.setp(ax.lines, linewidth=0.7)
        ax.axhline(0, color="0.4", lw=1)
        ax.set_title(f"d = {d}")
    axes[0].legend(handles=[])
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    axes[1].set_ylabel("")
    figure.suptitle("The larger the base, the more slowly similarity falls", x=0.01, ha="left")
    show(
        figure,
        alt="Two panels, d = 32 on the left and d = 512 on the right, each with the similarity of two positions "
        "against their offset from 1 to 10,000 on a logarithmic axis, for five bases. All lines start between 0.88 "
        "and 0.98, the larger base higher, and fall. On the left they first reach 0 at offset 5, 28, 122, 474 and "
        "2,089, in the order of the bases; on the right at 5, 61, 474 and 3,284, and for base 500,000 not within "
        "10,000. A line that has reached 0 swings about it, widely on the left and narrowly on the right.",
    )


def returns(draw_sweep):
    """Base 10,000 for four numbers of dimensions: the same fall, and swings that grow calmer."""
    figure, axes = plt.subplots(2, 2, figsize=(10, 5.6), sharex=True, sharey=True)
    for d, ax in zip((8, 32, 128, 512), axes.flat):
        draw_sweep((10_000,), d, ax)
        plt.setp(ax.lines, linewidth=0.8)
        ax.axhline(0, color="0.4", lw=1)
        ax.legend(handles=[])
        ax.set(title=f"d = {d}", ylim=(-1.05, 1.05), xlabel="", ylabel="")
    figure.supxlabel("offset δ (positions)", fontsize=12)
    figure.supylabel("similarity, S / (d/2)", fontsize=12)
    show(
        figure,
        alt="Four panels for base 10,000, with d = 8, 32, 128 and 512: similarity against offset from 1 to 10,000 on "
        "a logarithmic axis. All fall in the same way. At d = 8 the swings fill most of the height, and at offset "
        "6,283 the line is back at the top, at 0.996. At d = 32 the swings stay within about 0.5, and at 512 they "
        "are narrow.",
    )


def sliders(draw_sweep, wavelengths):
    """The same for one base and one number of dimensions, each on a slider."""
    from ipywidgets import FloatLogSlider, SelectionSlider, interact

    @quiet
    def one_base(base, d):
        figure, ax = plt.subplots()
        draw_sweep((round(base),), d, ax)
        plt.setp(ax.lines, linewidth=0.8)
        ax.axhline(0, color="0.4", lw=1)
        ax.set_title(f"d = {d}: the slowest pair turns once in {wavelengths(d, round(base))[-1]:,.0f} positions")
        ax.set_ylim(-1.05, 1.05)
        words = f"Similarity against offset on a logarithmic axis, for base {round(base):,} and d = {d}."
        show(figure, alt=words)

    base = FloatLogSlider(10_000, min=0, max=6, step=0.1, readout_format=",.0f", continuous_update=False)
    interact(one_base, base=base, d=SelectionSlider(options=SIZES, value=32, continuous_update=False))
