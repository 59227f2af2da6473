"""Graded tests of lab 06, order for attention."""

import pytest

from autograder.attention import drawn_rows, drawn_words
from encoding_labs.tables import Table
from labkit.judge.expect import expect

from . import reference

points = pytest.mark.points


@points(1, "attention")
def test_attention_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.attention).passes_the_check()
    expect(answer.attention, drawn_words(draw, draw.randint(4, 8), 16, 4)).agrees_with(reference.attention)


@points(1, "attention")
def test_attention_of_drawn_rows(answer, draw):
    for T, d in ((draw.randint(2, 6), 2 * draw.randint(4, 16)), (draw.randint(12, 40), draw.randint(3, 9))):
        expect(answer.attention, 2 * drawn_rows(draw, T, d)).agrees_with(reference.attention)
    expect(answer.attention, drawn_rows(draw, 1, 4)).agrees_with(reference.attention)


@points(1, "add_positions")
def test_add_positions_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.add_positions).passes_the_check()
    expect(answer.add_positions, drawn_words(draw, 9, 32), 32**0.5).agrees_with(reference.add_positions)


@points(1, "add_positions")
def test_add_positions_to_drawn_rows(answer, draw):
    for _ in range(2):
        rows = drawn_rows(draw, draw.randint(2, 60), 2 * draw.randint(1, 32))
        expect(answer.add_positions, rows, draw.uniform(0.1, 9)).agrees_with(reference.add_positions)
    rows = drawn_rows(draw, draw.randint(8_200, 9_000), 2)  # too long for a table computed in advance
    expect(answer.add_positions, rows, draw.uniform(0.1, 9)).agrees_with(reference.add_positions)


@points(1, "score_parts")
def test_score_parts_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.score_parts).passes_the_check()
    expect(answer.score_parts, drawn_words(draw, 9, 12, 3), Table(9, 12)).agrees_with(reference.score_parts)


@points(1, "score_parts")
def test_score_parts_of_drawn_rows(answer, draw):
    for _ in range(2):
        T, d = draw.randint(2, 20), 2 * draw.randint(1, 16)
        rows = drawn_rows(draw, T, d), drawn_rows(draw, T, d)
        expect(answer.score_parts, *rows).agrees_with(reference.score_parts)
