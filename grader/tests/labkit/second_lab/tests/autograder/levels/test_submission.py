"""Graded tests of lab 02, levels."""

import pytest
from tiny_labs.levels.exercises import one_line_through_the_values

from labkit.judge.expect import expect

from . import reference

points = pytest.mark.points


def numbers(draw):
    return tuple(float(draw.randint(-9, 9)) for _ in range(draw.randint(9, 30)))


@points(1, "levels")
def test_levels_as_in_the_lab(answer, draw):
    expect(answer.levels).passes_the_check()
    expect(answer.levels, numbers(draw)).agrees_with(reference.levels)


@points(1, "levels")
def test_levels_of_drawn_values(answer, draw):
    for _ in range(3):
        expect(answer.levels, numbers(draw)).agrees_with(reference.levels)


@points(2, "draw_levels")
def test_the_line_goes_through_the_values(answer, draw):
    expect(answer.draw_levels, numbers(draw)).follows(one_line_through_the_values)
