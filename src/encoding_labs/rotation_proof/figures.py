"""What lab 03 draws, from the student's functions: one figure each, with its words."""

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.rotation_proof import gallery
from labkit.notebook.figures import show
from minimodel.positional.sinusoidal import sinusoidal_pe

RIM = "0.45"


def matrices(shift_matrix, d: int = 8) -> None:
    """The matrix of three shifts."""
    figure, axes = plt.subplots(1, 3, figsize=(9.5, 3.6), sharey=True)
    for ax, offset in zip(axes, (0, 3, 20)):
        image = ax.imshow(shift_matrix(offset, d), cmap="RdBu_r", vmin=-1, vmax=1)
        ax.set(title=f"offset {offset}", xlabel="column (of PE(p))", xticks=range(d), yticks=range(d))
        ax.grid(False)
    axes[0].set_ylabel("row (of PE(p + offset))")
    figure.suptitle("What one clock does, no other clock feels", x=0.02, ha="left", fontsize=14)
    figure.colorbar(image, ax=axes, label="entry")
    show(
        figure,
        alt="Three matrices of 8 rows and 8 columns, for the offsets 0, 3 and 20; blue is -1, white 0, red 1. At offset 0 "
        "there is only a full red diagonal. At offset 3 the first two entries of the diagonal have turned blue, with pale "
        "corners beside them; the next two are red with one pale red and one pale blue corner; the other four look as "
        "before. At offset 20 the first two pairs have strong corners, red above and blue below, the third has pale ones, "
        "and the last still looks as at offset 0.",
    )


def clocks(shift, offset: int = 3, d: int = 8) -> None:
    """The hands of all pairs before and after a shift, from two positions. Sine to the right, cosine upwards, as on a dial."""
    table = sinusoidal_pe(12, d)
    moved = shift(table, offset)
    figure, axes = plt.subplots(2, d // 2, figsize=(9.5, 5.4), sharex=True, sharey=True)
    for axes_of_p, p in zip(axes, (2, 9)):
        for k, ax in enumerate(axes_of_p):
            ax.add_patch(plt.Circle((0, 0), 1, fill=False, color=RIM))
            for row, color, marker, name in ((table[p], "C0", "o", "before"), (moved[p], "C1", "s", "after")):
                x, y = row[2 * k : 2 * k + 2]
                ax.plot((0, x), (0, y), color=color, lw=2.5 if marker == "o" else 1.5)
                ax.plot(x, y, marker, color=color, ms=8 if marker == "o" else 5, label=name)
            ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), xticks=(-1, 0, 1), yticks=(-1, 0, 1))
            ax.set(aspect="equal", title=f"pair {k}, p = {p}")
        axes_of_p[0].set_ylabel("cosine")
    for ax in axes[1]:
        ax.set_xlabel("sine")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper right", ncols=2, fontsize=12)
    figure.suptitle(f"A shift by {offset} from two positions", x=0.02, ha="left", fontsize=14)
    show(
        figure,
        alt=f"Two rows of four clocks with their hands before and after a shift by {offset}: above from position 2, below "
        "from position 9. The hands start in different places. Pair 0 turns clockwise by nearly half a turn in both rows, "
        "pair 1 by about 17 degrees in both. Pair 2 turns by less than 2 degrees, and pair 3 by nothing that can be seen.",
    )


def left_over(sines_alone, shift, T: int = 64) -> None:
    """What sines alone leave over, offset by offset, and what a rotation of whole pairs does."""
    offsets = range(1, 26)
    tables = [(sinusoidal_pe(T, 8), sinusoidal_pe(T + offset, 8)[offset:]) for offset in offsets]
    pairs = [np.sqrt(np.mean((there - shift(here, offset)) ** 2)) for offset, (here, there) in zip(offsets, tables)]
    figure, ax = plt.subplots()
    for d, marker in ((2, "o"), (8, "^")):
        alone = [sines_alone(T, d, offset) for offset in offsets]
        ax.plot(offsets, alone, marker, ls="-", ms=5, label=f"sines alone, d = {d}")
    ax.plot(offsets, pairs, "s--", ms=4, color="C2", label="whole pairs, yours, d = 8")
    ax.set(xlabel="offset (positions)", ylabel="root mean square left over")
    ax.set(ylim=(-0.03, 0.95), title="Without the cosines no matrix makes the shift")
    ax.legend(loc="upper left", ncols=3, fontsize=10, columnspacing=1, handlelength=1.6)
    show(
        figure,
        alt="What is left over against the offset, 1 to 25, in three curves. Sines alone at d = 2 swing between about 0.7 "
        "and low points at 3, 6, 9, 13, 16, 19 and 22, of which the last is nearly 0. Sines alone at d = 8 have low points "
        "at the same offsets, between 0.08 and 0.27, and none near 0; their highest point is 0.42, at 14. Whole pairs are a "
        "flat line at 0.",
    )


def two_tests(shift_matrix, offset: int = 3) -> None:
    """How far each table of the gallery is from being shifted by the student's matrix, and by the best one for that table."""
    figure, ax = plt.subplots(figsize=(9, 4.6))
    for row, (letter, table) in enumerate(gallery.tables().items()):
        here, there = table[:-offset].astype(np.float64), table[offset:].astype(np.float64)
        best = np.linalg.lstsq(here, there, rcond=1e-6)[0]
        for matrix, marker, color in ((shift_matrix(offset, table.shape[1]).T, "o", "C0"), (best, "x", "C1")):
            error = np.abs(here @ matrix - there).max()
            ax.plot(max(error, 1e-8), row, marker, color=color, ms=8, mew=2)
    names = [f"{letter}  {mistake}" for letter, mistake in gallery.MISTAKES.items()]
    ax.set(xscale="log", xlim=(1e-8, 10), xlabel="largest error over all rows", ylim=(len(names) - 0.5, -0.5))
    ax.set_yticks(range(len(names)), names)
    handles = [plt.Line2D([], [], marker=m, color=c, ls="", ms=8, mew=2) for m, c in (("o", "C0"), ("x", "C1"))]
    words = ("your matrix", "the best matrix for that table")
    figure.legend(handles, words, loc="outside lower right", ncols=2, fontsize=11)
    title = "Rounding to the left, mistakes to the right, and nothing between"
    figure.suptitle(title, x=0.02, ha="left", fontsize=14)
    show(
        figure,
        alt="Ten tables, A to J, one to a line, each with two marks on a logarithmic axis: the largest error with your "
        "matrix, and with the best matrix for that table. All marks lie either left of 0.00001 or right of 0.1. There are "
        "tables with both marks on the left, with yours on the right and the other on the left, and with both on the right.",
    )


def head(shift_matrix, offset: int = 3, T: int = 64, d: int = 32) -> None:
    """The weights of a head that looks back, with two gains."""
    table = sinusoidal_pe(T, d).astype(np.float64)
    scores = table @ shift_matrix(-offset, d).T @ table.T
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.4), sharey=True)
    told = []
    for ax, gain in zip(axes, (1, 4)):
        weights = np.exp(gain * (scores - scores.max(axis=1, keepdims=True)))
        weights /= weights.sum(axis=1, keepdims=True)
        looking = np.diag(weights, -offset)
        told.append(f"from about {looking.min():.2f} to {looking.max():.2f} with gain {gain}")
        image = ax.imshow(weights, cmap="Blues", vmin=0, vmax=1)
        ax.set(title=f"gain {gain}", xlabel="position that is looked at")
        ax.grid(False)
    axes[0].set_ylabel("position that looks")
    figure.colorbar(image, ax=axes, label="attention weight")
    figure.suptitle(f"One matrix, and every position looks {offset} back", x=0.02, ha="left", fontsize=14)
    show(
        figure,
        alt=f"Two heatmaps of attention weights, {T} positions that look by {T} that are looked at. In both a dark line runs "
        f"{offset} below the diagonal, pale beside it with gain 1 and sharp with gain 4. The weight on that line is "
        f"{' and '.join(told)}. The first {offset} rows, which have nothing so far back, give position 0 the largest share.",
    )
