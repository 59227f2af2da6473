"""Mistakes in lab 07's `first_bad_position`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from encoding_labs.precision_and_cost.exercises import EXACT_UP_TO, numbers_of
from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation, judge


def known_positions(observations: Sequence[Observation]) -> Iterator[float]:
    """Yield the results at d = 2, where the right position is 1: row 0 is exact, and in row 1 only entries are rounded."""
    for seen in observations:
        actual = numbers_of(seen.actual)
        if seen.args[0] == 2 and actual is not None and actual.ndim == 0 and seen.expected is not None:
            yield float(actual)


@mistake("off-by-one", "first_bad_position")
def off_by_one(observations):
    """Every result at d = 2 is one too large. Results that are one too small are left out: blocks or a failed search also give 0."""
    found = list(known_positions(observations))
    return {} if found and all(seen == 2 for seen in found) and right_elsewhere(observations) else None


def right_elsewhere(observations: Sequence[Observation]) -> bool:
    """Whether all other calls are right, with positions that are not round numbers."""
    others = [seen for seen in observations if seen.args[0] != 2]
    return all(judge(seen) is None and seen.actual % 50 and seen.actual % 32 for seen in others)


@mistake("not-the-first", "first_bad_position")
def not_the_first(observations):
    """Every result at d = 2 is a round number, as if the search skipped positions.

    Numbers that are not round are left out, because they could come from entries that were not rounded.
    """
    found = list(known_positions(observations))
    between = found and all(2 < seen < EXACT_UP_TO and not seen % 1 for seen in found)
    return {"seen": found[0]} if between and all(map(is_round, map(int, found))) else None


def is_round(number: int) -> bool:
    """Whether a number is a power of two, a multiple of 50, or the last of a block of 32."""
    return not number & (number - 1) or not number % 50 or not (number + 1) % 32


@mistake("nothing-found", "first_bad_position")
def nothing_found(observations):
    """A search found nothing, although the search at d = 2 found the right position, 1.

    Without the search at d = 2, this could be a function that always returns 0, -1 or None.
    """
    if list(known_positions(observations)) != [1]:
        return None
    for seen in observations:
        actual = numbers_of(seen.actual)
        nothing = actual is not None and actual.ndim == 0 and actual in (-1, 0)
        if seen.args[0] != 2 and (seen.actual is None or nothing):
            return {"seen": "None" if seen.actual is None else int(actual)}
