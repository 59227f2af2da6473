"""Feedback of labs 05 to 07 that used to be misleading has its new words and none of the old ones."""

import numpy as np
import pytest

from autograder.base_sweep.samples import draw_sweep, sweep
from autograder.order_for_attention.samples import attention, score_parts
from autograder.precision_and_cost.samples import double, first_bad_position, float32_error
from encoding_labs import COURSE
from labkit.student.judging.words import say_all
from labkit.student.notebook.examine import examination_of


def said(exercise, answer, language="en"):
    return say_all(exercise, examination_of(COURSE, exercise, {exercise: answer}).findings, language)


def index_within_a_block(d, tolerance):
    return first_bad_position.block_after_block(d, tolerance) % 1_024


def always_0001(d, tolerance):
    return first_bad_position.block_after_block(d, 1e-3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("exercise", "answer", "says", "never_says"),
    [
        ("float32_error", float32_error.positions_counted, "which rows to compute", "are float64"),
        ("float32_error", float32_error.not_a_number, "contains nan at index 0", "a ndarray"),
        ("float32_error", float32_error.exponent_k_over_d_in_both, "there are two frequencies", "again and again"),
        ("float32_error", float32_error.base_1000_in_both, "Print the other, in both", "Print the dtype"),
        ("float32_error", float32_error.degrees_in_both, "Print the angle of position 1", "Print the dtype"),
        ("double", double.float16_on_the_way, "Entries are off by up to", "All entries"),
        ("first_bad_position", always_0001, "Does your search use the tolerance", "and at every column"),
        ("wavelengths", lambda d, base: 6.28 * base ** (2 * np.arange(d // 2) / d), "6.28 radians", "at index 0"),
        ("first_bad_position", index_within_a_block, "is an index within a block a position", "no entry is wrong"),
        ("first_bad_position", first_bad_position.printed, "is there a return", "argmax"),
        (
            "first_bad_position",
            first_bad_position.the_start_of_the_block,
            "the start of a block",
            "too large by one",
        ),
        ("first_bad_position", first_bad_position.by_theory, "row 0 is exact", "too large by one"),
        (
            "first_bad_position",
            first_bad_position.close_to_numpy,
            "without changing either of them",
            "too large by one",
        ),
        (
            "first_bad_position",
            first_bad_position.powers_of_two_from_two,
            "look at every position",
            "does the index that you found count",
        ),
        ("score_parts", score_parts.entries_multiplied, "one number for each token and column", "each two columns"),
        (
            "score_parts",
            score_parts.the_second_part_twice,
            "position-content contains the values of content-position",
            "factor",
        ),
        (
            "attention",
            attention.the_fourth_root_in_the_values_too,
            "or you average rows that were multiplied",
            "Their proportions",
        ),
        ("sweep", sweep.an_array_of_whole_numbers, "column holds whole numbers", "Which table do you measure"),
        ("draw_sweep", draw_sweep.both_axes_logarithmic, "The similarity axis is log too", "off at"),
        ("sweep", sweep.the_base_as_a_first_column, "shape (5, 4)", "the base itself"),
        ("draw_sweep", draw_sweep.points_and_no_lines, "has no lines", "Check these bases"),
        ("draw_sweep", draw_sweep.always_32_dimensions, "draw_sweep((20, 3000), 8) the line for base 20", "base 10 "),
        ("draw_sweep", draw_sweep.bases_in_scientific_form, "Check these bases: 10", "first goes wrong"),
    ],
)
def test_feedback_states_the_value_returned(exercise, answer, says, never_says):
    words = said(exercise, answer)
    assert says in words and never_says not in words, words
    assert said(exercise, answer, "es") not in ("", words)


def test_an_infinite_error_is_reported_at_its_place():
    def one_division(positions, d):
        errors = float32_error.as_the_locked_module_writes_it(positions, d)
        return np.where(np.arange(len(errors)) == 2, np.inf, errors)

    assert "contains inf at index 2" in said("float32_error", one_division)
