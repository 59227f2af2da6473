"""Lab 05's figures, drawn with the student's own functions."""

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.base_sweep.exercises import BASES
from encoding_labs.base_sweep.rows import printed
from labkit.notebook import show
from labkit.student.notebook.language import translated as _

STYLES = ("-", "--", "-", "--", "-")  # used together with colours from dark to light
HAND_OFF = 0.0071  # radians by which rounding to two decimals can move a hand: 0.005 in each of its two columns


def ordered(count: int) -> np.ndarray:
    """Colours for a sequence, from dark to light, all dark enough to be seen on white."""
    return plt.colormaps["viridis"](np.linspace(0, 0.58, count))


def headline(figure, words: str) -> None:
    figure.suptitle(words, x=0.01, ha="left", fontsize=16)


def lengths(wavelengths):
    """Plot the wavelengths of all pairs, for each base."""
    figure, ax = plt.subplots(figsize=(8, 4.6))
    lines = [np.asarray(wavelengths(32, base)) for base in BASES]
    for base, turns, colour, style in zip(BASES, lines, ordered(len(BASES)), STYLES):
        ax.plot(turns, f"o{style}", color=colour, ms=5)
        ax.annotate(_("base {base:,}", base=base), (15, turns[-1]), (15.3, turns[-1]), va="center", fontsize=13)
    ax.axhline(128, color="0.3", ls=":", lw=2)
    ax.text(0, 150, _("128 positions"), fontsize=13)
    ax.set(yscale="log", xlim=(-0.5, 18.2), xticks=range(0, 16, 3))
    ax.set_xlabel(_("pair k"), fontsize=14)
    ax.set_ylabel(_("wavelength λ (positions)"), fontsize=14)
    stretched = (
        np.ptp([turns[0] for turns in lines]) < 1e-6 and (np.diff([turns[1:] for turns in lines], axis=0) > 0).all()
    )
    title = (
        _("The base stretches every wavelength but the first (d = 32)") if stretched else _("Your wavelengths (d = 32)")
    )
    ax.set_title(title, fontsize=16)
    told = [
        _(
            "base {base:,}: from {first:,.2f} to {last:,.0f}, with {below} of 16 at most 128",
            base=base,
            first=turns[0],
            last=turns[-1],
            below=np.count_nonzero(turns <= 128),
        )
        for base, turns in zip(BASES, lines)
    ]
    alt = _(
        "Wavelength against pair index k = 0 to 15 at d = 32, on a logarithmic axis, with a dotted line at 128 positions. From the first "
        "pair to the last: {told}.",
        told="; ".join(told),
    )
    show(figure, alt=alt)


def hands(wavelengths, decode, position=100, d=8):
    """Show the positions that each hand of a printed row allows, and the position that `decode` returns."""
    left, right, found, told = position - 70, position + 70, decode(printed(position, d)), []
    whole, allowed = np.arange(left, right + 1), True
    figure, ax = plt.subplots(figsize=(10, 3.8))
    ax.axvline(found, color="C1", lw=3, zorder=0)
    ax.text(found, -0.62, _("your decode: {found:.1f}", found=found), ha="center", fontsize=13)
    for pair, turn in enumerate(wavelengths(d, 10_000)):
        off = max(HAND_OFF / (2 * np.pi) * turn, 0.15)  # a narrower band would be invisible
        turns = np.arange(np.ceil((left - position) / turn), np.floor((right - position) / turn) + 1)
        ax.broken_barh([(position + each * turn - off, 2 * off) for each in turns], (pair - 0.3, 0.6), color="C0")
        allowed &= np.abs((whole - position + turn / 2) % turn - turn / 2) <= off
        told.append(
            _(
                "Pair {pair}: {count} of width {wide:.1f}, one every {turn:,.2f}",
                pair=pair,
                count=len(turns),
                wide=2 * off,
                turn=turn,
            )
        )
    ax.set(xlim=(left, right), yticks=range(d // 2), ylim=(d // 2 - 0.6, -0.5))
    ax.set_xlabel(_("position"), fontsize=14)
    ax.set_ylabel(_("hand of pair k"), fontsize=14)
    headline(figure, _("Each hand of row {position} allows these positions", position=position))
    show(
        figure,
        alt=_(
            "Four lanes, one for each pair at d = {d}, pair 0 at the top, against positions {left} to {right}. Marks in each lane, in "
            "positions: {told}. Whole positions with a mark in all four lanes: {common}. A line marks your decode, at {found:.1f}.",
            d=d,
            left=left,
            right=right,
            told="; ".join(told),
            common=", ".join(map(str, whole[allowed])),
            found=found,
        ),
    )


def swept(sweep):
    """Plot the three columns of the sweep against the base, for 128 positions and d = 32."""
    found = sweep(BASES, 128, 32)
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.8))
    panels = (
        (
            _("longest wavelength"),
            "C2",
            lambda value: _("{value:,.0f}", value=float(f"{value:.3g}")),
            dict(yscale="log", ylim=(10, 1e7)),
        ),
        (_("pairs within 128 (of 16)"), "C3", lambda value: f"{value:.0f}", dict(ylim=(0, 19), yticks=range(0, 17, 4))),
        (_("nearest-neighbour distance"), "C0", lambda value: f"{value:.2f}", dict(ylim=(0, 2.4))),
    )
    told = []
    for column, (ax, (name, colour, written, scale)) in enumerate(zip(axes, panels)):
        ax.plot(BASES, found[:, column], "o-", color=colour, ms=7)
        for base, value in zip(BASES, found[:, column]):
            side, shift = ("right", -7) if column == 0 else ("left", 5)
            ax.annotate(written(value), (base, value), (shift, 7), textcoords="offset points", ha=side, fontsize=12)
        ax.set(xscale="log", xlim=(1, 1e7), xticks=(10, 1_000, 100_000), **scale)
        ax.set_xlabel(_("base"), fontsize=14)
        ax.set_title(name, fontsize=14)
        told.append(_("The {name}: {values}", name=name, values=", ".join(map(written, found[:, column]))))
    longer, nearer = (np.diff(found[:, column]) for column in (0, 2))
    as_expected = (longer > 0).all() and (nearer < 0).all()
    headline(
        figure,
        _("A larger base: the slowest hand gets slower, neighbours get closer")
        if as_expected
        else _("Three numbers for each base"),
    )
    show(
        figure,
        alt=_(
            "Three panels against the base on a logarithmic axis, at 10, 100, 1,000, 10,000 and 500,000, for 128 "
            "positions and d = 32. {told}.",
            told=". ".join(told),
        ),
    )


def slower(wavelengths, base_for_length, T=2_048, d=128, times=8, often=32):
    """Plot how many times slower each pair gets if positions are divided, and if the base is raised."""
    before = wavelengths(d, 10_000)
    raised = 10_000 * base_for_length(times * T, d) / base_for_length(T, d)
    once, many = ((before <= T / turns).sum() for turns in (1, often))
    figure, ax = plt.subplots(figsize=(9.5, 4.6))
    ax.axhline(times, color="C1", lw=3, ls="--")
    slowed = wavelengths(d, raised) / before
    ax.plot(slowed, color="C0", lw=3)
    ax.text(20, times + 0.2, _("positions divided by {times}", times=times), fontsize=14)
    ax.text(45, 2.6, _("base raised"), fontsize=14)
    for pairs, words in ((many, _("{often} turns in {T:,}", often=often, T=T)), (once, _("one turn in {T:,}", T=T))):
        ax.axvline(pairs - 0.5, color="0.3", ls=":", lw=2)
        ax.text(pairs - 1.2, 5.9, words, fontsize=12, rotation=90, ha="right", va="center")
    ax.set(ylim=(0, times + 1.2), xlim=(-0.5, d // 2 - 0.5))
    ax.set_xlabel(_("pair k"), fontsize=14)
    ax.set_ylabel(_("how many times slower"), fontsize=14)
    alike = np.isclose(slowed[-1], times) and slowed[0] < 0.9 * times
    title = (
        _("Both ways slow down the last pair alike, but not the first ones")
        if alike
        else _("Two ways to reach farther")
    )
    ax.set_title(title, fontsize=16)
    show(
        figure,
        alt=_(
            "How many times slower each of the {pairs} pairs gets. Positions divided by {times}: {times} times at every pair, a "
            "horizontal line. Base raised: a curve from {first:.2f} at pair 0 through {middle:.2f} at pair 31 to {last:.2f} at the last "
            "pair. Dotted lines: the {many} pairs on the left make at least {often} turns in {T:,} positions, and the {once} pairs "
            "left of the second line at least one.",
            pairs=d // 2,
            times=times,
            first=slowed[0],
            middle=slowed[31],
            last=slowed[-1],
            many=many,
            often=often,
            T=T,
            once=once,
        ),
    )


def similarity(draw_sweep):
    """Draw the student's figure twice, for d = 32 and d = 512, with a dot where each line first reaches 0."""
    figure, axes = plt.subplots(2, 1, figsize=(8.8, 6.6), sharex=True)
    told, slower = [], True
    for d, ax in zip((32, 512), axes):
        draw_sweep(BASES, d, ax)
        plt.setp(ax.lines, linewidth=0.8)
        reached = []
        for line in ax.lines[: len(BASES)]:  # small bases first, so that their wide swings are behind the other lines
            heights = np.asarray(line.get_ydata())
            first = np.argmax(heights <= 0)
            reached.append(line.get_xdata()[first] if first else np.inf)
            told.append(
                _(
                    "d = {d}, {name}: from {start:.2f} down to {low:.2f}, {dot}",
                    d=d,
                    name=line.get_label(),
                    start=heights[0],
                    low=heights.min(),
                    dot=_("dot at offset {offset:,.0f}", offset=reached[-1]) if first else _("no dot"),
                )
            )
            if first:
                ax.plot(line.get_xdata()[first], 0, "o", ms=9, color=line.get_color(), mec="w", zorder=9)
        slower &= len(reached) == len(BASES) and reached == sorted(reached)
        ax.axhline(0, color="0.3", lw=1)
        ax.legend(handles=[])
        ax.set(xlabel="", ylim=(-0.8, 1.05))
        ax.set_ylabel(_("similarity, S / (d/2)"), fontsize=14)
        ax.set_title(f"d = {d}", fontsize=15)
    axes[1].set_xlabel(_("offset δ (positions)"), fontsize=14)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(BASES), fontsize=11)
    headline(
        figure, _("The larger the base, the more slowly similarity falls") if slower else _("Similarity for five bases")
    )
    alt = _(
        "Two panels, d = 32 above and d = 512 below, each with the similarity of two positions against their offset, as your function "
        "draws it. Dots mark where a line first reaches 0. The lines: {told}.",
        told="; ".join(told) or "–",
    )
    show(figure, alt=alt)
