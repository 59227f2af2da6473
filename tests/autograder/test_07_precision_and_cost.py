"""Lab 07, precision and cost: what a submission must do."""

import pytest
from reference import precision_and_cost as reference

from encoding_labs.precision_and_cost.arguments import Positions, Timings
from encoding_labs.precision_and_cost.exercises import BY_DOUBLING
from labkit.grading.expect import expect

points = pytest.mark.points


def beyond(draw):
    """Positions that float32 does not hold, where the error at d = 2 is known."""
    return Positions(tuple(draw.randint(2**24, 2**30) for _ in range(24)))


@points(1, "float32_error")
def test_errors_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.float32_error).passes_the_check()
    expect(answer.float32_error, beyond(draw), 2).agrees_with(reference.float32_error)


@points(1, "float32_error")
def test_errors_at_drawn_positions(answer, draw):
    for most in (10_000, 1_000_000):
        drawn = Positions(tuple(draw.randint(most // 10, most) for _ in range(draw.randint(20, 30))))
        expect(answer.float32_error, drawn, 2 * draw.randint(16, 128)).agrees_with(reference.float32_error)
    expect(answer.float32_error, beyond(draw), 2).agrees_with(reference.float32_error)


@points(1, "first_bad_position")
def test_the_first_bad_position(answer, draw):
    expect(answer.first_bad_position).passes_the_check()
    expect(answer.first_bad_position, 2 * draw.randint(16, 64), draw.uniform(3e-4, 1e-3)).agrees_with(
        reference.first_bad_position
    )
    # No position is right for this tolerance and for the one before.
    expect(answer.first_bad_position, 2 * draw.randint(16, 64), draw.uniform(1e-5, 1.3e-5)).agrees_with(
        reference.first_bad_position
    )
    expect(answer.first_bad_position, 2, draw.uniform(2e-10, 5e-9)).agrees_with(reference.first_bad_position)
    tolerances = [draw.uniform(3e-4, 6e-4) for _ in range(4)]
    stays = [answer.first_bad_position(32, each) == answer.first_bad_position(32, 1.003 * each) for each in tolerances]
    assert any(stays), (
        "every small change of the tolerance moves the position, as it does in a rule of thumb, not in a search"
    )


@points(1, "by_doubling")
def test_short_tables(answer, draw):
    expect(answer.by_doubling).passes_the_check(*BY_DOUBLING.probes[:-1])
    for T in (draw.randint(2, 9), 64, 128):
        expect(answer.by_doubling, T, 2 * draw.randint(1, 20)).agrees_with(reference.by_doubling)


@points(1, "by_doubling")
def test_lengths_that_are_no_power_of_two(answer, draw):
    for power in (64, 512, 1_024):
        expect(answer.by_doubling, power + draw.randint(1, power - 1), 2 * draw.randint(2, 32)).agrees_with(
            reference.by_doubling
        )


@points(1, "by_doubling")
def test_as_exact_far_out_as_at_the_start(answer, draw):
    expect(answer.by_doubling, 131_072 - draw.randint(0, 9_000), 4).agrees_with(reference.by_doubling)


@points(1, "by_doubling")
def test_as_exact_in_many_columns(answer, draw):
    expect(answer.by_doubling, draw.randint(700, 900), 512).agrees_with(reference.by_doubling)


@points(1, "cost")
def test_exponents_of_drawn_laws(answer, draw):
    expect(answer.cost).passes_the_check()
    for _ in range(3):
        law = Timings(round(draw.uniform(0.3, 2.5), 2), round(draw.uniform(0.3, 2.5), 2), draw.randint(10, 10**6))
        expect(answer.cost, law).agrees_with(reference.cost)
