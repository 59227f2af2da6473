"""Equal wrong answers are diagnosed once, and no answer gets another one's diagnosis."""

import numpy as np
import pytest

from labkit.grade.judge import answers
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, Raised
from labkit.student.model import course

VALUES = [
    1,
    1.0,
    True,
    None,
    "1",
    -0.0,
    0.0,
    float("nan"),
    [1],
    (1,),
    {"a": 1},
    Raised("ValueError", "1"),
    Raised("TypeError", "1"),
]
VALUES += [np.array(each, dtype) for each in ([1], [[1]], [2]) for dtype in ("<i8", ">i8", "<f4", "<f8")]


@pytest.fixture
def diagnosed(monkeypatch):
    asked = []
    monkeypatch.setattr(
        answers, "diagnose", lambda _, seen, stored: asked.append(seen) or [Finding("said", {"text": repr(seen)})]
    )
    return asked


def seen(value, name="spread"):
    return (Observation(course.current().exercises[name], ((2.0, 4.0),), value, 1.0),)


def test_equal_values_are_diagnosed_once_and_others_on_their_own(diagnosed):
    known = answers.Diagnoses()
    for _ in range(2):
        for value in VALUES:
            assert known.of(course.current(), seen(value), ()) == (Finding("said", {"text": repr(seen(value))}),)
    known.of(course.current(), seen(VALUES[0], "midrange"), ())
    assert len(diagnosed) == len(VALUES) + 1


def test_values_that_are_no_plain_data_are_diagnosed_each_time(diagnosed):
    known = answers.Diagnoses()
    for _ in range(2):
        known.of(course.current(), seen(object()), ())
    assert len(diagnosed) == 2
