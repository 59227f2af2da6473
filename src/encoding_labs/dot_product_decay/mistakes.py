"""Recognize mistakes in lab 04's `landmarks` from values that are far off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from encoding_labs.dot_product_decay.exercises import pair_of, single_number
from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation


def claims(observations: Sequence[Observation]) -> Iterator[tuple[int, tuple, tuple]]:
    """For each call, yield d, the returned landmarks and the right ones, unless only their order is wrong."""
    for seen in observations:
        pair, right = pair_of(seen.actual), pair_of(seen.expected)
        if pair and None not in right and pair != right[::-1]:
            yield seen.args[0], pair, right


@mistake("claims-monotone", "landmarks")
def claims_monotone(observations):
    for d, (minimum, _), _ in claims(observations):
        none_at_all = single_number(minimum) is None or minimum == -1
        # At all of the lab's sizes the plotted range has several minima, so the first one is not at its end or beyond.
        if none_at_all or isinstance(minimum, int) and minimum >= 63:
            return {"d": d, "seen": minimum}


@mistake("claims-zero", "landmarks")
def claims_zero(observations):
    for d, (_, crossing), _ in claims(observations):
        if d == 32 and isinstance(crossing, int) and 0 < crossing <= 63:
            return {"d": d, "seen": crossing}


@mistake("nothing-found", "landmarks")
def nothing_found(observations):
    crossings = [(d, pair[1]) for d, pair, _ in claims(observations)]
    lost = [(d, seen) for d, seen in crossings if seen is None or isinstance(seen, int) and seen in (-1, 0)]
    if not lost or all(seen == 0 for _, seen in crossings):  # a search for sums above 0 also gives 0
        return None
    return {"d": lost[0][0], "seen": str(lost[0][1])}
