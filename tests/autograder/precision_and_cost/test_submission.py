"""Graded tests of lab 07, precision and cost."""

import pytest

from encoding_labs.precision_and_cost.arguments import Positions, Seconds, turning
from encoding_labs.precision_and_cost.exercises import DOUBLE, FIRST_BAD_POSITION, FLOAT32_ERROR
from labkit.judge.expect import expect
from labkit.model.course import Probe
from labkit.student.judging.observation import Observation

from . import reference, searches
from .places import early_places, places

points = pytest.mark.points


def beyond(draw):
    """Draw positions above 2**24, which float32 rounds. At d = 2 the resulting error is the same on every machine."""
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
def test_the_first_bad_position(answer, draw, shared_draw):
    if not answer.float32_error.findings:
        expect(answer.first_bad_position).passes_the_check(*FIRST_BAD_POSITION.probes[:-1])
    asks = all(finds(answer, place) for place in early_places(draw))
    search = searches.Search(answer.float32_error.call, shared_draw, asks)
    for call in search.calls:
        expect(answer.first_bad_position, *call).follows(search)


@points(1, "first_bad_position")
def test_no_position_is_passed_over(answer, draw, shared_draw):
    if searches.Search(answer.float32_error.call, shared_draw, asks=True).own and follows_made_up_errors(answer, draw):
        return
    search = searches.Search(answer.float32_error.call, draw, asks=False)
    for call in (*search.calls, *search.further()):
        expect(answer.first_bad_position, *call).follows(search)


def finds(answer, place):
    """Whether a search finds a position where made-up errors turn bad, by asking for the errors."""
    seen = Observation(FIRST_BAD_POSITION, place.args, answer.first_bad_position.call(Probe(place.args)))
    return place(seen) is None and place.asked


def follows_made_up_errors(answer, draw):
    """Expect a search to find every position where made-up errors turn bad. Returns False if it never asks for the errors."""
    for place in places(draw):
        expect(answer.first_bad_position, *place.args).follows(place)
        if not place.asked:
            return False
    return True


def doubled(answer, draw, n, m, times=1):
    """Expect the answer to double n rows of m pairs. The first row and the frequencies are random; `times` multiplies the frequencies."""
    omega = round(times * draw.uniform(0.7, 1.2), 3), draw.choice((100.0, 2_000.0, 60_000.0))
    expect(answer.double, *turning(n, m, *omega, draw.randint(10, 10**6))).agrees_with(reference.double)


@points(1, "double")
def test_few_rows(answer, draw):
    expect(answer.double).passes_the_check(*DOUBLE.probes[:-1])
    for n in (2, 4, 6):
        doubled(answer, draw, n, draw.randint(2, 20))


@points(1, "double")
def test_one_row_and_odd_numbers_of_rows(answer, draw):
    for n in (1, 2 * draw.randint(1, 5) + 1):
        doubled(answer, draw, n, draw.randint(2, 20))
    # With this many rows, float32 angles are always too inexact.
    doubled(answer, draw, 2 * draw.randint(7_000, 8_191) + 1, 2, times=4)


@points(1, "double")
def test_as_exact_for_many_rows(answer, draw):
    doubled(answer, draw, 2 * draw.randint(7_000, 8_192), 2, times=4)  # angles up to about 65,536


@points(1, "double")
def test_as_exact_in_many_columns(answer, draw):
    doubled(answer, draw, 2 * draw.randint(50, 60), 256)


@points(1, "time_of_day")
def test_the_time_of_day_since_a_late_start(answer, draw):
    expect(answer.time_of_day).passes_the_check()
    for n in (1, draw.randint(5, 9)):
        seconds = Seconds(tuple(draw.randint(0, 4 * reference.DAY) / 4 for _ in range(n)))
        expect(answer.time_of_day, draw.randint(1_100_000_000, 2_000_000_000), seconds).agrees_with(
            reference.time_of_day
        )
