"""A search is held to the errors it goes by: its student's own float32_error, whether that is right or wrong."""

import numpy as np
import pytest
from in_process import verdicts
from longer import times

from autograder.precision_and_cost.samples import first_bad_position, float32_error, largest

ERRORS = {sample.style: sample.answer for sample in float32_error.ANSWERS}
NOT_SEARCHED = {  # no error for each position, none at all, or one over every tolerance at once
    "no_float32_at_all",
    "float32_in_both_tables",
    "largest_of_each_column",
    "largest_of_all",
    "every_difference",
    "exponent_k_over_d",
    "halves_against_interleaved",
    "nothing_returned",
    "positions_counted",
    "not_a_number",
}


def earns_its_point(search, errors, seed=1):
    (verdict,) = verdicts("first_bad_position", search, seed, float32_error=errors)
    return verdict.passed


def search_by(errors, block=4096):
    def search(d, tolerance):
        for start in range(0, 2**18, block):
            bad = np.asarray(errors(np.arange(start, start + block), d)) > tolerance
            if bad.any():
                return start + int(np.argmax(bad))

    return search


SLOW = {"a_loop_over_positions", "loops_over_numbers", "sines_of_python"}
FAST = [style for style in ERRORS if style not in NOT_SEARCHED | SLOW]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("style", FAST)
def test_a_right_search_keeps_its_point_whatever_its_errors_are(style):
    assert all(earns_its_point(search_by(ERRORS[style]), ERRORS[style], seed) for seed in (1, 2))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("style", ["the_angles_error", "no_absolute_value", "sines_alone", "largest_of_each_column"])
def test_a_search_that_is_right_by_the_formula_keeps_its_point_beside_wrong_errors(style):
    assert earns_its_point(first_bad_position.block_after_block, ERRORS[style])


@pytest.mark.filterwarnings("ignore")
def test_errors_that_raise_do_not_cost_the_point_of_a_search():
    def broken(positions, d):
        raise ZeroDivisionError

    assert earns_its_point(first_bad_position.block_after_block, broken)


WRONG = [sample for sample in first_bad_position.ANSWERS if "unseen" in sample.mistakes]


@pytest.mark.parametrize("sample", WRONG, ids=lambda sample: sample.style)
def test_what_the_check_takes_for_right_earns_nothing(sample):
    """With seed 1 no sample does (test_grader_graded.py)."""
    assert not [seed for seed in range(2, times(4, 7)) if earns_its_point(sample.answer, largest, seed)]


@pytest.mark.parametrize("errors", [lambda p, d: np.ones(len(p)), lambda p, d: np.zeros(len(p))], ids=["ones", "zeros"])
@pytest.mark.parametrize("position", [0, 1, 2**14, 29_154])
def test_errors_made_up_for_one_position_earn_no_point(errors, position):
    assert not earns_its_point(lambda d, tolerance: position, errors)
