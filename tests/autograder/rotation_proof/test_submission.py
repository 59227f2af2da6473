"""Graded tests of lab 03, rotation proof."""

from functools import partial

import numpy as np
import pytest

from encoding_labs.rotation_proof.proof_steps import judge_step
from encoding_labs.rotation_proof.symbolic_arguments import Row
from encoding_labs.tables import Table
from labkit.judge.expect import expect

from . import reference
from .spoiled_tables import spoiled

points = pytest.mark.points


@points(1, "shift_matrix")
def test_shift_matrix_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.shift_matrix).passes_the_check()
    expect(answer.shift_matrix, draw.randint(1000, 9000), draw.choice((12, 14, 18, 22))).agrees_with(
        reference.shift_matrix
    )


@points(1, "shift_matrix")
def test_shift_matrix_at_drawn_offsets(answer, draw):
    for _ in range(3):
        expect(answer.shift_matrix, draw.randint(1, 20), 2 * draw.randint(2, 32)).agrees_with(reference.shift_matrix)


@points(1, "shift_matrix")
def test_shifts_by_nothing_and_backwards(answer, draw):
    for offset in (0, -draw.randint(1, 20)):
        expect(answer.shift_matrix, offset, 2 * draw.randint(1, 32)).agrees_with(reference.shift_matrix)


def drawn_rows(draw, T, d):
    """Make a table of random numbers, so that no formula can stand in for it."""
    return np.random.default_rng(draw.randint(0, 2**32)).uniform(-1, 1, (T, d)).astype(np.float32)


@points(1, "shift")
def test_shift_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.shift).passes_the_check()
    expect(answer.shift, drawn_rows(draw, draw.randint(3, 40), 12), draw.randint(1, 20)).agrees_with(reference.shift)


@points(0.5, "shift")
def test_shift_of_drawn_tables(answer, draw):
    for offset in (draw.randint(1, 20), 0, -draw.randint(1, 20)):
        table = Table(draw.randint(3, 60), 2 * draw.randint(1, 32))
        expect(answer.shift, table, offset).agrees_with(reference.shift)
    T, offset = draw.randint(5, 40), draw.randint(1, 20)
    for _ in range(2):  # two tables of the same shape
        expect(answer.shift, drawn_rows(draw, T, 8), offset).agrees_with(reference.shift)


@points(0.5, "shift")
def test_shift_of_a_table_too_wide_for_a_matrix(answer, draw):
    """The matrix would have almost 5 billion entries: even in bytes, more than a kernel's memory."""
    expect(answer.shift, drawn_rows(draw, 1, 70_000), -draw.randint(1, 20)).agrees_with(reference.shift)


def right(answer, step):
    expect(answer.proof, "p", "a", "b", "omega").follows(partial(judge_step, step=step))


@points(0.5, "proof")
def test_step_1_is_the_pair_at_p_plus_a(answer):
    right(answer, 1)


@points(0.5, "proof")
def test_step_2_takes_it_apart(answer):
    right(answer, 2)


@points(0.5, "proof")
def test_step_3_is_a_matrix_without_p(answer):
    right(answer, 3)


@points(0.5, "proof")
def test_step_4_is_the_product_of_two_shifts(answer):
    right(answer, 4)


@points(0.5, "proof")
def test_step_5_puts_it_together(answer):
    right(answer, 5)


@points(0.5, "proof")
def test_step_6_takes_a_shift_back(answer):
    right(answer, 6)


@points(1, "rotations")
def test_rotations_in_drawn_matrices(answer, draw):
    expect(answer.rotations).passes_the_check()
    for d in (2, 2 * draw.randint(2, 20)):
        expect(answer.rotations, drawn_rows(draw, d, d)).agrees_with(reference.rotations)


@points(1, "rotations")
def test_rotations_of_one_example(answer, draw):
    """One look at any offset leaves that offset's matrix."""
    for _ in range(2):
        d, looked, offset = 2 * draw.randint(2, 32), draw.randint(0, 500), draw.randint(1, 30)
        example = np.outer(reference.table(1, d, looked + offset), reference.table(1, d, looked))
        expect(answer.rotations, example).agrees_with(reference.rotations)


@points(1, "sines_alone")
def test_sines_alone_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.sines_alone).passes_the_check()
    expect(answer.sines_alone, draw.randint(60, 200), 6, draw.randint(1, 12)).agrees_with(reference.sines_alone)


@points(1, "sines_alone")
def test_sines_alone_at_drawn_sizes(answer, draw):
    for _ in range(3):
        T, d, offset = draw.randint(60, 200), draw.choice((2, 4, 6, 8)), draw.randint(1, 12)
        expect(answer.sines_alone, T, d, offset).agrees_with(reference.sines_alone)


@points(1, "which_mistakes_survive")
def test_which_mistakes_survive(answer, draw):
    expect(answer.which_mistakes_survive).passes_the_check()
    for lengths in ((24, 39), (41, 60)):  # shorter and longer than the lab's own tables
        expect(answer.which_mistakes_survive, spoiled(draw, *lengths)).agrees_with(reference.which_mistakes_survive)


@points(1, "next_row")
def test_the_row_after_two_of_an_unknown_table(answer, draw):
    expect(answer.next_row).passes_the_check()
    for pairs in (1, 3, draw.randint(5, 16)):
        omega, p = tuple(draw.uniform(0.01, 6.2) for _ in range(pairs)), draw.randint(0, 300)
        expect(answer.next_row, Row(p, omega), Row(p + 1, omega)).agrees_with(reference.next_row)
