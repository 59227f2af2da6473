"""The language of a message is chosen on output. Every id has text in both languages, and any facts can be filled in."""

import numpy as np
import pytest

from labkit.student.judging import words
from labkit.student.judging.finding import Finding, from_json, to_json


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
