"""The tolerance rule."""

import numpy as np
import pytest

from labkit.student.judging.compare import difference, kind_of
from labkit.student.judging.words import say
from labkit.student.model.course import Tolerance

RULE = Tolerance()
ANGLES = np.arange(64)[:, None] * 10.0 ** -np.arange(4)
TRUTH = np.concatenate([np.sin(ANGLES), np.cos(ANGLES)], axis=1)


def kind(actual, expected, dtype=None):
    found = difference(actual, expected, RULE, dtype)
    return found and found.id


def test_a_right_table_passes_that_the_defaults_of_allclose_reject():
    angles = ANGLES.astype(np.float32)
    table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    assert not np.allclose(table, TRUTH)
    assert kind(table, TRUTH, "float32") is None


@pytest.mark.parametrize(
    ("actual", "expected", "seen"),
    [
        ([0.0, 1.0], np.array([0.0, 1.0]), "container"),
        (None, np.array([1.0]), "container"),
        (np.array([]), np.array([1.0]), "shape"),  # np.allclose([], [1.0]) is True
        (np.float64(1.0), np.ones(3), "container"),  # a scalar would broadcast
        (np.ones((1, 3)), np.ones(3), "shape"),
        (np.ones(3), 1.0, "container"),
        (np.array([1.0, np.nan]), np.ones(2), "finite"),
        (np.array(["a", "b"]), np.ones(2), "dtype"),
        (np.array([1.0, 1.1]), np.ones(2), "values"),
        (np.ones(2, dtype=np.float64), np.ones(2), None),
        (3, 3.0, None),
        (np.int64(3), 3.0, None),
        (np.array(3.0), 3.0, None),
        ("3", 3.0, "container"),
    ],
)
def test_what_differs_first(actual, expected, seen):
    assert kind(actual, expected) == seen


@pytest.mark.parametrize(
    ("number", "right", "text"),
    [(25000.9127, 25000.85, "25000.91"), (6.2832, 2 * np.pi, "6.2832"), (1 + 1e-9, 1.0, "1.000000001"), (2.5, 1.0, "2.5"),
     (np.float32(0.1), 0.2, "0.1"), (np.inf, 1.0, "inf"), (123456789.0, 1.0, "1.23457e+08")],
)  # fmt: skip
def test_a_wrong_number_is_shown_with_the_digits_that_are_wrong(number, right, text):
    found = difference(np.array(number), right, Tolerance(absolute=1e-12, per_position=0))
    assert found.facts["seen"] == text


def test_dtype_is_compared_last_and_only_on_request():
    assert kind(np.ones(2), np.ones(2), "float32") == "dtype"
    assert kind(np.zeros(2), np.ones(2), "float32") == "values"


def test_the_tolerance_grows_with_the_position():
    expected, off = np.zeros((1000, 2)), np.zeros((1000, 2))
    off[999, 1] = 4e-4
    assert kind(off, expected) is None and kind(1.5 * off, expected) == "values"
    off[1, 1] = 4e-6
    found = difference(off, expected, RULE)
    assert found.facts["where"].facts == {"row": 1, "column": 1} and found.facts["columns"].facts == {"columns": "1"}


@pytest.mark.parametrize("wrong", [lambda t: np.round(t, 4), lambda t: t.astype(np.float16).astype(np.float32)])
def test_lost_precision_is_wrong(wrong):
    assert kind(wrong(TRUTH), TRUTH) == "values"


def test_things_are_described_in_words():
    said = [say("", kind_of(value)) for value in (None, [1], 3, np.zeros((2, 3)))]
    assert said == ["None (is there a return?)", "a list", "an int", "an array of shape (2, 3)"]
    assert say("", kind_of(np.zeros(3)), "es") == "un array de forma (3,)"
