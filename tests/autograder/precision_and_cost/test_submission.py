"""Lab 07, precision and cost: what a submission must do."""

import pytest

from encoding_labs.precision_and_cost.arguments import Positions, Timings, turning
from encoding_labs.precision_and_cost.exercises import DOUBLE, FIRST_BAD_POSITION, FLOAT32_ERROR
from labkit.judge.expect import expect

from . import reference, searches
from .places import places

points = pytest.mark.points


def beyond(draw):
    """Positions that float32 does not hold, where the error at d = 2 is known."""
    return Positions(tuple(draw.randint(2**24, 2**30) for _ in range(24)))


@points(1, "float32_error")
def test_errors_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.float32_error).passes_the_check(*FLOAT32_ERROR.probes[:3])
    expect(answer.float32_error, beyond(draw), 2).agrees_with(reference.float32_error)


@points(1, "float32_error")
def test_errors_at_drawn_positions(answer, draw):
    for most in (10_000, 1_000_000):
        drawn = Positions(tuple(draw.randint(most // 10, most) for _ in range(draw.randint(20, 30))))
        expect(answer.float32_error, drawn, 2 * draw.randint(16, 128)).agrees_with(reference.float32_error)
    expect(answer.float32_error).passes_the_check(*FLOAT32_ERROR.probes[3:])
    drawn = Positions(tuple(draw.randint(10**5, 2**23) for _ in range(600)))
    expect(answer.float32_error, drawn, 4).agrees_with(reference.float32_error)
    expect(answer.float32_error, beyond(draw), 2).agrees_with(reference.float32_error)
    drawn = Positions(tuple(draw.randint(1, 2**16) for _ in range(200)))
    expect(answer.float32_error, drawn, 2).agrees_with(reference.float32_error)


@points(1, "first_bad_position")
def test_the_first_bad_position(answer, draw):
    if not answer.float32_error.findings:
        expect(answer.first_bad_position).passes_the_check(*FIRST_BAD_POSITION.probes[:-1])
    search = searches.Search(answer.float32_error.call, draw)
    for call in search.calls:
        expect(answer.first_bad_position, *call).follows(search)
    if not follows_made_up_errors(answer, draw, search):
        for call in search.further():
            expect(answer.first_bad_position, *call).follows(search)


def follows_made_up_errors(answer, draw, search):
    """Expect a search to find its position at every place, if it asks for errors at all; whether it does."""
    for place in places(draw) if search.own else ():
        expect(answer.first_bad_position, *place.args).follows(place)
        if not place.asked:
            return False
    return search.own


def doubled(answer, draw, n, m):
    """Expect the answer to double n rows of m pairs whose first row and frequencies are drawn."""
    omega = round(draw.uniform(0.7, 1.2), 3), draw.choice((100.0, 2_000.0, 60_000.0))
    expect(answer.double, *turning(n, m, *omega, draw.randint(10, 10**6))).agrees_with(reference.double)


@points(1, "double")
def test_few_rows(answer, draw):
    expect(answer.double).passes_the_check(*DOUBLE.probes[:-1])
    for n in (2, 4, 6):
        doubled(answer, draw, n, draw.randint(2, 20))


@points(1, "double")
def test_one_row_and_odd_numbers_of_rows(answer, draw):
    for n in (1, 2 * draw.randint(1, 5) + 1, 2 * draw.randint(100, 400) + 1):
        doubled(answer, draw, n, draw.randint(2, 20))


@points(1, "double")
def test_as_exact_for_many_rows(answer, draw):
    doubled(answer, draw, 2 * draw.randint(31_000, 32_768), 2)


@points(1, "double")
def test_as_exact_in_many_columns(answer, draw):
    doubled(answer, draw, 2 * draw.randint(175, 225), 256)


@points(1, "cost")
def test_exponents_of_drawn_laws(answer, draw):
    expect(answer.cost).passes_the_check()
    for further, rounds in ((0, 5), (draw.randint(1, 2), 4), (draw.randint(1, 2), draw.randint(6, 7))):
        law = round(draw.uniform(0.3, 2.5), 2), round(draw.uniform(0.3, 2.5), 2), draw.randint(10, 10**6)
        expect(answer.cost, Timings(*law, 3, further, rounds)).agrees_with(reference.cost)
