"""Lab 04's guesses: the true values and the reasons."""

from collections.abc import Callable

import numpy as np

from labkit.student.notebook.guesses import Choice, Truth
from labkit.student.notebook.language import translated as _

ROW_0 = (
    16.0,
    15.3,
    13.7,
    12.3,
    11.7,
    11.8,
    11.9,
    11.4,
    10.5,
    9.9,
    10.1,
    10.9,
    11.4,
    11.1,
    9.8,
    8.4,
    7.9,
    8.6,
    9.8,
    10.6,
    10.5,
    9.8,
    9.4,
    9.6,
    9.9,
    9.7,
    8.5,
    6.9,
    6.0,
    6.3,
    7.6,
    9.0,
    9.6,
    9.3,
    8.8,
    8.7,
    9.2,
    9.7,
    9.6,
    8.7,
    7.8,
    7.6,
    8.4,
    9.5,
    9.8,
    8.9,
    7.3,
    5.8,
    5.3,
    5.6,
    5.9,
    5.8,
    5.4,
    5.4,
    6.4,
    8.0,
    9.3,
    9.5,
    8.6,
    7.4,
    6.9,
    7.4,
    8.3,
    8.8,
)  # dot products of 64 rows with row 0, at d = 32


POSITIONS = np.arange(64)
OFFSETS = POSITIONS[:, None] - POSITIONS


def at(offsets) -> np.ndarray:
    """The dot products at these offsets, which need not be whole."""
    return np.interp(np.abs(offsets), POSITIONS, ROW_0)


def small_picture(values) -> Callable:
    """Draw a matrix of dot products as a small picture."""

    def draw(ax):
        ax.imshow(values, cmap="viridis", vmin=0, vmax=16)
        ax.set(xlabel=_("position q"), ylabel=_("position p"), xticks=(0, 63), yticks=(0, 63))
        ax.grid(False)

    return draw


PICTURE = Choice(
    draw={
        "A": small_picture(at(OFFSETS[::-1])),
        "B": small_picture(at(4 * OFFSETS / (1 + np.maximum.outer(POSITIONS, POSITIONS) / 8))),
        "C": small_picture(at(OFFSETS)),
        "D": small_picture(np.where(OFFSETS, 3 * np.sin(np.multiply.outer(POSITIONS, POSITIONS) ** 2), 16)),
    },
    words={
        "A": "a bright line from the lower left to the upper right corner, with darker and brighter stripes parallel to it",
        "B": "a bright line from the upper left to the lower right corner, with stripes that spread out from it like a fan",
        "C": "a bright line from the upper left to the lower right corner, with darker and brighter stripes parallel to it",
        "D": "a bright line from the upper left to the lower right corner; everything else is dark",
    },
    right="C",
    why={
        "A": "In A the similarity depends on p + q, so only one row is most similar to itself. But the dot product of a row with itself "
        "is always 16.",
        "B": "In B neighbours late in the text are more similar than neighbours at its start. But the curve keeps its shape wherever the anchor is.",
        "C": "Each row of the picture is the curve around one anchor. From row to row it moves one place to the right, and so everything "
        "with the same offset lies on a diagonal.",
        "D": "D is what random rows would give, each nearly orthogonal to all others. In the encoding the slow pairs of any two of "
        "these rows nearly agree.",
    },
)

RISES = Truth(
    29,
    "steps",
    "Nearly half of the steps go up. The fast pairs soon turn away from those of the anchor, so the sum falls steeply, and then it "
    "swings: its smallest value, 5.31, is at offset 48, and at offset 63 the sum is back "
    "at 8.85. The slow pairs keep it up: the six slowest of the 16 turn by less than 0.2 radians in 63 positions, so "
    "each of them adds more than 0.98 at every offset of the table.",
)

CROSSING = Truth(
    474,
    "positions",
    "The first low is already at offset 4; the sum first reaches 0 more than a hundred times as far out. The fastest "
    "pair alone makes the first low: from offset 4 to 5 its cosine rises by 0.94, while all the others together fall "
    "by 0.82. To reach 0 the sum needs the slow pairs too, and their cosines take hundreds of positions to turn "
    "negative.",
)

TREND = Truth(
    5600,
    "positions",
    "The curves get to 0 sooner, because they swing about the trend: the wider the swing, the sooner. With more "
    "pairs they stay closer to the trend: between offsets 10 and 1,000, d = 512 stays within 0.055 of it, and d = 32 strays by up "
    "to 0.39. Far out, where all pairs have turned many times, the cosines are as often negative as positive, so the "
    "long-run mean of S is 0. But S doesn't settle there: at d = 32 it keeps swinging about 0, with a root mean "
    "square near 0.18 of its maximum.",
)
