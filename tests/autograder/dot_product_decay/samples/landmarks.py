"""Lab 04, dot-product decay: right and wrong answers to `landmarks`."""

from functools import cache

import numpy as np

from autograder.samples import Samples

from . import omega, total

ANSWERS = Samples()
right = ANSWERS.sample("landmarks")


@right
@cache  # other samples call it, to get one of the two landmarks right
def first_true_of_an_array(d):
    sums = total(np.arange(10_000), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmax(sums <= 0))


def lows(d):
    """All offsets with a local minimum."""
    sums = total(np.arange(6000), d)
    return np.flatnonzero((sums[1:-1] < sums[:-2]) & (sums[1:-1] < sums[2:])) + 1


@right
def array_of_two(d):
    return np.array([lows(d)[0], np.flatnonzero(total(np.arange(6000), d) <= 0)[0]])


@right
def step_by_step(d):
    low, p = None, 0
    while True:
        before, here, after = total([p - 1, p, p + 1], d)
        if low is None and p and before > here < after:
            low = p
        if here <= 0:
            return [low, p]
        p += 1


@right
def whole_numbers_as_floats(d):
    return np.array(first_true_of_an_array(d), dtype=np.float64)


@right
def float32_sums(d):
    sums = np.cos(np.arange(5000, dtype=np.float32)[:, None] * omega(d, np.float32)).sum(axis=1)
    return np.argmax(np.diff(sums) > 0), np.argmax(sums <= 0)


@right
def first_places_where(d):
    sums = total(np.arange(1, 5001), d)
    return [1 + np.where(np.diff(sums) > 0)[0][0], 1 + np.where(sums <= 0)[0][0]]


def low_and(crossing):
    """Make an answer with the right minimum and the crossing `crossing(d)`."""
    return lambda d: (first_true_of_an_array(d)[0], crossing(d))


def crossing_and(low):
    """Make an answer with the minimum `low(d)` and the right crossing."""
    return lambda d: (low(d), first_true_of_an_array(d)[1])


def first_within(last, nowhere=None):
    """Make a search for the crossing that stops too early, at offset `last`."""

    def crossing(d):
        there = np.flatnonzero(total(np.arange(last), d) <= 0)
        return int(there[0]) if there.size else nowhere

    return crossing


ANSWERS.several(
    "landmarks",
    "claims-monotone",
    no_minimum=crossing_and(lambda d: None),
    minus_one_for_no_minimum=crossing_and(lambda d: -1),
    lowest_of_all=crossing_and(lambda d: int(np.argmin(total(np.arange(10_000), d)))),
    falls_until_the_crossing=crossing_and(lambda d: first_true_of_an_array(d)[1]),
    falls_to_the_end_of_the_table=crossing_and(lambda d: 63),
)
ANSWERS.several(
    "landmarks",
    "claims-zero",
    smallest_taken_for_zero=low_and(lambda d: int(np.argmin(np.abs(total(np.arange(64), d))))),
    zero_at_the_end_of_the_table=low_and(lambda d: 63),
)
ANSWERS.several("landmarks", "claims-monotone", "claims-zero", falls_steadily_to_zero=lambda d: (63, 63))


@ANSWERS.sample("landmarks", "index-for-offset")
def offsets_from_one_by_index(d):
    sums = total(np.arange(1, 5000), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmax(sums <= 0))


ANSWERS.several(
    "landmarks",
    "index-for-offset",
    one_too_far=lambda d: tuple(landmark + 1 for landmark in first_true_of_an_array(d)),
    a_step_further_at_the_low_alone=crossing_and(lambda d: first_true_of_an_array(d)[0] + 1),
    a_step_before_at_the_crossing_alone=low_and(lambda d: first_true_of_an_array(d)[1] - 1),
)
ANSWERS.several(
    "landmarks",
    "nothing-found",
    argmax_over_a_thousand_offsets=low_and(lambda d: int(np.argmax(total(np.arange(1000), d) <= 0))),
    none_where_the_search_ends=low_and(first_within(2000)),
    minus_one_where_the_search_ends=low_and(first_within(500, -1)),
    no_crossing_anywhere=low_and(first_within(64)),
)


def of_sums(sums):
    return int(np.argmax(np.diff(sums) > 0)), next(iter(np.flatnonzero(sums <= 0)), None)


ANSWERS.several(
    "landmarks",
    "degrees",
    in_degrees=lambda d: of_sums(np.cos(np.radians(np.outer(np.arange(5000), omega(d)))).sum(axis=1)),
)
ANSWERS.several(
    "landmarks",
    "unknown",
    a_base_of_1000=lambda d: of_sums(np.cos(np.outer(np.arange(10_001), omega(d) ** 0.75)).sum(axis=1)),
    # Unnamed, because a search for positive sums also returns 0 for every d.
    argmax_over_the_table_that_is_drawn=low_and(lambda d: int(np.argmax(total(np.arange(64), d) <= 0))),
    second_minimum=crossing_and(lambda d: int(lows(d)[1])),
    two_before_the_low=crossing_and(lambda d: first_true_of_an_array(d)[0] - 2),
    below_a_tenth=low_and(lambda d: int(np.argmax(total(np.arange(6000), d) <= 0.1 * d / 2))),
    one_landmark=lambda d: first_true_of_an_array(d)[0],
    other_way_round=lambda d: first_true_of_an_array(d)[::-1],
    a_list_in_place_of_the_crossing=lambda d: (1, [2]),
)


@ANSWERS.sample("landmarks", "unknown")
def the_first_sum_above_zero(d):
    return first_true_of_an_array(d)[0], int(np.argmax(total(np.arange(5000), d) > 0))


@ANSWERS.sample("landmarks", "unknown")
def a_crossing_looked_for_at_some_offsets(d):
    some = np.unique(np.geomspace(1, 10_000, 160).round().astype(int))
    return first_true_of_an_array(d)[0], int(some[np.argmax(total(some, d) <= 0)])
