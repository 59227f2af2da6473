"""Lab 03's guesses: the right answers, with explanations."""

import numpy as np

from labkit.student.notebook.guesses import Choice, Truth
from labkit.student.notebook.language import translated as _

ENTRIES = Truth(
    16,
    "entries",
    "Each new number is computed from two old ones, the sine and the cosine of its own pair: 2 entries in each of 8 rows. A "
    "matrix that mixed the pairs could have 64.",
)
SURVIVORS = Truth(
    3,
    "tables",
    "A table passes when every pair turns by the expected angle, in the expected direction, from each row to the row "
    "3 positions later. The matrix doesn't notice where counting starts, how long the hands are, or whether a clock "
    "is missing.",
)
EXAMPLE = Truth(
    0.1,
    "%",
    "M knows one place to look: from most positions its largest score is at 0, and from the others at 1,536, the row least like "
    "row 0. That is right from positions 3 and 1,539 only.",
)
ROTATIONS = Truth(
    100,
    "%",
    "The rotations of M are R(3), your shift_matrix(3, 32): from 0 to 3 each hand turned by its angle of R(3), and it turns by "
    "as much from any other start. That is what you proved.",
)

OFFSETS = np.arange(1, 26)
REASON = (
    "The sine of p + δ is cos δ · sin p + sin δ · cos p, and the last term needs a cosine that isn't there. So with "
    "one clock the error is small only where sin δ is small: near a whole number of half turns. 22 positions are "
    "almost exactly seven half turns. With more clocks such offsets are rarer, because they have to work for all "
    "clocks at once."
)


def curve(heights):
    """Plot these errors against the offset, starting at offset 1."""

    def draw(ax):
        ax.plot(OFFSETS, heights, "o-", color="C1", ms=4)
        ax.set(ylim=(-0.06, 1.06), xticks=(1, 10, 20), yticks=(0, 1), xlabel=_("offset"), ylabel=_("error"))

    return draw


LEFT_OVER = Choice(
    draw={
        "A": curve(0 * OFFSETS),
        "B": curve(np.full(25, 0.7)),
        "C": curve(np.abs(np.sin(OFFSETS)) * np.sqrt(0.5)),
        "D": curve(1 - np.exp(-OFFSETS / 8)),
    },
    words={
        "A": "the error is 0 at every offset",
        "B": "the same error of about 0.7 at every offset",
        "C": "the error swings between about 0.7 and nearly 0",
        "D": "the error is small at offset 1 and grows with the offset",
    },
    right="C",
    why={
        "A": "A matrix that makes no error would have to turn sin p into cos p in the same way for every p.",
        "B": "There are offsets where the sine is enough: after half a turn it's just its own negative.",
        "C": REASON,
        "D": "A large offset isn't harder than a small one: after half a turn the sine is just its own negative.",
    },
)
