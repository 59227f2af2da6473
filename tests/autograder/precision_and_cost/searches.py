"""The first position that is off: what to ask of a search for it, by the errors that its own student measured.

Float32 powers differ between machines and between ways to write them, so no number is right everywhere. What is right is a
property: the error is over the tolerance there, and at no position before.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from encoding_labs.precision_and_cost.exercises import kind_seen, reals_of
from labkit.judging.finding import Finding
from labkit.judging.observation import call_text
from labkit.model.course import Arange, Probe

from .places import whole

SIZES = 24, 26, 28, 34, 36, 38, 40  # one is drawn: none of the lab's own
FAR = 10_240  # positions measured: a search that is right ends before
LEAST, MOST = 3, 6  # tolerances that tell a search
MORE = (  # positions of which the last clear one is asked for, d, and how many are measured
    (range(100_000, 2**17), 4, 2**17),  # far out, as the lab announces; few columns make it cheap
    ((20_484,), 8, 20_485),  # one position skipped after each block of 4,096 skips it
    ((4_000,), 30, 14_000),  # the start of a block of 1,000, and skipped after each block of 4,000
    ((13_999,), 30, 14_000),  # the end of a block of 1,000
)
AGAIN = 30  # where a tolerance of another d is asked once more: an answer kept by its tolerance alone is off
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
def errors_of_each_way(d, n):
    """The error of each position, shape (ways, n): float32 formulas against the one in float64."""
    positions = np.arange(n)
    exact = positions[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    sines, cosines, found = np.sin(exact), np.cos(exact), []
    for frequencies in WAYS:
        angle = positions.astype(F)[:, None] * frequencies(d)
        found.append(np.maximum(abs(np.sin(angle) - sines), abs(np.cos(angle) - cosines)).max(axis=1))
    return np.array(found)


def errors_in(value, n):
    """An answer to float32_error, if it is one number for each position; what is no finite number exceeds nothing."""
    errors = reals_of(value)
    return np.where(np.isfinite(errors), errors, -np.inf) if errors is not None and errors.shape == (n,) else None


def clear_positions(errors):
    """Those whose error exceeds all before it by so much that a tolerance halfway has one answer."""
    before = np.maximum.accumulate(np.concatenate([[0], errors[:-1]]))
    step = np.where(errors < ENTRY, EXACT, CLEAR) * errors
    return np.flatnonzero((errors - before > step) & (errors < LARGEST)).tolist()


def halfway(errors, position):
    """The tolerance halfway between an error and the largest before it."""
    return float(errors[:position].max(initial=0) + errors[position]) / 2


def spread_out(errors, draw):
    """Clear positions, most of them just before a round number, where a search goes from one block to the next."""
    clear = clear_positions(errors)
    ends = {p for size in ROUND for end in range(size, FAR + 1, size) for p in [q for q in clear if q < end][-1:]}
    others = [p for p in clear if p not in ends]
    return sorted(ends.union(draw.sample(others, min(max(MOST - len(ends), 0), len(others)))))


def with_two_answers(errors, others, draw):
    """Tolerances that have one answer by each of both errors, and not the same."""
    found = []
    for position in clear_positions(errors):
        tolerance = halfway(errors, position)
        other, margin = int(np.argmax(others > tolerance)), CLEAR / 2 * tolerance
        if other != position and others[:other].max(initial=0) + margin < tolerance < others[other] - margin:
            found.append(tolerance)
    return draw.sample(found, min(1, len(found)))


class Search:
    """The rule for a search that is called again and again: all its answers are right by the same errors.

    These are its student's own, so that a wrong float32_error costs its own points alone, or those of one way to write
    the formula. `calls` are what to call it with.
    """

    def __init__(self, float32_error: Callable[[Probe], object], draw):
        self.float32_error, self.draw, self.d = float32_error, draw, draw.choice(SIZES)
        d, self.measured, self.answers, self.broken = self.d, {}, [], None
        own = self._measure(d, FAR)
        self.calls = [] if own is None else [(d, halfway(own, p)) for p in spread_out(own, draw)]
        self.own = len(self.calls) >= LEAST
        self.left = [None] * self.own + [
            *range(len(WAYS))
        ]  # by whose errors all answers can be right; None: its student's
        if not self.own:
            way = errors_of_each_way(d, FAR)[0]
            self.calls = [(d, halfway(way, p)) for p in spread_out(way, draw)]
            return
        self.calls += self._at(range(2, 2**9), 2, 2**9)  # only entries are rounded, and row 1 is not always the answer

    def further(self):
        """Calls for a search that cannot be handed other errors, because it asks for none of its student's."""
        for asked, d, n in MORE if self.own else ():
            yield from self._at(asked, d, n)
        if self.own and self.measured[AGAIN] is not None:
            for tolerance in with_two_answers(self.measured[self.d], self.measured[AGAIN], self.draw):
                yield from ((d, tolerance) for d in (self.d, AGAIN))

    def _at(self, asked, d, n):
        """The call whose answer is the last clear position among those asked for, if there is one."""
        errors = self._measure(d, n)
        clear = [] if errors is None else [p for p in clear_positions(errors) if p in asked]
        return [(d, halfway(errors, p)) for p in clear[-1:]]

    def _measure(self, d, n):
        if d not in self.measured:
            self.measured[d] = errors_in(self.float32_error(Probe((Arange(0, n), d))), n)
        return self.measured[d]

    def __call__(self, observation):
        seen, (d, tolerance) = whole(observation.actual), observation.args
        if seen is None:
            return Finding("one_position", {"call": call_text(observation), "seen": kind_seen(observation.actual)})
        self.answers.append((d, tolerance, seen))
        while self.left:
            amiss = next(filter(None, (self._amiss(self.left[0], *answer) for answer in self.answers)), None)
            if amiss is None:
                return None
            self.broken = self.broken or amiss
            self.left.pop(0)
        return Finding(f"{'own' if self.own else 'any'}-{self.broken}", {"call": call_text(observation)})

    def _amiss(self, way, d, tolerance, seen):
        """What keeps a position from being the first by these errors; None when it is, or lies farther than they reach."""
        errors, slack = self.measured[d], 0
        if way is not None:  # at d = 2 all ways are one
            errors, slack = errors_of_each_way(d, FAR if errors is None else len(errors))[way], SLACK if d > 2 else 0
        if seen < 0 or seen < len(errors) and errors[int(seen)] <= tolerance - slack:
            return "within"
        return "passed-over" if errors[: int(seen)].max(initial=0) > tolerance + slack else None
