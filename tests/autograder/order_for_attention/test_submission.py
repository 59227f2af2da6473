"""Graded tests of lab 06, order for attention."""

import numpy as np
import pytest

from encoding_labs.order_for_attention.tokens import Words, learned_head
from encoding_labs.tables import Table
from labkit.judge.expect import expect

from . import reference

points = pytest.mark.points


def drawn_rows(draw, T, d):
    """Draw an array of random float32 numbers between -1 and 1, of shape (T, d)."""
    return np.random.default_rng(draw.randint(0, 2**32)).uniform(-1, 1, (T, d)).astype(np.float32)


def drawn_words(draw, T, d, times=1):
    return Words(" ".join(f"word{draw.randint(0, 10**6)}" for _ in range(T)), d, times)


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


@points(1, "look_back")
def test_look_back_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.look_back).passes_the_check()
    expect(answer.look_back, Table(draw.randint(20, 60), 16), draw.randint(1, 9), 2.5).agrees_with(reference.look_back)


@points(1, "look_back")
def test_look_back_in_drawn_tables(answer, draw):
    for _ in range(2):
        table = Table(draw.randint(10, 60), 2 * draw.randint(2, 16))
        expect(answer.look_back, table, draw.randint(1, 20), draw.uniform(0.2, 3)).agrees_with(reference.look_back)
    rows = drawn_rows(draw, draw.randint(5, 20), 2 * draw.randint(2, 5))
    expect(answer.look_back, rows, draw.randint(1, 9), draw.uniform(0.5, 2)).agrees_with(reference.look_back)


@points(1, "rope")
def test_rope_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.rope).passes_the_check()
    start = draw.randint(1, 50)
    expect(answer.rope, drawn_words(draw, 7, 12, 3), np.arange(start, start + 7)).agrees_with(reference.rope)


@points(1, "rope")
def test_rope_at_drawn_positions(answer, draw):
    for _ in range(2):
        T, d = draw.randint(2, 30), 2 * draw.randint(1, 32)
        positions = np.array([draw.randint(0, 500) for _ in range(T)])
        expect(answer.rope, drawn_rows(draw, T, d), positions).agrees_with(reference.rope)
    # These positions are too far for a table computed in advance. At d = 2, float32 angles are exact even there.
    far = np.array([draw.randint(100_000, 120_000), draw.randint(0, 99), draw.randint(500, 99_999)])
    expect(answer.rope, drawn_rows(draw, 3, 2), far).agrees_with(reference.rope)


@points(1, "read_head")
def test_read_heads_that_look_back_and_ahead(answer, draw):
    expect(answer.read_head).passes_the_check()
    for low, high in ((4, 12), (-12, -4), (-3, 3)):
        m = learned_head(draw.randint(low, high), 2 * draw.randint(6, 20), draw.randint(0, 2**32))
        expect(answer.read_head, m).agrees_with(reference.read_head)
