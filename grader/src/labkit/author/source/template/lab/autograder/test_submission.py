"""Graded tests of lab 00, blank.

Students can read the expected results of public calls, so no points depend on these alone.
"""

import pytest

from labkit.judge.expect import expect

from . import reference

points = pytest.mark.points


# REPLACE this example. Each test states its points and its exercise.
@points(1, "blank_example")
def test_blank_example_of_drawn_values(answer, draw):
    expect(answer.blank_example).passes_the_check()
    for _ in range(3):
        values = tuple(round(draw.uniform(-50, 50), 2) for _ in range(draw.randint(2, 9)))
        expect(answer.blank_example, values).agrees_with(reference.blank_example)
