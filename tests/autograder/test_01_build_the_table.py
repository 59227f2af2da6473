"""Lab 01, build the table: what a submission must do.

What the public probes must give is stored where a submission can read it, so no points hang on these alone.
"""

import numpy as np
import pytest
from reference import build_the_table as reference

from labkit.course import Probe
from labkit.grading.expect import expect
from labkit.grading.outcomes import said

points = pytest.mark.points


@points(1, "frequencies")
def test_frequencies_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.frequencies).passes_the_check()
    expect(answer.frequencies, 2 * draw.randint(3, 64)).agrees_with(reference.frequencies)  # and not read from a file


@points(1, "frequencies")
def test_frequencies_at_drawn_sizes(answer, draw):
    for _ in range(3):
        expect(answer.frequencies, 2 * draw.randint(3, 256)).agrees_with(reference.frequencies)


@points(1, "sinusoidal_pe")
def test_table_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.sinusoidal_pe).passes_the_check(
        Probe((64, 32)), Probe((10, 6)), Probe((1000, 10)), Probe((6, 8), twice=True)
    )
    expect(answer.sinusoidal_pe, draw.randint(2, 60), 2 * draw.randint(2, 30)).agrees_with(reference.sinusoidal_pe)


@points(2, "sinusoidal_pe")
def test_table_at_drawn_sizes(answer, draw):
    for _ in range(3):
        T, d = draw.randint(2, 200), 2 * draw.randint(2, 80)
        expect(answer.sinusoidal_pe, T, d).agrees_with(reference.sinusoidal_pe)


@points(1, "sinusoidal_pe")
def test_table_at_a_thousand_positions_and_at_none(answer):
    for T, d in ((1000, 128), (0, 4), (1, 2)):
        expect(answer.sinusoidal_pe, T, d).agrees_with(reference.sinusoidal_pe)


def makes_a_table(seen):
    """Right or wrong, but not one value for all."""
    table = np.asarray(seen.actual)
    if table.shape != seen.args or table.dtype.kind not in "iuf" or not np.ptp(table) > 0:
        return said(f"sinusoidal_pe{seen.args} gave no table. Which sizes does it have to refuse, and which not?")


@points(1, "sinusoidal_pe")
def test_sizes_that_make_no_table_are_refused(answer, draw):
    expect(answer.sinusoidal_pe, 3, 4).follows(makes_a_table)  # refusing every size is no answer
    expect(answer.sinusoidal_pe, draw.randint(1, 50), 2 * draw.randint(1, 50) + 1).raises("ValueError")
    expect(answer.sinusoidal_pe, 8, 0).raises("ValueError")
    expect(answer.sinusoidal_pe, -draw.randint(1, 50), 8).raises("ValueError")


@points(1, "by_hand")
def test_by_hand(answer):
    expect(answer.by_hand).passes_the_check()


@points(1, "name_the_mistake")
def test_half_of_the_mistakes_are_named(answer):
    expect(answer.name_the_mistake).has_right_items(2)


@points(1, "name_the_mistake")
def test_all_mistakes_are_named(answer):
    expect(answer.name_the_mistake).passes_the_check()
