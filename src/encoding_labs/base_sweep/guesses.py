"""Lab 05's guesses: the true values and the reasons, shown after a guess."""

import numpy as np

from labkit.student.notebook.guesses import Choice, Truth
from labkit.student.notebook.language import translated as _

FACTOR = Truth(
    0.554,
    "times the distance at base 10",
    "A larger base brings neighbours closer. From one position to the next only the fast pairs turn noticeably, and a "
    "larger base leaves fewer of them. In return it stretches the far end. Whether that is worth it depends on how far "
    "you have to see.",
)

RETURN = Truth(
    6.05,
    "",
    "After the longest wavelength only the slowest hand is back where it started. The other fifteen point elsewhere. So "
    "rows 0 and 54 don't collide: they are three times as far apart as adjacent rows, which are 1.94 apart.",
)
DIVIDED = Truth(
    0.25,
    "",
    "Every hand is 8 times slower, the fastest too, so neighbours are nearly 8 times as close. The model was trained to tell "
    "them apart at 1.953.",
)
RAISED = Truth(
    1.788,
    "",
    "The fastest hand keeps its speed, and the next ones lose little of theirs. Only the slow hands, which hardly move from one "
    "position to the next, are slowed down by up to 8.",
)
BASE_FACTOR = Truth(
    8.268,
    "",
    "It is 8^(d/(d-2)), at every T, because T cancels in the quotient. So the base goes from 10,000 to 82,685.",
)

OFFSETS = np.geomspace(1, 10_000, 300)
REASON = (
    "The similarity falls with the logarithm of the offset. A larger base spreads the same fall over more decades, so "
    "it drops less in each, including between neighbours: the cost that you measured as the nearest-neighbour "
    "distance. With base 10 it reaches 0 by offset 5, and from there on it swings: only a little at d = 512, but at d = 32 "
    "up to 0.58 (at offset 3,920) and down to −0.64. So it no longer separates near from far. With base 500,000 it is still "
    "falling at offset 10,000."
)


def falling(base):
    """Sketch a similarity that falls with the logarithm of the offset, then swings about 0."""
    fall = np.maximum(0, 1 - np.log(OFFSETS) / np.log(base))
    return fall + 0.1 * np.sin(9 * np.log(OFFSETS)) * np.exp(-9 * fall)


def back_at(offset):
    """Sketch a similarity that briefly returns to 1."""
    return np.exp(-((np.log(OFFSETS / offset) / 0.15) ** 2))


def flat_until(length):
    """Sketch a similarity that stays high up to an offset, then drops."""
    return 1 / (1 + (OFFSETS / length) ** 3)


def curves(small, large):
    """Draw the similarity for a small and a large base."""

    def draw(ax):
        ax.plot(OFFSETS, small, "--", color="C1", lw=1.5, label=_("small base"))
        ax.plot(OFFSETS, large, color="C0", lw=1.5, label=_("large base"))
        ax.set(xscale="log", ylim=(-0.8, 1.1), yticks=(0, 1), xlabel=_("offset"), ylabel=_("similarity"))
        ax.legend(fontsize=11, loc="lower left")

    return draw


SIMILARITY = Choice(
    draw={
        "A": curves(falling(1e6), falling(10)),
        "B": curves(falling(10) + back_at(54) + back_at(540) + back_at(5_400), falling(1e6)),
        "C": curves(flat_until(50), flat_until(2_000)),
        "D": curves(falling(10), falling(1e6)),
    },
    words={
        "A": "the large base falls to 0 within a few offsets, the small one falls slowly",
        "B": "the large base falls slowly; the small one falls fast, and comes back up to 1 again and again",
        "C": "both stay near 1, then drop to 0, the small base first",
        "D": "the small base falls to 0 within a few offsets and stays near it, the large one falls slowly",
    },
    right="D",
    why={
        "A": "A larger base slows the hands, so near positions become more alike, not less.",
        "B": "After the longest wavelength only one hand is back where it started, so the similarity swings, but stays well below 1.",
        "C": "There is no edge: the fast hands turn at every base, so the fall begins at offset 1.",
        "D": REASON,
    },
)
