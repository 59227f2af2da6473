"""Lab 03, rotation proof: what a submission must do."""

from functools import partial

import numpy as np
import pytest
from reference import rotation_proof as reference

from encoding_labs.rotation_proof.proof_steps import judge_proof
from encoding_labs.tables import Table
from labkit.grading.expect import expect

points = pytest.mark.points


@points(1, "shift_matrix")
def test_shift_matrix_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.shift_matrix).passes_the_check()
    expect(answer.shift_matrix, draw.randint(1, 20), draw.choice((12, 14, 18, 22))).agrees_with(reference.shift_matrix)


@points(1, "shift_matrix")
def test_shift_matrix_at_drawn_offsets(answer, draw):
    for _ in range(3):
        expect(answer.shift_matrix, draw.randint(1, 20), 2 * draw.randint(2, 32)).agrees_with(reference.shift_matrix)


@points(1, "shift_matrix")
def test_shifts_by_nothing_and_backwards(answer, draw):
    for k in (0, -draw.randint(1, 20)):
        expect(answer.shift_matrix, k, 2 * draw.randint(1, 32)).agrees_with(reference.shift_matrix)


@points(1, "shift")
def test_shift_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.shift).passes_the_check()
    expect(answer.shift, Table(draw.randint(3, 60), 12), draw.randint(1, 20)).agrees_with(reference.shift)


@points(1, "shift")
def test_shift_of_drawn_tables(answer, draw):
    for k in (draw.randint(1, 20), 0, -draw.randint(1, 20)):
        table = Table(draw.randint(3, 60), 2 * draw.randint(1, 32))
        expect(answer.shift, table, k).agrees_with(reference.shift)
    made_by_nothing = np.random.default_rng(draw.randint(0, 2**32)).uniform(-1, 1, (draw.randint(5, 40), 8))
    expect(answer.shift, made_by_nothing.astype(np.float32), draw.randint(1, 20)).agrees_with(reference.shift)


def follow(answer, *steps):
    expect(answer.proof, "p", "k", "j", "omega").follows(partial(judge_proof, steps=steps))


@points(1, "proof")
def test_the_pair_at_p_plus_k_is_expanded(answer):
    follow(answer, 1, 2)


@points(1, "proof")
def test_a_matrix_without_p_makes_the_shift(answer):
    follow(answer, 2, 3)


@points(1, "proof")
def test_shifts_compose_and_can_be_taken_back(answer):
    follow(answer, 3, 4, 5, 6)


@points(1, "sines_alone")
def test_sines_alone_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.sines_alone).passes_the_check()
    expect(answer.sines_alone, draw.randint(60, 200), 6, draw.randint(1, 12)).agrees_with(reference.sines_alone)


@points(1, "sines_alone")
def test_sines_alone_at_drawn_sizes(answer, draw):
    for _ in range(3):
        T, d, k = draw.randint(60, 200), draw.choice((2, 4, 6, 8)), draw.randint(1, 12)
        expect(answer.sines_alone, T, d, k).agrees_with(reference.sines_alone)


@points(1, "which_mistakes_survive")
def test_which_mistakes_survive(answer):
    expect(answer.which_mistakes_survive).passes_the_check()
