"""Graded tests of lab 01, spread.

The expected results of public calls are stored where submissions can read them, so only by_hand's point depends on these alone.
"""

import pytest

from labkit.judge.expect import expect

from . import reference

points = pytest.mark.points


def numbers(draw):
    """Draw values to call an answer with. The same seed gives the same values."""
    return tuple(round(draw.uniform(-50, 50), 2) for _ in range(draw.randint(2, 9)))


@points(1, "spread")
def test_spread_as_in_the_lab(answer, draw):
    expect(answer.spread).passes_the_check()
    expect(answer.spread, numbers(draw)).agrees_with(reference.spread)


@points(2, "spread")
def test_spread_of_drawn_values(answer, draw):
    for _ in range(3):
        expect(answer.spread, numbers(draw)).agrees_with(reference.spread)


@points(1, "by_hand")
def test_by_hand(answer):
    expect(answer.by_hand).passes_the_check()
