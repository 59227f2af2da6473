"""Graded tests of lab 01, build the table.

Submissions can read the expected results of public probes, so only the point of `by_hand` depends on public probes alone.
"""

import numpy as np
import pytest

from encoding_labs.build_the_table.counted import MISTAKES
from labkit.judge.expect import expect, expect_at, said
from labkit.model.course import Probe

from . import reference

points = pytest.mark.points


@points(1, "frequencies")
def test_frequencies_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.frequencies).passes_the_check()
    expect(answer.frequencies, 2 * draw.randint(3, 64)).agrees_with(reference.frequencies)  # result not stored


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
    # The last two are wider and longer than any table that an answer is likely to compute in advance.
    for T, d in ((1000, 32), (0, 4), (1, 2), (2, 700), (12_000, 2)):
        expect_at(answer.sinusoidal_pe, T, d).agrees_with(reference.sinusoidal_pe)


def makes_a_table(seen):
    """Require a table of the right shape with at least two different values. The values may be wrong."""
    table = np.asarray(seen.actual)
    if table.shape != seen.args or table.dtype.kind not in "iuf" or not np.ptp(table) > 0:
        return said(
            f"sinusoidal_pe{seen.args} returned no table. Which sizes should it refuse, and which should it accept?"
        )


@points(1, "sinusoidal_pe")
def test_sizes_that_make_no_table_are_refused(answer, draw):
    expect(answer.sinusoidal_pe, 3, 4).follows(makes_a_table)  # an answer that refuses every size fails here
    expect(answer.sinusoidal_pe, draw.randint(1, 50), 2 * draw.randint(1, 50) + 1).raises("ValueError")
    expect(answer.sinusoidal_pe, 8, 0).raises("ValueError")
    expect(answer.sinusoidal_pe, -draw.randint(1, 50), 8).raises("ValueError")


@points(1, "by_hand")
def test_by_hand(answer):
    expect(answer.by_hand).passes_the_check()


ROW_0_TELLS = ("halves-layout", "positions-from-one", "same-function-twice", "swapped-sin-cos")


def drawn_gallery(draw, *mistakes):
    """Draw random sizes and letters for wrong tables. Returns the tables and the mistake in each, by letter."""
    letters = draw.sample("EFGHJKLMNPQRSTUVWXYZ", len(mistakes))
    inside = dict(zip(letters, draw.sample(mistakes, len(mistakes))))
    tables = {
        letter: reference.wrong_table(mistake, draw.randint(6, 40), 2 * draw.randint(3, 20), draw.random() < 0.5)
        for letter, mistake in inside.items()
    }
    return {letter: table.astype(np.float32) for letter, table in tables.items()}, inside


@points(1, "name_the_mistake")
def test_mistakes_that_row_0_shows_are_named(answer, draw):
    for _ in range(2):
        tables, inside = drawn_gallery(draw, *ROW_0_TELLS)
        expect(answer.name_the_mistake, tables).agrees_with(lambda _, inside=inside: reference.named(inside))


@points(1, "name_the_mistake")
def test_all_eight_mistakes_are_named(answer, draw):
    expect(answer.name_the_mistake).passes_the_check()
    for _ in range(3):
        tables, inside = drawn_gallery(draw, *MISTAKES)
        expect(answer.name_the_mistake, tables).agrees_with(lambda _, inside=inside: reference.named(inside))


@points(0, "sinusoidal_pos")
def test_the_vector_at_drawn_sizes(answer, draw):
    expect(answer.sinusoidal_pos).passes_the_check()
    for _ in range(3):
        seed, T, d = draw.randint(0, 2**31), draw.randint(1, 60), 2 * draw.randint(1, 40)
        expect(answer.sinusoidal_pos, seed, T, d).agrees_with(reference.sinusoidal_pos)


@points(1, "unshuffle")
def test_shuffled_columns_are_put_back_in_order(answer, draw):
    expect(answer.unshuffle).passes_the_check()
    for _ in range(3):
        T, d, base = draw.randint(32, 64), 2 * draw.randint(3, 8), draw.uniform(20, 1000)
        table = reference.shuffled(T, d, base, draw.sample(range(d), d))
        expect(answer.unshuffle, table).agrees_with(reference.unshuffle)
