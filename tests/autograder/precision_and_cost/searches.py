"""The first position that is off: what to ask of a search for it, by the errors that its own student measured.

Float32 powers differ between machines and between ways to write them, so no number is right everywhere. What is right is a
property: the error is over the tolerance there, and at no position before.
"""

from functools import cache

import numpy as np

from encoding_labs.precision_and_cost.exercises import kind_seen, numbers_of, reals_of
from labkit.judging.finding import Finding
from labkit.judging.observation import call_text

FAR = 2**14  # positions measured: a search that is right ends before
LEAST, MOST = 3, 10  # tolerances that tell a search
LARGEST = 1e-3  # error asked for, so that a search which goes by other errors ends too
CLEAR = 0.01  # of an error, by which it has to exceed all before it: a tolerance halfway has one answer
ENTRY, EXACT = 3.1e-8, 1e-4  # errors up to what rounding an entry costs come from float64 angles, and do not vary
SLACK = 1e-7  # of the errors of another way to write the formula: what rounding an entry can add
ROUND = 4_096, 5_000  # at their multiples blocks meet, and so do blocks of a half or a quarter as many

F = np.float32
WAYS = (
    lambda d: F(1) / F(10000) ** (np.arange(0, d, 2, dtype=F) / F(d)),
    lambda d: F(10000) ** (-np.arange(0, d, 2, dtype=F) / F(d)),
    lambda d: np.exp(np.arange(0, d, 2, dtype=F) * F(-np.log(10000) / d)),
    lambda d: np.exp(-(np.arange(0, d, 2, dtype=F) / F(d)) * np.log(F(10000))),
    lambda d: (10000.0 ** (-np.arange(0, d, 2) / d)).astype(F),
)


@cache
def errors_of_each_way(d):
    """The error of each position, shape (ways, FAR): float32 formulas against the one in float64."""
    positions = np.arange(FAR)
    exact = positions[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    sines, cosines, found = np.sin(exact), np.cos(exact), []
    for frequencies in WAYS:
        angle = positions.astype(F)[:, None] * frequencies(d)
        found.append(np.maximum(abs(np.sin(angle) - sines), abs(np.cos(angle) - cosines)).max(axis=1))
    return np.array(found)


def errors_in(value):
    """An answer to float32_error, if it is one number for each position; what is no finite number exceeds nothing."""
    errors = reals_of(value)
    return np.where(np.isfinite(errors), errors, -np.inf) if errors is not None and errors.shape == (FAR,) else None


def tolerances(errors, draw):
    """Tolerances whose first position is clear: halfway between an error that exceeds all before it, and the largest of these.

    Most of these positions lie just before a round number, where a search goes from one block to the next.
    """
    before = np.maximum.accumulate(np.concatenate([[0], errors[:-1]]))
    step = np.where(errors < ENTRY, EXACT, CLEAR) * errors
    clear = np.flatnonzero((errors - before > step) & (errors < LARGEST))
    ends = {int(p) for size in ROUND for end in range(size, FAR + 1, size) for p in clear[clear < end][-1:]}
    others = [int(p) for p in clear if p not in ends]
    chosen = ends.union(draw.sample(others, min(MOST - len(ends), len(others))))
    return [float(before[p] + errors[p]) / 2 for p in sorted(chosen)]


class Search:
    """The rule for a search that is called again and again: all its answers are right by the same errors.

    These are its student's own, so that a wrong float32_error costs its own points alone, or those of one way to write
    the formula. `tolerances` are what to call it with.
    """

    def __init__(self, d, own, draw):
        ways = list(errors_of_each_way(d))
        self.tolerances = [] if own is None else tolerances(own, draw)
        self.own = len(self.tolerances) >= LEAST
        if not self.own:
            self.tolerances = tolerances(ways[0], draw)
        self.left = ([(own, 0)] if self.own else []) + [(errors, SLACK) for errors in ways]
        self.broken = None

    def __call__(self, observation):
        seen, tolerance = _whole(observation.actual), observation.args[1]
        if seen is None:
            return Finding("one_position", {"call": call_text(observation), "seen": kind_seen(observation.actual)})
        found = [(each, _amiss(seen, tolerance, *each)) for each in self.left]
        self.broken = self.broken or found[0][1]
        self.left = [each for each, amiss in found if not amiss]
        if self.left:
            return None
        return Finding(f"{'own' if self.own else 'any'}-{self.broken}", {"call": call_text(observation)})


def _amiss(seen, tolerance, errors, slack):
    """What keeps a position from being the first by these errors; None when it is, or lies farther than they reach."""
    if seen < 0 or seen < FAR and errors[int(seen)] <= tolerance - slack:
        return "within"
    return "passed-over" if errors[: int(seen)].max(initial=0) > tolerance + slack else None


def _whole(value):
    """The whole number that came back; None for anything else."""
    array = numbers_of(value)
    return float(array) if array is not None and array.ndim == 0 and array % 1 == 0 else None
