"""Lab 07's guesses: the true values and the reasons, shown after a guess."""

import numpy as np

from labkit.student.notebook.guesses import Choice, Truth
from labkit.student.notebook.language import translated as _

FIRST_BAD = Truth(
    29_000,
    "positions",
    "The exact place differs a little between machines. An angle has 24 bits, so past 2**14 rounding alone moves it by up to "
    "0.00098; its rounded frequency does the rest. The fastest pair has exact angles, so the second pair is the first to be off by 0.001.",
)
STEPS = Truth(17, "steps", "Each step doubles the rows, and 131,072 is 2**17. One more step would reach 262,144.")

POSITIONS = np.geomspace(1, 1e8, 240)
ROUNDED = 5e-8  # approximate error of a rounded entry
UP_AND_DOWN = 10 ** (0.4 * np.sin(2.4 * np.arange(POSITIONS.size)))  # for a sketch of values that look random


def cloud(errors):
    """Make a function that plots points scattered around these errors."""

    def draw(ax):
        ax.plot(POSITIONS, np.minimum(2, errors * UP_AND_DOWN), ".", ms=3, color="C0")
        ax.set(xscale="log", yscale="log", ylim=(1e-9, 10), xlabel=_("position"), ylabel=_("error"))
        ax.set(xticks=(1, 1e4, 1e8), yticks=(1e-8, 1e-4, 1))

    return draw


GROWTH = Choice(
    draw={
        "A": cloud(np.full(POSITIONS.size, ROUNDED)),
        "B": cloud(1e-7 * POSITIONS),
        "C": cloud(ROUNDED * 1e5 ** (np.log10(POSITIONS) / 2 % 1)),
        "D": cloud(np.where(POSITIONS < 2**24, ROUNDED, 1)),
    },
    words={
        "A": "a flat cloud: the error stays near one ten-millionth at all positions",
        "B": "a cloud that rises along a straight line, and levels off at the right end",
        "C": "a sawtooth: the error rises, drops back to where it was, and rises again, four times over",
        "D": "a flat cloud near one ten-millionth, and far to the right a jump up to about 1",
    },
    right="B",
    why={
        "A": "That is the error of rounding only the finished entries. But the angles are rounded too, and they get large.",
        "B": "The frequency is rounded when it is computed, and so is the angle, each by an amount proportional to its size. "
        "So the error grows in proportion to the position and stays below about two ten-millionths of it, as if the position "
        "itself were off by that much: at 131,072 by about two hundredths of a step. A larger d has more pairs that turn "
        "almost as fast, and the worst of them counts.",
        "C": "A whole turn brings the hand back, but not the error: what is rounded is the whole angle, turns included.",
        "D": "Only pair 0, whose frequency is exactly 1, has exact angles up to there. The angles of all the others are rounded from early on.",
    },
)
