"""Lab 02's guesses: the right answers, with explanations."""

from collections.abc import Callable

import numpy as np

from labkit.student.notebook.guesses import Choice, Truth
from labkit.student.notebook.language import translated as _

SINES = 0, 8, 16, 24  # columns drawn one below the other


def four_waves(turns: tuple[float, ...], heights: tuple[float, ...] = (1, 1, 1, 1)) -> Callable:
    """Draw four sines with these numbers of turns within 64 positions as a small picture."""

    def draw(ax):
        position = np.linspace(0, 64, 600)
        for row, (often, height) in enumerate(zip(turns, heights)):
            ax.axhline(-2.6 * row, color="0.45", lw=0.8)
            ax.plot(position, height * np.sin(2 * np.pi * often * position / 64) - 2.6 * row, color="C1")
        ax.set(
            xlabel=_("position"),
            xticks=(0, 32, 64),
            yticks=[-2.6 * row for row in range(4)],
            yticklabels=SINES,
            ylim=(-9.3, 1.5),
        )
        ax.grid(False)

    return draw


COLUMNS = Choice(
    draw={
        "A": four_waves((10.2, 5.1, 2.55, 1.27)),
        "B": four_waves((10.2, 7.2, 4.2, 1.2)),
        "C": four_waves((10.2, 1.02, 0.102, 0.0102)),
        "D": four_waves((10.2,) * 4, (1, 0.6, 0.3, 0.1)),
    },
    words={
        "A": "four waves of the same height; each turns half as often as the one above: ten times, five times, two "
        "and a half times, and a little more than once",
        "B": "four waves of the same height, which turn ten times, seven times, four times and once",
        "C": "a wave that turns ten times, one that turns once, a curve that rises a little, and a line that stays near 0",
        "D": "four waves that turn equally often; each is lower than the one above",
    },
    right="C",
    why={
        "A": "In A each wave is half as fast as the one above, like the digits of a binary counter. That would be nearly "
        "right for neighbouring pairs, but column 8 is four pairs after column 0.",
        "B": "In B the speeds fall in equal steps. In the encoding they fall by equal ratios.",
        "C": "Columns 0, 8, 16 and 24 belong to pairs 0, 4, 8 and 12, and each of these turns a tenth as fast as the one before: "
        "once in 6.3, 62.8, 628 and 6,283 positions. So the last two have hardly started.",
        "D": "In D the height falls and the speed stays the same. In the encoding every column is a sine or cosine between -1 and 1, and "
        "the speed falls.",
    },
)

CYCLES = Truth(
    5,
    "pairs",
    "The first five wavelengths are 6.3, 11.2, 19.9, 35.3 and 62.8 positions; the sixth is 111.7. In a longer text more "
    "pairs complete a turn: 9 of the 16 within 1,000 positions. The last pair needs 35,333 positions.",
)

STRIPES = Truth(
    43,
    "positions",
    "In these 400 positions the table has 64 waves and the picture nine, about one in seven. With 544 lines of pixels "
    "for 4,000 positions, the picture goes from one line to the next in steps of 7.35 positions. In one step the hand "
    "of pair 0 makes 1.17 turns, and you see only the last 0.17. This is aliasing. Pair 1 makes 0.66 of a turn in one "
    "step. A hand that moves forwards by 0.66 of a turn ends up where it would by moving back 0.34. So pair 1 seems "
    "to turn backwards, once in 21.5 positions; in fact it turns forwards, once in 11.2.",
)

PRACTICE_ROW = Truth(
    2,
    "",
    "The y axis counts from bottom to top, so dimension 5 is the top row and dimension 4 the second.",
)

PRACTICE_TURNS = Truth(
    4,
    "turns",
    "Dimension 1 is the cosine of pair 0. It's reddest near position 0 and at the end of every turn: near 6, 13, 19 and 25. "
    "The fifth turn would end near 31.",
)
