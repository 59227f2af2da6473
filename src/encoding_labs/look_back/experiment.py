"""Heads that learn by gradient descent to look three positions back.

A text is a sequence of random words. From position 3 on, a head must name the word three positions back. Its scores depend only
on positions. A word's probability is the total weight of the positions where it occurs. The loss is the mean of
-log(probability of the right word).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from labkit.student.notebook.language import deferred
from minimodel.positional.sinusoidal import sinusoidal_pe

WORDS, BACK = 8, 3
D, SHORT, LONG = 32, 32, 128  # dimensions; length of training texts; length of longer test texts
STEPS, TEXTS, RATE, SEED = 1_000, 16, 0.3, 0
TESTS = 1_000  # number of test texts
NONE, LEARNED, SINUSOIDAL, ANYWHERE, ROTARY = HEADS = (
    deferred("no positions"),
    deferred("learned table"),
    deferred("sinusoidal"),
    deferred("sinusoidal, random starts"),
    deferred("rotary"),
)


class Head:
    """A head with scores P M Pᵀ. M starts at zero and is learned. The rows P are also learned if `learns_rows`."""

    def __init__(self, rows: np.ndarray, learns_rows: bool = False):
        self.rows, self.learns_rows, self.m = rows.astype(np.float64), learns_rows, np.zeros((D, D))

    def scores(self, places: slice) -> np.ndarray:
        return self.rows[places] @ self.m @ self.rows[places].T

    def descend(self, places: slice, gradient: np.ndarray) -> None:
        """Take one step of gradient descent. `gradient` is with respect to the scores."""
        rows = self.rows[places]
        of_rows = gradient @ rows @ self.m.T + gradient.T @ rows @ self.m
        self.m -= RATE * rows.T @ gradient @ rows
        if self.learns_rows:
            self.rows[places] -= RATE * of_rows


class RotaryHead:
    """A head with scores (R(p) u) · (R(q) PE(0)) = u · PE(q - p). u starts at zero and is learned."""

    def __init__(self, table: np.ndarray):
        offset = np.arange(len(table)) - np.arange(len(table))[:, None]
        self.turned = table[np.abs(offset)].astype(np.float64)
        self.turned[offset < 0, 0::2] *= -1  # sin(-x) = -sin(x)
        self.u = np.zeros(D)

    def scores(self, places: slice) -> np.ndarray:
        return self.turned[places, places] @ self.u

    def descend(self, places: slice, gradient: np.ndarray) -> None:
        self.u -= RATE * np.tensordot(gradient, self.turned[places, places], axes=2)


def untrained() -> dict[str, Head | RotaryHead]:
    """Make the five heads, by name. A learned table starts at random, with rows about as long as sinusoidal ones."""
    table = sinusoidal_pe(LONG, D)
    drawn = np.random.default_rng(SEED).normal(0, np.sqrt(1 / 2), table.shape)
    heads = (Head(np.zeros_like(table)), Head(drawn, learns_rows=True), Head(table), Head(table), RotaryHead(table))
    return dict(zip(HEADS, heads))


def softmax(scores: np.ndarray) -> np.ndarray:
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


def loss_and_gradient(scores: np.ndarray, texts: np.ndarray) -> tuple[float, np.ndarray]:
    """Compute the loss over texts of shape (texts, T), and its gradient with respect to the scores, of shape (T, T).

    For each text, the gradient is the difference between two sets of weights: the head's own, and those restricted to the positions of
    the right word, normalised to add up to 1.
    """
    weights = softmax(scores[BACK:])
    on_right = weights * (texts[:, None, :] == texts[:, :-BACK, None])
    probability = on_right.sum(axis=2, keepdims=True)
    gradient = np.zeros_like(scores)
    gradient[BACK:] = (weights - (on_right / probability).mean(axis=0)) / len(weights)
    return float(-np.log(probability).mean()), gradient


def train(head: Head | RotaryHead, random_starts: bool = False) -> Iterator[float]:
    """Train a head and yield the loss after each step. Texts begin at position 0, or at a random one up to LONG - SHORT."""
    draw = np.random.default_rng(SEED + 1)
    for _ in range(STEPS):
        texts = draw.integers(WORDS, size=(TEXTS, SHORT))
        start = int(draw.integers(LONG - SHORT + 1)) if random_starts else 0
        places = slice(start, start + SHORT)
        loss, gradient = loss_and_gradient(head.scores(places), texts)
        head.descend(places, gradient)
        yield loss


def share_right(weights: np.ndarray) -> np.ndarray:
    """Compute how often a head's most likely word is right, for each position from BACK on. weights: (T, T)."""
    texts = np.random.default_rng(SEED + 2).integers(WORDS, size=(TESTS, len(weights)))
    likely = np.stack([weights[BACK:] @ (texts == word).T for word in range(WORDS)]).argmax(axis=0)
    return (likely == texts[:, :-BACK].T).mean(axis=1)


@dataclass(frozen=True)
class Trained:
    """A trained head: its loss at each step, and the fraction of words it gets right, by position, in short and long texts."""

    head: Head | RotaryHead
    losses: np.ndarray
    short: np.ndarray
    long: np.ndarray


_trained: dict[str, Trained] = {}  # filled once per session


def trained() -> dict[str, Trained]:
    """Train the five heads once per session, which takes 0.7 s on one core."""
    if not _trained:
        _trained.update({name: _train(name, head) for name, head in untrained().items()})
    return _trained


def _train(name: str, head: Head | RotaryHead) -> Trained:
    losses = np.array([*train(head, random_starts=name == ANYWHERE)])
    short, long = (share_right(softmax(head.scores(slice(0, T)))) for T in (SHORT, LONG))
    return Trained(head, losses, short, long)


FRAMES = (0, *sorted({round(STEPS ** (part / 80)) for part in range(81)}))  # steps


@cache
def filmed() -> dict[int, np.ndarray]:
    """M of the sinusoidal head after each of the steps in FRAMES."""
    head = untrained()[SINUSOIDAL]
    frames = {0: head.m.copy()}
    for step, _ in enumerate(train(head), 1):
        if step in FRAMES:
            frames[step] = head.m.copy()
    return frames


def turns(m: np.ndarray) -> np.ndarray:
    """Find the rotation and scale closest to each 2 × 2 block on M's diagonal, as complex numbers. The modulus is the scale."""
    even, odd = np.arange(0, len(m), 2), np.arange(1, len(m), 2)
    return (m[even, even] + m[odd, odd] + 1j * (m[even, odd] - m[odd, even])) / 2


def rotation_part(m: np.ndarray) -> np.ndarray:
    """Keep only the rotation and scale (from `turns`) in each diagonal block of M. All other entries become 0."""
    turn, part = turns(m), np.zeros_like(m)
    even, odd = np.arange(0, len(m), 2), np.arange(1, len(m), 2)
    part[even, even] = part[odd, odd] = turn.real
    part[even, odd], part[odd, even] = turn.imag, -turn.imag
    return part
