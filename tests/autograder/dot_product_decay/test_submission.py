"""Graded tests of lab 04, dot-product decay."""

import numpy as np
import pytest

from encoding_labs.dot_product_decay.exercises import LANDMARKS
from encoding_labs.dot_product_decay.tables import Scrambled, Spoiled
from encoding_labs.tables import Table
from labkit.judge.expect import expect
from labkit.model.course import Arange

from . import reference

points = pytest.mark.points


def drawn_numbers(draw, T, d):
    """Make a table of random numbers, so that no formula can stand in for it."""
    return np.array([[draw.uniform(-1, 1) for _ in range(d)] for _ in range(T)])


@points(1, "similarity")
def test_similarity_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.similarity).passes_the_check()
    expect(answer.similarity, Table(40, 12), draw.randint(1, 39)).agrees_with(reference.similarity)


@points(1, "similarity")
def test_similarity_of_drawn_tables(answer, draw):
    for _ in range(2):
        T, d = draw.randint(20, 120), 2 * draw.randint(2, 32)
        expect(answer.similarity, Table(T, d), draw.randint(1, T - 1)).agrees_with(reference.similarity)
    T, anchor = draw.randint(8, 20), draw.randint(1, 7)
    for _ in range(2):  # two tables of the same shape
        expect(answer.similarity, drawn_numbers(draw, T, 6), anchor).agrees_with(reference.similarity)


@points(1, "closed_form")
def test_closed_form_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.closed_form).passes_the_check()
    expect(answer.closed_form, Arange(0, 30), 2 * draw.randint(2, 64)).agrees_with(reference.closed_form)


@points(1, "closed_form")
def test_closed_form_at_drawn_offsets(answer, draw):
    start = draw.randint(-100, 50)
    expect(answer.closed_form, Arange(start, start + draw.randint(20, 150)), 2 * draw.randint(2, 64)).agrees_with(
        reference.closed_form
    )
    scattered = np.array(draw.sample(range(-200, 200), 12))
    expect(answer.closed_form, scattered, 2 * draw.randint(2, 64)).agrees_with(reference.closed_form)
    far = draw.randint(10_001, 12_000)  # too far for a table computed in advance; at d = 2 float32 angles are exact
    expect(answer.closed_form, Arange(far, far + 20), 2).agrees_with(reference.closed_form)
    expect(answer.closed_form, Arange(-3, draw.randint(4, 20)), 2).agrees_with(reference.closed_form)


@points(1, "offset_only")
def test_offset_only_where_it_is_and_where_it_is_not(answer, draw):
    expect(answer.offset_only).passes_the_check()
    T = draw.randint(80, 120)
    expect(answer.offset_only, Spoiled(T, 16, draw.randint(2, T - 1))).agrees_with(reference.offset_only)
    expect(answer.offset_only, Table(draw.randint(40, 120), 2 * draw.randint(4, 32))).agrees_with(reference.offset_only)


@points(1, "offset_only")
def test_offset_only_of_drawn_tables(answer, draw):
    for d, size in ((1, 1), (5, 0.03), (12, 1)):  # one of the tables has small spreads
        table = size * drawn_numbers(draw, draw.randint(8, 16), d)
        expect(answer.offset_only, table).agrees_with(reference.offset_only)
    expect(answer.offset_only, Scrambled(1, draw.randint(3, 9))).agrees_with(reference.offset_only)
    expect(answer.offset_only, Scrambled(2, draw.randint(3, 9))).agrees_with(reference.offset_only)


def sizes(draw):
    """The lab's sizes, the smallest, and three drawn ones."""
    return *(probe.args[0] for probe in LANDMARKS.probes), 4, *draw.sample(reference.CLEAR_SIZES, 3)


@points(1, "landmarks")
def test_the_first_low(answer, shared_draw):
    for d in sizes(shared_draw):
        expect(answer.landmarks, d).agrees_with(reference.first_minimum)


@points(1, "landmarks")
def test_the_first_crossing(answer, shared_draw):
    for d in sizes(shared_draw):
        expect(answer.landmarks, d).agrees_with(reference.first_crossing)


@points(1, "grid_similarity")
def test_patches_at_drawn_distances(answer, draw):
    expect(answer.grid_similarity).passes_the_check()
    for _ in range(4):
        dx, dy, d = draw.randint(-60, 60), draw.randint(-60, 60), 4 * draw.randint(2, 32)
        expect(answer.grid_similarity, dx, dy, d).agrees_with(reference.grid_similarity)
    expect(answer.grid_similarity, 0, draw.randint(1, 60), 4).agrees_with(reference.grid_similarity)
    expect(answer.grid_similarity, draw.randint(-60, -1), 0, 12).agrees_with(reference.grid_similarity)
