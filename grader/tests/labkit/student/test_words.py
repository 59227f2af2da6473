"""The language of a message is chosen on output, every id has text in both languages, and common errors get a question."""

import math

import numpy as np
import pytest

from labkit.student.judging import words
from labkit.student.judging.finding import Finding, from_json, to_json
from labkit.student.judging.observation import Observation, Raised, describe
from labkit.student.judging.words import HINTS, hint_of, say
from labkit.student.model.course import Exercise


def test_an_id_gets_its_words_once():
    with pytest.raises(ValueError, match="already has words"):
        words.register({"en": {"values": "{call} is off."}})
    with pytest.raises(ValueError):
        words.register({"en": {"new": "{call is off."}})


@pytest.mark.parametrize(
    "facts, said",
    [
        ({"first": np.float32(0.5), "dtype": "float32"}, "For 3, 1 the first level is 0.5, the last ?."),
        ({"first": float("inf")}, "For 3, 1 the first level is inf, the last ?."),
        ({"first": "{call} {0} %s"}, "For 3, 1 the first level is {call} {0} %s, the last ?."),
        ({"first": None}, "For 3, 1 the first level is None, the last ?."),
        ({"first": 10**400}, "For 3, 1 the first level is 1000"),
        ({}, "For 3, 1 the first level is ?, the last ?."),
    ],
)
def test_no_fact_breaks_a_sentence(facts, said):
    assert words.say("levels", Finding("as-they-come", {"values": [3, 1], **facts})).startswith(said)


def test_thousands_stand_apart_in_spanish_where_a_comma_is_a_decimal_point():
    words.register({"en": {"thousands": "{n:,} of {m}"}, "es": {"thousands": "{n:,} de {m}"}})
    said = [words.say("", Finding("thousands", {"n": 29_000, "m": "1,2"}), language) for language in ("en", "es")]
    assert said == ["29,000 of 1,2", "29\N{NO-BREAK SPACE}000 de 1,2"]


def test_an_instructors_rule_needs_no_words():
    assert words.say("spread", Finding("my-rule", {"row": 3, "a {b}": 1}), "es") == "my-rule, row 3, a {b} 1"


def test_facts_are_what_json_holds_and_come_back_from_it():
    inner = Finding("array", {"shape": (2, 3)})
    found = Finding(
        "x/y", {"a": np.int64(3), "b": (1, np.float64("nan")), "c": inner, "d": object, "e": [inner]}, named=True
    )
    assert found.facts == {"a": 3, "b": [1, "nan"], "c": inner, "d": "<class 'object'>", "e": [inner]}
    assert from_json(to_json(found)) == found and found.mistake == "x" and inner.mistake is None
    assert len(Finding("x", {"a": "y" * 9_999}).facts["a"]) == 4_000


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
