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
    pe, told = Table(64, 32).build(), []
    figure, ax = plt.subplots(figsize=(7.5, 4.2))
    curves = {anchor: np.asarray(similarity(pe, anchor)) for anchor in (0, 20, 45)}
    for (anchor, curve), style in zip(curves.items(), ("-", "--", ":")):
        (line,) = ax.plot(np.arange(64), curve, style)
        facts = {"high": curve.max(), "top": curve.argmax(), "low": curve.min(), "bottom": curve.argmin()}
        told.append(
            _(
                "At anchor {anchor} the largest value is {high:.2f}, at position {top}, and the smallest {low:.2f}, at {bottom}",
                anchor=anchor,
                **facts,
            )
        )
        ax.plot(anchor, 16, "o", color=line.get_color())
        ax.text(anchor, 16.6, _("anchor {anchor}", anchor=anchor), ha="center" if anchor else "left")
    ax.set(xlabel=_("position"), ylabel=_("dot product with the anchor"), ylim=(0, 18))
    ax.set_title(_("Three anchors, three curves"))
    apart = max(np.abs(curve - curves[0][np.abs(np.arange(64) - anchor)]).max() for anchor, curve in curves.items())
    alt = _(
        "Dot products of 64 positions with the anchors 0, 20 and 45 at d = 32, against position. {told}. At equal distances from their "
        "anchors, on either side, the curves differ by at most {apart:.2f}.",
        told=". ".join(told),
        apart=apart,
    )
    show(figure, alt=alt)


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
    diagonals = [np.diagonal(matrix, offset) for offset in range(-63, matrix.shape[1])]
    spread = max(map(np.ptp, diagonals))
    ax.set_title(
        _("One value on each diagonal: only p − q counts") if spread < 0.01 else _("Each position with every other")
    )
    ax.grid(False)
    figure.colorbar(image, ax=ax, label=_("dot product"))
    lines = np.diagonal(matrix), matrix[20], np.diagonal(matrix, -28)
    alt = _(
        "Heatmap of the dot products of 64 positions with each other at d = 32, position 0 at the top left; the colours run from dark at 0 "
        "to bright at 16. Within a diagonal the values differ by at most {spread:.2f}. On the main one they go {main}. Two lines are "
        "marked: row 20, with values {row}, and the diagonal of offset 28, with values {diagonal}. The means of the diagonals of offsets "
        "0 to 63 change {turns} times between falling and rising.",
        spread=spread,
        **{
            name: _("from {low:.2f} to {high:.2f}", low=line.min(), high=line.max())
            for name, line in zip(("main", "row", "diagonal"), lines)
        },
        turns=_turns(np.array([diagonal.mean() for diagonal in diagonals[63:]])),
    )
    show(figure, alt=alt)


def _turns(curve: np.ndarray) -> int:
    """How often a curve changes between falling and rising."""
    return np.count_nonzero(np.diff(np.sign(np.diff(curve))))


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
            "The dot product against the offset, 0 to 63, at d = 32. It starts at {first:.2f} and changes {turns} times between falling "
            "and rising. Its smallest value is {value:.2f}, at offset {offset}; at offset 63 it is {last:.2f}. {rises} of the 63 steps go "
            "up; they are drawn thicker, in a second colour.",
            first=total[0],
            turns=_turns(total),
            value=total[low],
            offset=low,
            last=total[-1],
            rises=rises.size,
        ),
    )


def spreads(offset_only):
    """Plot the spread of every diagonal for two tables with rounding errors only, and for one with a spoiled row."""
    offsets, most = np.arange(64), []
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
    for label, table, style, place in (
        (_("float32, the locked table"), Table(64, 32).build(), "o", 3e-5),
        ("float64", tables.in_float64(64, 32), "s", 1e-13),
    ):
        spread = np.asarray(offset_only(table))[:-1]
        most.append(_("below 0.001") if spread.max() < 0.001 else f"{spread.max():.2g}")
        left.plot(offsets[:-1], spread, style, ms=4)
        left.text(0, place, label)
    left.set(ylim=(1e-17, 1e-2), yscale="log", ylabel=_("spread of the diagonal"))  # also for spreads of exactly 0
    left.set_title(_("Spreads from rounding alone"))
    spoiled = np.asarray(offset_only(tables.spoiled(64, 32, 20)))
    right.plot(offsets, spoiled, "^", ms=4, color="C2")
    right.axvline(43, color="black", lw=1)
    right.text(44, 2.6, _("offset 43"))
    right.set_title(_("Row 20 overwritten with row 19"))
    for ax in (left, right):
        ax.set_xlabel(_("offset δ (positions)"))
    alt = _(
        "Two panels with the spread of each diagonal of the Gram matrix against its offset, for 64 positions and d = 32, as your function "
        "gives it. The largest on the left, on a logarithmic axis: {single} for the locked float32 table, {double} for the same table in "
        "float64. Right, on a linear axis, with one row overwritten: {first:.2f} at offset 0, up to {near:.2f} from offset 1 to 43, and up "
        "to {far:.2f} beyond.",
        single=most[0],
        double=most[1],
        first=spoiled[0],
        near=spoiled[1:44].max(),
        far=spoiled[44:].max(),
    )
    show(figure, alt=alt)


def far(closed_form, landmarks):
    """Plot the sum at large offsets, with its trend and its first crossing, for three numbers of dimensions."""
    offsets = np.arange(1, 10_001)
    middle = offsets[4:3000]
    trend = 1 - (np.log(middle) + 0.577) / np.log(10_000)
    crossings = {d: int(landmarks(d)[1]) for d in SIZES}
    figure, axes = plt.subplots(3, 1, figsize=(7.5, 7.6), sharex=True, sharey=True)
    told = []
    for ax, (d, crossing) in zip(axes, crossings.items()):
        mean = np.asarray(closed_form(offsets, d)) / (d / 2)
        ax.plot(offsets, mean, lw=0.8)
        strays = np.abs(mean[9:1000] - trend[5:996]).max()  # offsets 10 to 1,000
        after = mean[max(0, crossing) :]
        above = np.count_nonzero((after[:-1] <= 0) & (after[1:] > 0))
        told.append(
            _(
                "d = {d}: up to {strays:.2f} away from the trend between offsets 10 and 1,000; after the marked crossing above 0 again "
                "{above:,} times",
                d=d,
                strays=strays,
                above=above,
            )
        )
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
    alt = _(
        "Three panels, for d = 32, 128 and 512: the dot product divided by d/2 against the offset from 1 to 10,000 on a logarithmic "
        "axis. The trend is a straight falling line, from 0.76 at offset 5 to 0.07 at 3,000. The first crossings of 0, as your landmarks "
        "gives them: {found}. The curves, by d: {told}.",
        found=found,
        told="; ".join(told),
    )
    show(figure, alt=alt)
