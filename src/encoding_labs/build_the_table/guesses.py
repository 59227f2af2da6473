"""Lab 01's guesses: the true values and the reasons."""

import numpy as np

from encoding_labs.build_the_table.figures import draw_points
from labkit.notebook.predict import Choice, Truth

LAST_TURN = Truth(
    35_333,
    "positions",
    "At d = 32 the last pair has k = 15, so its exponent is -30/32, not -1. The 62,832 that you often read is only the "
    "limit for large d.",
)

P = np.arange(64)  # positions


def _points(right, up):
    return lambda ax: draw_points(ax, right, up)


TWO_CLOCKS = Choice(
    draw={
        "A": _points(np.sin(P), np.cos(P)),
        "B": _points(0.3 * np.sin(P), np.cos(P)),
        "C": _points(np.sin(P), np.cos(P / 2)),
        "D": _points(np.sin(P), np.cos(P / 10)),
    },
    words={
        "A": "Every point is on one circle.",
        "B": "Every point is on one upright, narrow ellipse.",
        "C": "Every point is on one figure of eight.",
        "D": "The points are spread over the whole square.",
    },
    right="D",
    why={
        "A": "That is the picture of columns 0 and 1. A sine and a cosine make a circle only if they have the same angle, and "
        "columns 0 and 3 come from two clocks.",
        "B": "A narrow ellipse needs the same angle too, and one shorter hand. All hands have length 1; they differ in speed.",
        "C": "A figure of eight needs a first clock that is exactly twice as fast as the second. Here it is ten times as fast.",
        "D": "While the second hand makes one turn, the first makes ten. So the point reaches nearly every "
        "part of the square.",
    },
)
