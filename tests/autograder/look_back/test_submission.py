"""Graded tests of lab 08, a head that learns to look back."""

import numpy as np
import pytest

from autograder.attention import drawn_rows, drawn_words
from encoding_labs.look_back.heads import learned_head
from encoding_labs.tables import Table
from labkit.judge.expect import expect

from . import reference

points = pytest.mark.points


@points(1, "one_look")
def test_one_look_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.one_look).passes_the_check()
    expect(answer.one_look, Table(draw.randint(20, 60), 32), draw.randint(2, 9)).agrees_with(reference.one_look)


@points(1, "one_look")
def test_one_look_at_drawn_rows(answer, draw):
    for _ in range(2):
        T = draw.randint(3, 30)
        rows = drawn_rows(draw, T, 2 * draw.randint(1, 16))
        expect(answer.one_look, rows, draw.randint(1, T - 1)).agrees_with(reference.one_look)


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
