"""Test lab 07's `first_bad_position`: a search is graded with the student's own float32_error, right or wrong."""

import random
from functools import lru_cache
from types import FunctionType

import numpy as np
import pytest
from handouts import Handout
from in_process import verdicts
from longer import times

from autograder.precision_and_cost.places import places
from autograder.precision_and_cost.samples import first_bad_position, float32_error, largest
from labkit.grade.judge.judge import judge_file
from labkit.student.calls.calling import call_answer
from labkit.student.judging.observation import Observation
from labkit.student.model import project

ERRORS = {sample.style: sample.answer for sample in float32_error.ANSWERS}
NOT_SEARCHED = {  # float32_error answers that do not return one error per position, or whose errors are always 0 or always too large
    "no_float32_at_all",
    "float32_in_both_tables",
    "largest_of_each_column",
    "largest_of_all",
    "every_difference",
    "exponent_k_over_d",
    "exponent_k_over_d_in_the_exact_table",
    "the_column_of_the_largest",
    "halves_against_interleaved",
    "nothing_returned",
    "positions_counted",
    "not_a_number",
}


def points_of(search, errors, seed=1):
    """The points that a search earns with this float32_error: 0, 1 or 2."""
    return sum(verdict.passed for verdict in verdicts("first_bad_position", search, seed, float32_error=errors))


def search_asking(errors):
    def search(d, tolerance):
        for start in range(0, 2**18, 4096):
            bad = np.asarray(float32_error(np.arange(start, start + 4096), d)) > tolerance
            if bad.any():
                return start + int(np.argmax(bad))

    return FunctionType(search.__code__, {"np": np, "float32_error": errors})


SLOW = {"a_loop_over_positions", "sines_of_python"}
FAST = [style for style in ERRORS if style not in NOT_SEARCHED | SLOW]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("style", FAST)
def test_a_right_search_keeps_its_points_whatever_its_errors_are(style):
    found = [points_of(search_asking(ERRORS[style]), ERRORS[style], seed) for seed in range(1, times(2, 3))]
    assert all(points == 2 for points in found)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("style", ["the_angles_error", "no_absolute_value", "sines_alone", "largest_of_each_column"])
def test_a_search_that_is_right_by_the_formula_keeps_its_points_beside_wrong_errors(style):
    assert points_of(first_bad_position.block_after_block, ERRORS[style]) == 2


@pytest.mark.filterwarnings("ignore")
def test_errors_that_raise_do_not_cost_the_points_of_a_search():
    def broken(positions, d):
        raise ZeroDivisionError

    assert points_of(first_bad_position.block_after_block, broken) == 2


WRONG = [sample for sample in first_bad_position.ANSWERS if "unseen" in sample.mistakes]


@pytest.mark.parametrize("sample", WRONG, ids=lambda sample: sample.style)
def test_a_wrong_search_that_passes_the_check_loses_at_least_one_point(sample):
    """Uses other seeds than test_grader_graded.py, which tests every sample with seed 1."""
    assert not [seed for seed in range(2, times(4, 7)) if points_of(sample.answer, largest, seed) == 2]


@pytest.mark.parametrize("errors", [lambda p, d: np.ones(len(p)), lambda p, d: np.zeros(len(p))], ids=["ones", "zeros"])
@pytest.mark.parametrize("position", [0, 1, 2**14, 29_154])
def test_a_fixed_position_earns_no_points_with_made_up_errors(errors, position):
    assert points_of(lambda d, tolerance: position, errors) == 0


def invented(positions, d):
    return np.asarray(positions) * 1e-9


def right_but_for_long_ranges(positions, d):
    return invented(positions, d) if len(positions) > 9_999 else largest(positions, d)


def by_division(d, tolerance):
    return int(tolerance / 1e-9) + 1


def by_division_after_asking(d, tolerance):
    float32_error(np.arange(10), d)
    return by_division(d, tolerance)


@pytest.mark.parametrize("search", [by_division, by_division_after_asking])
@pytest.mark.parametrize("errors", [invented, right_but_for_long_ranges])
def test_a_search_fitted_to_invented_errors_earns_no_points(search, errors):
    assert points_of(search, errors) == 0


def passed_over(search, **names):
    """Try a search on made-up errors, and yield each first bad position that it misses. `names` are globals for the search."""
    function = type(search)(search.__code__, {"float32_error": largest, "np": np, **names}, closure=search.__closure__)
    for place in places(random.Random(1)):
        found = call_answer({"search": function}, "search", "search", place.args)
        observation = Observation(None, place.args, found)
        if place(observation) or found[1] is not True:
            yield place.position


def searching(step, skip, stop):
    """Make a search in blocks that start `step` apart. In each block it looks at offsets from `skip` to `stop` - 1."""

    def search(d, tolerance):
        for start in range(0, 2**19, step):
            bad = float32_error(np.arange(start + skip, start + stop), d) > tolerance
            if bad.any():
                return start + skip + int(np.argmax(bad))

    return search


SIZES = [2**power for power in range(8, 17)] + [
    n * 1_000 for n in (1, 2, 3, 4, 5, 6, 8, 10, 20, 25, 30, 40, 50, 60, 100)
]


@pytest.mark.parametrize("size", SIZES)
def test_no_position_where_blocks_meet_can_be_left_out(size):
    assert not any(passed_over(searching(size, 0, size)))
    assert any(passed_over(searching(size + 1, 0, size)))
    assert any(passed_over(searching(size, 0, size - 1)))
    assert any(passed_over(searching(size, 1, size)))


def one_by_one(d, tolerance):
    p = 0
    while float32_error(np.array([p]), d)[0] <= tolerance:
        p += 1
    return p


def scalars(d, tolerance):
    p = 0
    while float32_error(p, d) <= tolerance:
        p += 1
    return p


def by_name(d, tolerance):
    return np.flatnonzero(float32_error(d=d, positions=np.arange(200_000)) > tolerance)[0]


def one_row(positions, d):
    return largest(np.atleast_1d(positions), d)[0] if np.ndim(positions) == 0 else largest(positions, d)


@pytest.mark.parametrize("search", [one_by_one, scalars, by_name, lru_cache(by_name)])
def test_made_up_errors_have_the_same_form_as_real_ones(search, monkeypatch):
    monkeypatch.setitem(globals(), "float32_error", one_row)
    for place in list(places(random.Random(2)))[:4]:
        found = call_answer({"search": search}, "search", "search", place.args)
        assert found == [place.position, True]
    assert float32_error is one_row


@pytest.mark.parametrize(("end", "points"), [(200_000, 2), (150_000, 1)])
def test_far_positions_are_searched_in_a_kernel(end, points, tmp_path):
    source = f"""def first_bad_position(d, tolerance):
    for start in range(0, {end}, 5000):
        bad = float32_error(np.arange(start, start + 5000), d) > tolerance
        if bad.any():
            return start + int(np.argmax(bad))"""
    lab = "07_precision_and_cost"
    path = Handout(lab, solved=True).write("first_bad_position", source).save(tmp_path / f"{lab}.ipynb")
    result = judge_file(project.current(), path, "ada", 1)
    assert sum(map(result.points, result.of_exercise("first_bad_position"))) == points
