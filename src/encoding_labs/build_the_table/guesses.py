"""Lab 01's guesses: the right answers, with explanations."""

import numpy as np

from encoding_labs.build_the_table.figures import draw_points
from labkit.student.notebook.guesses import Choice, Truth

LAST_TURN = Truth(
    35_333,
    "positions",
    "At d = 32 the last pair has k = 15, so its exponent is -30/32, not -1. The value 62,832, which is often quoted, "
    "is only the limit for large d.",
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
        "A": "All points are on one circle.",
        "B": "All points are on one upright, narrow ellipse.",
        "C": "All points are on one figure of eight.",
        "D": "The points are spread over the whole square.",
    },
    right="D",
    why={
        "A": "That is the picture of columns 0 and 1. A sine and a cosine make a circle only if they have the same "
        "angle, and columns 0 and 3 belong to different clocks.",
        "B": "A narrow ellipse also needs the same angle in both columns, with smaller values in one of them. But all "
        "hands have length 1; only their speeds differ.",
        "C": "A figure of eight needs a first clock that is exactly twice as fast as the second. Here it is ten times as fast.",
        "D": "While the second hand makes one turn, the first makes ten. So the point reaches nearly every "
        "part of the square.",
    },
)
