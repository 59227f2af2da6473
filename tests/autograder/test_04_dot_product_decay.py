"""Lab 04, dot-product decay: what a submission must do."""

import numpy as np
import pytest
from reference import dot_product_decay as reference

from encoding_labs.tables import Table
from labkit.course import Arange
from labkit.grading.expect import expect

points = pytest.mark.points


@points(1, "similarity")
def test_similarity_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.similarity).passes_the_check()
    expect(answer.similarity, Table(40, 12), draw.randint(1, 39)).agrees_with(reference.similarity)


@points(1, "similarity")
def test_similarity_of_drawn_tables(answer, draw):
    for _ in range(2):
        T, d = draw.randint(20, 120), 2 * draw.randint(2, 32)
        expect(answer.similarity, Table(T, d), draw.randint(1, T - 1)).agrees_with(reference.similarity)
    any_table = np.array([[draw.uniform(-1, 1) for _ in range(6)] for _ in range(draw.randint(8, 20))])
    expect(answer.similarity, any_table, draw.randint(1, 7)).agrees_with(reference.similarity)


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


@points(1, "offset_only")
def test_offset_only_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.offset_only).passes_the_check()
    expect(answer.offset_only, draw.randint(40, 90), 24, "float32").agrees_with(reference.offset_only)


@points(1, "offset_only")
def test_offset_only_at_drawn_sizes(answer, draw):
    T, d = draw.randint(40, 150), 2 * draw.randint(8, 48)
    for dtype in ("float64", "float32"):
        expect(answer.offset_only, T, d, dtype).agrees_with(reference.offset_only)


@points(1, "landmarks")
def test_landmarks_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.landmarks).passes_the_check()
    expect(answer.landmarks, draw.choice(reference.CLEAR_SIZES)).agrees_with(reference.landmarks)


@points(1, "landmarks")
def test_landmarks_at_drawn_sizes(answer, draw):
    for d in draw.sample(reference.CLEAR_SIZES, 3):
        expect(answer.landmarks, d).agrees_with(reference.landmarks)
