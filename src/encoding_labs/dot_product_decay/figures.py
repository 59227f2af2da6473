"""Lab 04's figures and its printed table, drawn with the student's own functions."""

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.dot_product_decay import tables
from encoding_labs.tables import Table
from labkit.notebook import show
from labkit.student.notebook.language import translated as _

SIZES = (32, 128, 512)  # numbers of dimensions in the plot of large offsets


def anchors(similarity):
    """Plot the similarity of all positions to three anchors."""
    pe = Table(64, 32).build()
    figure, ax = plt.subplots(figsize=(7.5, 4.2))
    for anchor, style in ((0, "-"), (20, "--"), (45, ":")):
        (line,) = ax.plot(np.arange(64), similarity(pe, anchor), style)
        ax.plot(anchor, 16, "o", color=line.get_color())
        ax.text(anchor, 16.6, _("anchor {anchor}", anchor=anchor), ha="center" if anchor else "left")
    ax.set(xlabel=_("position"), ylabel=_("dot product with the anchor"), ylim=(0, 18))
    ax.set_title(_("Three anchors, three curves"))
    show(
        figure,
        alt=_(
            "Dot products of 64 positions with the anchors 0, 20 and 45 at d = 32, against position. Each curve has "
            "its peak of 16 at its anchor and falls on both sides in waves. The curves are shifted copies of one "
            "symmetric curve."
        ),
    )


def gram(similarity):
    """Show the Gram matrix as a heatmap."""
    pe = Table(64, 32).build()
    matrix = np.stack([similarity(pe, anchor) for anchor in range(64)])
    figure, ax = plt.subplots(figsize=(6.2, 5))
    image = ax.imshow(matrix, cmap="viridis", vmin=0, vmax=16)
    for words, start, end, place in (
        (_("row 20"), (0, 20), (63, 20), (52, 17)),
        (_("offset 28"), (0, 28), (35, 63), (8, 47)),
    ):
        ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": "white", "lw": 1.5, "shrinkA": 0})
        ax.text(*place, words, color="white", bbox={"fc": "black", "alpha": 0.6, "lw": 0, "pad": 2})
    ax.set(xlabel=_("position q"), ylabel=_("position p"))
    ax.set_title(_("One value on each diagonal: only p − q counts"))
    ax.grid(False)
    figure.colorbar(image, ax=ax, label=_("dot product"))
    show(
        figure,
        alt=_(
            "Heatmap of the dot products of 64 positions with each other at d = 32, position 0 at the top left. The "
            "main diagonal is brightest, at 16. Stripes run parallel to it, each in one colour. They get darker away "
            "from it, but not steadily: darker and brighter stripes alternate. Two lines are marked: row 20, along "
            "which the colours change, and the diagonal of offset 28, along which they don't."
        ),
    )


def side_by_side(similarity, closed_form):
    """Print the similarity to position 10 from the table and from the formula, at T = 64 and d = 16."""
    offsets = np.arange(-10, 11)
    from_table = similarity(Table(64, 16).build(), 10)[10 + offsets]
    heads = _("offset"), _("table"), _("formula")
    wide = [max(5, len(head)) for head in heads]
    print("   ".join(f"{head:>{width}}" for head, width in zip(heads, wide)))
    for offset, *products in zip(offsets, from_table, closed_form(offsets, 16)):
        print(f"{offset:{wide[0]}d}   " + "   ".join(f"{each:{width}.2f}" for each, width in zip(products, wide[1:])))


def steps(closed_form):
    """Plot the sum against the offset within 64 positions, with upward steps in a second colour."""
    total = closed_form(np.arange(64), 32)
    rises = np.flatnonzero(np.diff(total) > 0)
    low = int(np.argmin(total))
    figure, ax = plt.subplots(figsize=(7.5, 4.2))
    ax.plot(np.arange(64), total, ".-", label=_("a step down"))
    ax.plot([rises, rises + 1], [total[rises], total[rises + 1]], color="C1", lw=4)
    ax.plot([], [], color="C1", lw=4, label=_("a step up"))
    ax.annotate(
        _("lowest: {value:.2f} at offset {offset}", value=total[low], offset=low),
        (low, total[low]),
        (low - 3, total[low] - 2.6),
        ha="right",
        arrowprops={"arrowstyle": "->"},
    )
    ax.set(xlabel=_("offset δ (positions)"), ylabel=_("dot product S(δ)"), ylim=(0, 17))
    ax.set_title(_("{rises} of the 63 steps go up", rises=rises.size))
    ax.legend()
    show(
        figure,
        alt=_(
            "The dot product against the offset, 0 to 63, at d = 32. It starts at 16, drops steeply at first and "
            "goes on in waves with a falling trend. Its smallest value is {value:.2f}, at offset {offset}; at offset "
            "63 it is {last:.2f}. {rises} of the 63 steps go up; they are drawn thicker, in a second colour.",
            value=total[low],
            offset=low,
            last=total[-1],
            rises=rises.size,
        ),
    )


def spreads(offset_only):
    """Plot the spread of every diagonal for two tables with rounding errors only, and for one with a spoiled row."""
    offsets = np.arange(64)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
    for label, table, style, place in (
        (_("float32, the locked table"), Table(64, 32).build(), "o", 3e-5),
        ("float64", tables.in_float64(64, 32), "s", 1e-13),
    ):
        left.plot(offsets[:-1], offset_only(table)[:-1], style, ms=4)
        left.text(0, place, label)
    left.set(yscale="log", ylim=(1e-17, 1e-2), ylabel=_("spread of the diagonal"))
    left.set_title(_("Spreads from rounding alone"))
    right.plot(offsets, offset_only(tables.spoiled(64, 32, 20)), "^", ms=4, color="C2")
    right.axvline(43, color="black", lw=1)
    right.text(44, 2.6, _("offset 43"))
    right.set_title(_("Row 20 overwritten with row 19"))
    for ax in (left, right):
        ax.set_xlabel(_("offset δ (positions)"))
    show(
        figure,
        alt=_(
            "Two panels with the spread of each diagonal of the Gram matrix against its offset, for 64 positions and "
            "d = 32. Left, on a logarithmic axis: for the locked float32 table the spreads are below 0.0001, for the "
            "same table in float64 below 1e-12. Right, on a linear axis: with one row overwritten the spread is 0 at "
            "offset 0, up to 3 from offset 1 to 43, and 0 again beyond."
        ),
    )


def far(closed_form, landmarks):
    """Plot the sum at large offsets, with its trend and its first crossing, for three numbers of dimensions."""
    offsets = np.arange(1, 10_001)
    middle = offsets[4:3000]
    trend = 1 - (np.log(middle) + 0.577) / np.log(10_000)
    crossings = {d: int(landmarks(d)[1]) for d in SIZES}
    figure, axes = plt.subplots(3, 1, figsize=(7.5, 7.6), sharex=True, sharey=True)
    for ax, (d, crossing) in zip(axes, crossings.items()):
        ax.plot(offsets, closed_form(offsets, d) / (d / 2), lw=0.8)
        ax.plot(middle, trend, "--", color="C1", label=_("trend, drawn from 5 to 3,000"))
        ax.axhline(0, color="black", lw=0.8)
        ax.plot(crossing, 0, "o", color="black", ms=8, label=_("first crossing"))
        ax.annotate(
            _("{crossing:,}", crossing=crossing),
            (crossing, 0),
            (-4, -6),
            textcoords="offset points",
            ha="right",
            va="top",
        )
        ax.set(xscale="log", ylim=(-0.75, 1.05), title=f"d = {d}")
    axes[0].legend(loc="lower left")
    axes[1].set_ylabel(_("dot product divided by d/2"))
    axes[2].set_xlabel(_("offset δ (positions)"))
    found = ", ".join(_("{crossing:,} at d = {d}", crossing=crossing, d=d) for d, crossing in crossings.items())
    show(
        figure,
        alt=_(
            "Three panels, for d = 32, 128 and 512: the dot product divided by d/2 against the offset from 1 to "
            "10,000 on a logarithmic axis. The trend is a straight falling line, from 0.76 at offset 5 to 0.07 at 3,000. "
            "All curves follow it and swing about it, widely at d = 32 and less at 512. The first crossings of 0 are "
            "{found}. After its first crossing each curve comes back above 0 again and again.",
            found=found,
        ),
    )
