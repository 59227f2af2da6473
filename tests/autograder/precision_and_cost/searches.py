"""Test a search for the first bad position with a list of errors, where its answers must be right.

Float32 powers differ between machines and between ways to write them, so no fixed position is right everywhere. Instead, a position
is right if its error exceeds the tolerance and no earlier error does. A search that finds made-up errors too may rely on wrong
errors of the student's own float32_error. Any other search must be right for float32: it could be fitted to invented errors.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from encoding_labs.precision_and_cost.exercises import kind_seen, reals_of
from labkit.model.course import Arange, Probe
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import call_of

from . import reference
from .places import whole

SIZES = 10, 14, 18, 22, 24, 26, 28  # one of these d is drawn; the lab uses none of them, and larger ones take longer
FAR = 10_240  # number of positions whose errors we measure; the right answers are below this
LEAST, MOST = 3, 6  # number of tolerances to test a search with
MORE = (  # possible answers (the last clear one is used), d, and number of positions to measure
    (range(100_000, 2**17), 4, 2**17),  # late positions, which the lab says to expect; cheap with few columns
    ((20_484,), 8, 20_485),  # a search that skips one position after each block of 4,096 misses this one
    ((4_000,), 30, 14_000),  # the start of a block of 1,000; also missed by skipping one after each block of 4,000
    ((13_999,), 30, 14_000),  # the end of a block of 1,000
)
AGAIN = 30  # a d tested with the same tolerance as another d: a search that caches answers by tolerance alone fails
FALLS = 0.2  # share of positions where the error is below the one before; about a half in float32
LARGEST = 1e-3  # upper limit for the errors used, so that a search with other errors also ends
CLEAR = 0.01  # an error must exceed all earlier ones by this fraction, so that a tolerance in between has one answer
ENTRY, EXACT = 3.1e-8, 1e-4  # errors below ENTRY come from rounding entries alone, so EXACT is enough in place of CLEAR
SLACK = 1e-7  # writing the formula in another way may change the error of an entry by this
ROUND = 4_096, 5_000  # usual block sizes; blocks of half or a quarter of the size also end at their multiples

F = np.float32
WAYS = (  # float32 numbers, and how to combine positions with them to angles
    (lambda d: F(1) / F(10000) ** (np.arange(0, d, 2, dtype=F) / F(d)), np.multiply),
    (lambda d: F(10000) ** (-np.arange(0, d, 2, dtype=F) / F(d)), np.multiply),
    (lambda d: np.exp(np.arange(0, d, 2, dtype=F) * F(-np.log(10000) / d)), np.multiply),
    (lambda d: np.exp(-(np.arange(0, d, 2, dtype=F) / F(d)) * np.log(F(10000))), np.multiply),
    (lambda d: (10000.0 ** (-np.arange(0, d, 2) / d)).astype(F), np.multiply),
    (lambda d: F(10000) ** (np.arange(0, d, 2, dtype=F) / F(d)), np.divide),
    (lambda d: (10000.0 ** (np.arange(0, d, 2) / d)).astype(F), np.divide),
)


@cache
def errors_of_each_way(d, n):
    """The errors at positions 0 to n - 1 for each way to write the formula in float32, shape (ways, n)."""
    positions = np.arange(n)
    exact = positions[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    sines, cosines, found = np.sin(exact), np.cos(exact), []
    for numbers, combine in WAYS:
        angle = combine(positions.astype(F)[:, None], numbers(d))
        found.append(np.maximum(abs(np.sin(angle) - sines), abs(np.cos(angle) - cosines)).max(axis=1))
    return np.array(found)


def errors_in(value, n):
    """Read n errors from a returned value; None if it has no n errors. Infinite and nan errors become -inf, which exceeds no tolerance."""
    errors = reals_of(value)
    return np.where(np.isfinite(errors), errors, -np.inf) if errors is not None and errors.shape == (n,) else None


def like_float32(errors, d):
    """Whether errors at positions 0, 1, … are possible in float32. Errors that hardly ever fall are invented."""
    least, most = reference.float32_error(np.arange(len(errors)), d)
    return bool(((least <= errors) & (errors <= most)).all() and (np.diff(errors) < 0).mean() > FALLS)


def clear_positions(errors):
    """Positions with an error that clearly exceeds all earlier ones, so that a tolerance just below it has only one answer."""
    before = np.maximum.accumulate(np.concatenate([[0], errors[:-1]]))
    step = np.where(errors < ENTRY, EXACT, CLEAR) * errors
    return np.flatnonzero((errors - before > step) & (errors < LARGEST)).tolist()


def halfway(errors, position):
    """The tolerance halfway between an error and the largest error before it."""
    return float(errors[:position].max(initial=0) + errors[position]) / 2


def spread_out(errors, draw):
    """Choose clear positions, most of them just before a round number, where a search moves from one block to the next."""
    clear = clear_positions(errors)
    ends = {p for size in ROUND for end in range(size, FAR + 1, size) for p in [q for q in clear if q < end][-1:]}
    others = [p for p in clear if p not in ends]
    return sorted(ends.union(draw.sample(others, min(max(MOST - len(ends), 0), len(others)))))


def with_two_answers(errors, others, draw):
    """Choose a tolerance with one clear answer for each of the two lists of errors, and not the same answer for both.

    Returns a list with this tolerance; empty if there is none.
    """
    found = []
    for position in clear_positions(errors):
        tolerance = halfway(errors, position)
        other, margin = int(np.argmax(others > tolerance)), CLEAR / 2 * tolerance
        if other != position and others[:other].max(initial=0) + margin < tolerance < others[other] - margin:
            found.append(tolerance)
    return draw.sample(found, min(1, len(found)))


class Search:
    """A rule for a search that is called many times: all its answers must be right for the same list of errors.

    The list has either the errors that the student's float32_error returns, so that a wrong float32_error costs only its own
    points, or the errors of one of `WAYS` to write the formula. `calls` has the arguments to call the search with.
    asks: whether the search was seen to use float32_error. If not, its errors count only if they are right.
    """

    def __init__(self, float32_error: Callable[[Probe], object], draw, asks: bool):
        self.float32_error, self.draw, self.d = float32_error, draw, draw.choice(SIZES)
        self.measured, self.answers, self.broken = {}, [], None
        self.calls = self._spread_out()
        own = self.measured[self.d]
        self.own = len(self.calls) >= LEAST and (asks or like_float32(own, self.d))
        if not self.own:
            self.float32_error, self.measured = None, {}
            self.calls = self._spread_out()
        # which errors all answers so far are right for: the student's (None) or those of a way
        self.left = [None] * self.own + [*range(len(WAYS))]
        self.calls += self._at(range(2, 2**9), 2, 2**9)  # at d = 2 only entries are rounded

    def further(self):
        """Yield further calls for a search that never calls float32_error and so cannot be tested with made-up errors."""
        for asked, d, n in MORE:
            yield from self._at(asked, d, n)
        if self.measured[AGAIN] is not None:
            for tolerance in with_two_answers(self.measured[self.d], self.measured[AGAIN], self.draw):
                yield from ((d, tolerance) for d in (self.d, AGAIN))

    def _spread_out(self):
        errors = self._measure(self.d, FAR)
        return [] if errors is None else [(self.d, halfway(errors, p)) for p in spread_out(errors, self.draw)]

    def _at(self, asked, d, n):
        """Return a list with one call, whose right answer is the last of the clear positions in `asked`; empty if there is none."""
        errors = self._measure(d, n)
        clear = [] if errors is None else [p for p in clear_positions(errors) if p in asked]
        return [(d, halfway(errors, p)) for p in clear[-1:]]

    def _measure(self, d, n):
        """The errors at positions 0 to n - 1, as the student's float32_error returns them, or else of the first way."""
        if d not in self.measured:
            own = self.float32_error
            self.measured[d] = (
                errors_of_each_way(d, n)[0] if own is None else errors_in(own(Probe((Arange(0, n), d))), n)
            )
        return self.measured[d]

    def __call__(self, observation):
        seen, (d, tolerance) = whole(observation.actual), observation.args
        if seen is None:
            return Finding("one_position", {"call": call_of(observation), "seen": kind_seen(observation)})
        self.answers.append((d, tolerance, seen))
        while self.left:
            amiss = next(filter(None, (self._amiss(self.left[0], *answer) for answer in self.answers)), None)
            if amiss is None:
                return None
            self.broken = self.broken or amiss
            self.left.pop(0)
        return Finding(f"{'own' if self.own else 'any'}-{self.broken}", {"call": call_of(observation)})

    def _amiss(self, way, d, tolerance, seen):
        """Say what is wrong with a search that returned position `seen`; None if nothing is, as far as the errors are known.

        "within": the error at `seen` is within the tolerance. "passed-over": the error at an earlier position exceeds it.
        """
        errors, slack = self.measured[d], 0
        if way is not None:  # at d = 2 all ways are the same
            errors, slack = errors_of_each_way(d, FAR if errors is None else len(errors))[way], SLACK if d > 2 else 0
        if seen < 0 or seen < len(errors) and errors[int(seen)] <= tolerance - slack:
            return "within"
        return "passed-over" if errors[: int(seen)].max(initial=0) > tolerance + slack else None
