"""Lab 03's figures, drawn with the student's functions, each with a description in words."""

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.rotation_proof import gallery
from labkit.student.notebook.figures import show
from labkit.student.notebook.language import translated as _
from minimodel.positional.sinusoidal import sinusoidal_pe

SINE, COSINE = "C1", "C0"  # warm and cool, in every figure of the course
BEFORE, AFTER, TURN, RIM = "0.5", "0.1", "#6d28d9", "0.45"  # colours as in the animated clocks


def headline(figure, words: str) -> None:
    figure.suptitle(words, x=0.01, ha="left", fontsize=16)


def matrices(shift_matrix, d: int = 8) -> None:
    """Show the matrices of three shifts."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 4.4), sharey=True)
    outside, told = np.kron(np.eye(d // 2), np.ones((2, 2))) == 0, []
    made = {offset: np.asarray(shift_matrix(offset, d)) for offset in (0, 3, 20)}
    most = max(np.abs(matrix[outside]).max() for matrix in made.values())
    for ax, (offset, matrix) in zip(axes, made.items()):
        image = ax.imshow(matrix, cmap="RdBu_r", vmin=-1, vmax=1)
        blocks = (
            np.round(matrix[k : k + 2, k : k + 2], 1).ravel() + 0.0 for k in range(0, d, 2)
        )  # adding 0 makes -0 a plain 0
        numbers = "; ".join(" ".join(f"{entry:.1f}" for entry in block) for block in blocks)
        told.append(_("At offset {offset}: {numbers}", offset=offset, numbers=numbers))
        for start in range(0, d, 2):
            ax.add_patch(
                plt.Rectangle((start - 0.5, start - 0.5), 2, 2, fill=False, color="0.2", lw=1.5, clip_on=False)
            )
        ax.set(xticks=range(d), yticks=range(d))
        ax.set_title(_("offset {offset}", offset=offset), fontsize=15)
        ax.set_xlabel(_("column: entry of PE(p)"), fontsize=13)
        ax.grid(False)
    axes[0].set_ylabel(_("row: entry of PE(p + offset)"), fontsize=13)
    headline(figure, _("Each clock has its own block") if most < 0.05 else _("Your matrices for three offsets"))
    figure.colorbar(image, ax=axes, label=_("value of the entry"), ticks=(-1, 0, 1))
    alt = _(
        "Three matrices of 8 rows and 8 columns, for the offsets 0, 3 and 20; blue is -1, white 0, red 1. A frame marks the 2 × 2 block "
        "of each of the four clocks on the diagonal. Outside the frames no entry is farther from 0 than {most:.1f}. The entries of "
        "the blocks, row by row. {told}.",
        most=most,
        told=". ".join(told),
    )
    show(figure, alt=alt)


def clocks(shift, offset: int = 3, d: int = 8) -> None:
    """Show the hands of all pairs before and after a shift, from two positions. An angle of 0 points up, as on a clock."""
    table = sinusoidal_pe(12, d)
    moved = shift(table, offset)
    figure, axes = plt.subplots(2, d // 2, figsize=(10, 5.4), sharex=True, sharey=True)
    told = []
    for axes_of_p, p in zip(axes, (2, 9)):
        turns = []
        for k, ax in enumerate(axes_of_p):
            ax.add_patch(plt.Circle((0, 0), 1, fill=False, color=RIM, lw=1.5))
            for row, color, line in ((table[p], BEFORE, "--"), (moved[p], AFTER, "-")):
                x, y = row[2 * k : 2 * k + 2]
                ax.plot((0, x), (0, y), line, color=color, lw=3)
                ax.plot(x, y, "o", color=color, ms=9)
            start, end = (np.arctan2(*row[p, 2 * k : 2 * k + 2]) for row in (table, moved))
            arc = start + np.linspace(0, (end - start) % (2 * np.pi), 40)
            turns.append(f"{np.degrees(end - start).round() % 360:.0f}")  # rounding may turn a hand back a little
            ax.plot(0.45 * np.sin(arc), 0.45 * np.cos(arc), color=TURN, lw=2.5)
            ax.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), xticks=(-1, 0, 1), yticks=(-1, 0, 1), aspect="equal")
            ax.grid(False)
        axes_of_p[0].set_ylabel(_("p = {p}\n\ncosine", p=p), fontsize=14)
        told.append(_("From p = {p} they turn clockwise by {turns} degrees", p=p, turns=", ".join(turns)))
    for k, (above, below) in enumerate(axes.T):
        above.set_title(_("pair {k}", k=k), fontsize=14)
        below.set_xlabel(_("sine"), fontsize=14)
    handles = [plt.Line2D([], [], color=c, ls=line, lw=3) for c, line in ((BEFORE, "--"), (AFTER, "-"))]
    figure.legend(
        handles, (_("at p"), _("at p + {offset}", offset=offset)), loc="outside upper right", ncols=2, fontsize=14
    )
    headline(figure, _("A shift by {offset}, from two positions", offset=offset))
    alt = _(
        "Two rows of four clocks, for pairs 0 to 3, with their hands at p and where your shift puts them for p + {offset}: above p is 2, "
        "below it is 9. Arcs mark the turns. {told}.",
        offset=offset,
        told=". ".join(told),
    )
    show(figure, alt=alt)


def left_over(sines_alone, shift, T: int = 64) -> None:
    """Plot two errors against the offset: of the best map of sines alone, and of rotating whole pairs."""
    offsets = range(1, 26)
    tables = [(sinusoidal_pe(T, 8), sinusoidal_pe(T + offset, 8)[offset:]) for offset in offsets]
    pairs = [np.sqrt(np.mean((there - shift(here, offset)) ** 2)) for offset, (here, there) in zip(offsets, tables)]
    figure, ax = plt.subplots(figsize=(9.5, 4.8))
    told = []
    for d, marker, color in ((2, "o", SINE), (8, "^", "C3")):
        alone = np.array([sines_alone(T, d, offset) for offset in offsets])
        lows = [offset for offset, (a, b, c) in zip(offsets[1:], zip(alone, alone[1:], alone[2:])) if a > b < c]
        told.append(
            _(
                "Sines alone at d = {d}: between {least:.2f} and {most:.2f}, with low points at offsets {lows}",
                d=d,
                least=alone.min(),
                most=alone.max(),
                lows=", ".join(map(str, lows)) or "–",
            )
        )
        ax.plot(offsets, alone, marker, ls="-", ms=6, color=color, label=_("sines alone, d = {d}", d=d))
        if d == 2:
            ax.plot(22, alone[21], "o", ms=16, mfc="none", mec="0.2", mew=1.5)
            ax.annotate("22", (22, alone[21]), (22.6, 0.04), fontsize=14)
    ax.plot(offsets, pairs, "s--", ms=4, color=COSINE, label=_("whole pairs, your shift, d = 8"))
    ax.set(ylim=(-0.06, 0.95), xticks=range(1, 26, 3))
    ax.set_xlabel(_("offset (positions)"), fontsize=14)
    ax.set_ylabel(_("root mean square error"), fontsize=14)
    ax.set_title(_("Without the cosines, no matrix can shift the rows"), fontsize=16)
    ax.legend(loc="upper left", ncols=3, fontsize=12, columnspacing=1, handlelength=1.6)
    alt = _(
        "Three curves of the remaining error, plotted against offsets 1 to 25. {told}. A ring marks offset 22 at d = 2. Whole pairs: "
        "at most {pairs:.2f}.",
        told=". ".join(told),
        pairs=max(pairs),
    )
    show(figure, alt=alt)


def two_tests(shift_matrix, offset: int = 3) -> None:
    """Plot how well the student's matrix shifts each gallery table, and how well the best matrix for that table does."""
    figure, ax = plt.subplots(figsize=(10, 5.2))
    errors = []
    for row, (letter, table) in enumerate(gallery.tables().items()):
        here, there = table[:-offset].astype(np.float64), table[offset:].astype(np.float64)
        best = np.linalg.lstsq(here, there, rcond=1e-6)[0]
        for matrix, marker, color, size in (
            (shift_matrix(offset, table.shape[1]).T, "o", "C0", 11),
            (best, "x", "C1", 9),
        ):
            error = np.abs(here @ matrix - there).max()
            ax.plot(max(error, 1e-8), row, marker, color=color, ms=size, mew=2.5)
            errors.append(error)
    names = [f"{letter}  {mistake}" for letter, mistake in gallery.MISTAKES.items()]
    ax.set(xscale="log", xlim=(1e-8, 10), ylim=(len(names) - 0.5, -0.5))
    ax.set_xlabel(_("largest error over all rows"), fontsize=14)
    ax.set_yticks(range(len(names)), names, fontsize=13)
    ax.axvspan(1e-5, 0.1, color="0.92", zorder=0)
    title = _("The largest error of each table")
    if all(error < 1e-5 or error > 0.1 for error in errors):
        ax.text(1e-3, -0.75, _("no marks here"), ha="center", fontsize=12)
        title = _("Rounding on the left, mistakes on the right, nothing in between")
    handles = [plt.Line2D([], [], marker=m, color=c, ls="", ms=10, mew=2.5) for m, c in (("o", "C0"), ("x", "C1"))]
    words = (_("your matrix"), _("the best matrix for that table"))
    figure.legend(handles, words, loc="outside lower right", ncols=2, fontsize=13)
    headline(figure, title)
    sizes = [_("below 0.0001") if error < 1e-4 else f"{error:.2g}" for error in errors]
    told = "; ".join(
        f"{letter}: {yours}, {best}" for letter, yours, best in zip(gallery.MISTAKES, sizes[::2], sizes[1::2])
    )
    alt = _(
        "Ten tables, A to J, one on each line, each with two marks on a logarithmic axis, and a band from 0.00001 to 0.1. The largest "
        "error with your matrix, and with the best matrix for that table: {told}.",
        told=told,
    )
    show(figure, alt=alt)


def one_example(table, example, turned, offset: int = 3, rows: int = 24, gain: int = 4) -> None:
    """Show the attention weights of the last positions for a matrix made from one example, and for its rotations."""
    figure, axes = plt.subplots(1, 2, figsize=(11, 5.5), sharey=True)
    last, told = len(table) - 1, []
    for ax, name, matrix in zip(axes, ("M", "rotations(M)"), (example, turned)):
        scores = gain * table[-rows:] @ matrix @ table.T
        weights = np.exp(scores - scores.max(axis=1)[:, None])
        weights /= weights.sum(axis=1, keepdims=True)
        extent = (last - rows + 0.5, last + 0.5, last + 0.5, last - rows + 0.5)
        image = ax.imshow(weights[:, -rows:], cmap="Greys", vmin=0, vmax=1, extent=extent)
        ax.axhline(last, color="0.2", lw=1.5, ls=":")
        ax.set_title(name, fontsize=15, family="monospace")
        ax.set_xlabel(_("position it looks at"), fontsize=14)
        ax.set(xticks=range(last - 20, last + 1, 10), yticks=(last - 20, last - 10, last))
        ax.grid(False)
        shown = weights[offset:, -rows:]  # the rows whose position to look at is shown
        back = np.arange(offset, rows) - shown.argmax(axis=1)
        if shown.max() < 0.01:
            ax.text(last - rows / 2, last - rows / 2, _("all weight is further left"), ha="center", fontsize=13)
            told.append(_("{name}: none of these weights is above 0.01", name=name))
        else:
            told.append(
                _(
                    "{name}: in each row the largest of them is {least:.2f} to {most:.2f}, {nearest} to {farthest} places back",
                    name=name,
                    least=shown.max(axis=1).min(),
                    most=shown.max(),
                    nearest=back.min(),
                    farthest=back.max(),
                )
            )
    axes[0].set_ylabel(_("position that looks"), fontsize=14)
    figure.colorbar(image, ax=axes, label=_("attention weight"), ticks=(0, 0.5, 1))
    headline(figure, _("Learned from positions 3 and 0 alone"))
    show(
        figure,
        alt=_(
            "Two heatmaps of attention weights. Rows are the last {rows} positions, which look; columns are the same positions, at "
            "which they look. {told}. A dotted line marks the row of position {last}.",
            rows=rows,
            told="; ".join(told),
            last=last,
        ),
    )
