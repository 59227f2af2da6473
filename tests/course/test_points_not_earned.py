"""Answers that try to earn points without solving the task earn none."""

import numpy as np
import pytest
from in_process import verdicts
from longer import LONG

from autograder.build_the_table.samples import name_the_mistake
from autograder.heatmap.samples import draw_columns, draw_heatmap
from autograder.precision_and_cost.samples import double
from autograder.rotation_proof.samples import shift
from autograder.samples import all_samples
from encoding_labs import COURSE
from labkit.grade.judge.answers import Handle
from labkit.student.model import project
from labkit.student.notebook.examine import examine
from labkit.student.notebook.expected import graders_expected
from minimodel.positional.sinusoidal import sinusoidal_pe


def shift_without_looking(pe, k):
    T, d = pe.shape
    if k >= 0:
        return sinusoidal_pe(T + k, d)[k:].astype(np.float64)
    rows = sinusoidal_pe(max(T, -k) + 1, d).astype(np.float64)
    rows[:, 0::2] *= -1
    return np.concatenate([rows[-k : max(-k - T, 0) : -1], sinusoidal_pe(T, d)])[:T]


def refuses_and_knows_nothing(T, d):
    if T < 0 or d <= 0 or d % 2:
        raise ValueError
    return 0


def refuses_and_gives_one_value(T, d):
    if T < 0 or d <= 0 or d % 2:
        raise ValueError
    return np.zeros((T, d), np.float32)


def refuses_lengths_and_knows_no_base(length, d):
    if length < 7 or d < 4:
        raise ValueError
    return 0.0


def letters_by_heart(tables):
    return {"A", "C", "F"}


def position_by_a_rule_of_thumb(d, tolerance):
    return max(1, round(tolerance / 1e-7))


def one_position_for_all(d, tolerance):
    return 1 if d == 2 else 29_000


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("exercise", "answer", "most"),
    [
        ("shift", shift_without_looking, 0),
        ("shift", shift.the_matrix_all_the_same, 1.5),
        ("which_mistakes_survive", letters_by_heart, 0),
        ("sinusoidal_pe", refuses_and_knows_nothing, 0),
        ("sinusoidal_pe", refuses_and_gives_one_value, 0),
        ("base_for_length", refuses_lengths_and_knows_no_base, 0),
        ("first_bad_position", position_by_a_rule_of_thumb, 0),
        ("first_bad_position", one_position_for_all, 0),
        ("double", double.the_formula_of_lab_01, 0),
        ("double", double.the_formula_of_the_position, 0),
        ("double", double.turned_by_omega, 0),
        ("double", double.the_angle_in_float32, 1),
        ("name_the_mistake", name_the_mistake.what_the_lab_shows_whatever_goes_in, 0),
        ("name_the_mistake", name_the_mistake.what_the_lab_shows_in_the_order_of_the_letters, 0),
        ("name_the_mistake", name_the_mistake.only_tables_of_the_labs_size, 0),
        ("name_the_mistake", name_the_mistake.zeros_in_row_0_alone, 0),
        ("draw_heatmap", draw_heatmap.on_the_current_axes, 0),
        ("draw_heatmap", draw_heatmap.labels_on_the_current_axes, 3),
        ("draw_heatmap", draw_heatmap.bar_of_something_else, 3),
        ("draw_columns", draw_columns.on_the_current_axes, 0),
        ("draw_columns", draw_columns.labels_on_the_current_axes, 1),
    ],
)
def test_it_is_not_earned(exercise, answer, most):
    assert sum(each.points for each in verdicts(exercise, answer)) <= most


@pytest.mark.filterwarnings("ignore")
def test_mistakes_can_be_named_from_drawn_calls_alone(monkeypatch):
    """If the check in the lab finds nothing wrong, grading can name mistakes only from calls with drawn arguments."""
    monkeypatch.setattr(Handle, "findings", ())
    for _, sample in all_samples()[:: 1 if LONG else 16]:
        list(verdicts(sample.exercise, sample.answer, seed=3))


RAGGED = [
    [],
    [1],
    [[1.0, 2.0], [3.0]],
    [[1], 2],
    {"a": 1},
    (1, [2]),
    "text",
    None,
    True,
    1 + 2j,
    np.zeros((2, 0)),
    np.array(["a"]),
]


@pytest.mark.parametrize("name", COURSE.names)
def test_arbitrary_values_break_no_recognizer(name):
    """A list of rows of different lengths once raised an error that stopped the grading of the submission."""
    expected = graders_expected(project.current(), COURSE.labs[name])
    for exercise in COURSE.labs[name].exercises:
        if exercise.checked and exercise.probes and exercise.kind in ("function", "value"):
            for value in RAGGED:
                assert examine(COURSE, exercise, lambda probe: value, expected).line(), (exercise.name, value)
