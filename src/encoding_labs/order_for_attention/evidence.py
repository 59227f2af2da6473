"""What attention weights give away: those of `look_back`, and those of `attention`, read back from its output.

A softmax takes a constant along each row away. What is left of the logarithms of a row's weights tells how steep the scores were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from encoding_labs.order_for_attention.exercises import built
from labkit.judging.observation import Observation

NEAR = 1e-3  # float32 rounding moves what is compared here by less than 1e-4, every mistake by more
HUGE = 1e6


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of one call, those that are right, and what went in."""

    mine: np.ndarray
    right: np.ndarray
    d: int
    offset: int = 0
    gain: float = 1.0

    @property
    def steepness(self) -> float | None:
        """By which factor the scores differ from the right ones; None when no factor, and nothing along a row, explains it."""
        if (self.mine <= 0).any():
            return None
        mine, right = centred(np.log(self.mine)), centred(np.log(self.right))
        factor = float((mine * right).sum() / (right**2).sum())
        return factor if near(mine, factor * right, 10 * NEAR * (1 + abs(factor))) else None

    @property
    def row_sums(self) -> np.ndarray:
        return self.mine.sum(axis=1)


def once(observations: Sequence[Observation]) -> list[Observation]:
    """Without second calls: what these show is how an answer treats its arguments."""
    return [seen for seen in observations if not seen.twice]


def centred(rows: np.ndarray) -> np.ndarray:
    return rows - rows.mean(axis=1, keepdims=True)


def near(one: object, other: object, within: float = NEAR) -> bool:
    return bool(np.max(np.abs(np.subtract(one, other)), initial=0.0) < within)


def numbers(value: object, shape: tuple | None = None) -> np.ndarray | None:
    """An array of finite real numbers of this shape, as float64; None for anything else."""
    usable = isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and shape in (None, value.shape)
    usable = usable and np.isfinite(value).all() and np.abs(value.astype(np.float64)).max(initial=0.0) < HUGE
    return value.astype(np.float64) if usable else None


def weights_in(observations: Sequence[Observation]) -> list[Weights]:
    """The weights of each call that tells them: an output tells its weights where no token is made of the others."""
    found = []
    for seen in once(observations):
        x, (mine, right) = built(seen.args[0]), (numbers(seen.actual), np.asarray(seen.expected))
        if mine is None or mine.shape != right.shape:
            continue
        if seen.exercise.name == "look_back":
            found.append(Weights(mine, right, x.shape[1], *seen.args[1:]))
        elif len(x) > 1 and np.linalg.matrix_rank(x, tol=0.1) == len(x):
            back = np.linalg.pinv(x.astype(np.float64))
            if near(mine @ back @ x, mine):
                found.append(Weights(mine @ back, right @ back, x.shape[1]))
    return found


def all_are(observations: Sequence[Observation], told: Callable[[Weights], Mapping | None]) -> Mapping | None:
    """What is told of the first, when there is something to tell of each."""
    found = [told(weights) for weights in weights_in(observations)]
    return found[0] if found and all(each is not None for each in found) else None


def steep_by(observations: Sequence[Observation], wanted: Callable[[Weights], float]) -> Mapping | None:
    """Whether all scores are steeper by the factor that is wanted; at least one of these must not be 1."""
    several = [weights for weights in weights_in(observations) if weights.d > 1 and len(weights.mine) > 1]
    factors = [weights.steepness if near(weights.row_sums, 1) else None for weights in several]
    if None in factors or all(near(wanted(weights), 1) for weights in several):
        return None
    if all(near(factor, wanted(weights), 0.02 * wanted(weights)) for factor, weights in zip(factors, several)):
        return {"factor": next(factor for factor in factors if not near(factor, 1, 0.02)), "gain": several[0].gain}
    return None
