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


def small_curve(values) -> Callable:
    """Draw dot products at positions 0 to 63 as a small picture."""

    def draw(ax):
        ax.axhline(0, color="0.45", lw=1)
        ax.plot(np.arange(64), values)
        ax.set(xlabel=_("position"), xticks=(0, 32, 63), yticks=(0, 16), ylim=(-18, 18))

    return draw


SHAPE = Choice(
    draw={
        "A": small_curve(16 * np.exp(-np.arange(64) / 14)),
        "B": small_curve(ROW_0),
        "C": small_curve(16 * np.cos(np.arange(64) / 5)),
        "D": small_curve(np.where(np.arange(64), 3 * np.sin(np.arange(64) ** 2), 16)),
    },
    words={
        "A": "a curve that starts at 16 and falls steadily, ever more slowly, to about 0",
        "B": "a curve that starts at 16, falls steeply to about 12, and then swings up and down, getting lower overall, always above 0",
        "C": "a regular wave that starts at 16 and swings between 16 and -16, twice",
        "D": "a single peak of 16 at position 0, and small positive and negative values everywhere else",
    },
    right="B",
    why={
        "A": "A falls steadily to 0. The encoding has fast pairs, which make the sum swing, and slow ones, which keep it up.",
        "B": "The fast pairs soon turn away from those of row 0, so the sum falls steeply, and then it swings. The slow pairs hardly turn "
        "within 64 positions, so they keep the sum well above 0.",
        "C": "C is what a single pair would give. Sixteen pairs turn at sixteen speeds, and they don't come back together.",
        "D": "D is what random rows would give, each nearly orthogonal to all others. In the encoding the slow pairs of any two of "
        "these rows nearly agree.",
    },
)

SMALLEST = Truth(
    5.31,
    "",
    "The smallest value is at offset 48. It is a third of the largest, and far from 0. At offset 63 the sum is back "
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
