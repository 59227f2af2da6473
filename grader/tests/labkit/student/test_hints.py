"""Common error messages, as this version of NumPy and Python words them, get a question."""

import math

import numpy as np
import pytest

from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, Raised, describe
from labkit.student.judging.words import HINTS, hint_of, say
from labkit.student.model.course import Exercise

ROW, TABLE = np.arange(4.0), np.zeros((4, 6))


def fill(array, place, value):
    array.copy()[place] = value


@pytest.mark.parametrize(
    "hint, failing",
    [
        ("hint-shapes", lambda: np.arange(64) * np.arange(16)),
        ("hint-assigned-shape", lambda: fill(TABLE, np.s_[:, 0::2], ROW)),
        ("hint-one-cell", lambda: fill(TABLE, (0, 0), ROW)),
        ("hint-inner-sizes", lambda: TABLE @ TABLE),
        ("hint-inner-sizes", lambda: np.dot(TABLE, TABLE)),
        ("hint-reshape", lambda: TABLE.reshape(5, 5)),
        ("hint-one-number", lambda: math.sin(ROW)),
        ("hint-one-number", lambda: float(ROW)),
        ("hint-truth", lambda: 1 if ROW > 1 else 0),
        ("hint-index", lambda: TABLE[:, 6]),
        ("hint-index", lambda: list(ROW)[9]),
        ("hint-brackets", lambda: TABLE(1, 2)),
        ("hint-list", lambda: [1, 2] * 0.5),
        ("hint-list", lambda: [1, 2] / 2),
        ("hint-list", lambda: -range(4)),
        ("hint-whole", lambda: np.zeros((4 / 2, 4))),
        ("hint-whole", lambda: ROW[4 / 2]),
        ("hint-whole", lambda: range(4 / 2)),
        ("hint-whole", lambda: list(ROW)[2 / 2]),
        ("hint-shape-tuple", lambda: np.zeros(4, 6)),
        ("hint-none", lambda: fill(TABLE, 0, 0) + 1),
        ("hint-name", lambda: eval("undefined")),
        ("hint-list", lambda: list(TABLE)[0, 1]),
        (None, lambda: 1 / 0),
        (None, lambda: {[]: 1}),
        (None, lambda: list(ROW)["0"]),
        (None, lambda: np.zeros(2, "metres")),
        (None, lambda: {}["none"]),
        (None, lambda: TABLE.sum(axis=2)),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_an_error_gets_its_question(hint, failing):
    with pytest.raises(Exception) as error:
        failing()
    found = hint_of(str(error.value))
    assert (found.id if found else None) == hint


@pytest.mark.parametrize("language, start", [("en", "ramp(4) stopped with"), ("es", "ramp(4) se detuvo con")])
def test_the_message_comes_with_its_question(language, start):
    seen = Observation(Exercise("ramp"), (4,), Raised("NameError", "name 'x' is not defined"), None)
    said = say("ramp", describe(seen), language)
    assert said == f"{start} NameError: name 'x' is not defined. {say('ramp', Finding('hint-name'), language)}"


def test_a_message_that_ends_with_a_full_stop_gets_no_second_one():
    seen = Observation(Exercise("ramp"), (4,), Raised("ValueError", "setting an array element with a sequence."), None)
    assert "with a sequence. You put" in say("ramp", describe(seen), "en")


def test_every_question_is_in_both_languages():
    for hint in HINTS.values():
        english, spanish = (say("ramp", Finding(hint), language) for language in ("en", "es"))
        assert english.endswith("?") and spanish.endswith("?") and english != spanish, hint


def test_a_hidden_call_shows_neither_message_nor_question():
    seen = Observation(Exercise("ramp"), (4,), Raised("NameError", "name 'x' is not defined"), None, public=False)
    assert describe(seen).id == "hidden-raised"
