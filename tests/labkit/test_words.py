"""Words are chosen when they are read: every id has them in both languages, and no fact can break them."""

from string import Formatter

import numpy as np
import pytest
from in_process import verdicts
from mistaken import all_samples

from encoding_labs import COURSE
from labkit.grading import answers
from labkit.judging import words
from labkit.judging.diagnosis import catalogue
from labkit.judging.finding import Finding, from_json, to_json

catalogue()


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("exercise, id", words._TEMPLATES, ids=str)
def test_every_id_has_words_in_both_languages_that_tell_the_same_facts(exercise, id):
    known = words._TEMPLATES[exercise, id]
    assert set(known) == {"en", "es"} and fields(known["en"]) >= fields(known["es"])
    assert not exercise or exercise in COURSE.exercises and ("", id) not in words._TEMPLATES, (
        "it would hide general words"
    )


def test_an_id_gets_its_words_once():
    with pytest.raises(ValueError, match="has words already"):
        words.register({"en": {"values": "{call} is off."}})
    with pytest.raises(ValueError):
        words.register({"en": {"new": "{call is off."}})


@pytest.mark.parametrize(
    "facts, said",
    [
        ({"seen": np.float32(0.5), "dtype": "float32"}, "offset_only(8) returned 0.5."),
        ({"seen": float("inf")}, "offset_only(8) returned inf."),
        ({"seen": "{call} {0} %s"}, "offset_only(8) returned {call} {0} %s."),
        ({"seen": None}, "offset_only(8) returned None."),
        ({"seen": 10**400}, "offset_only(8) returned 1000"),
        ({}, "offset_only(8) returned ?."),
    ],
)
def test_no_fact_breaks_a_sentence(facts, said):
    assert words.say("offset_only", Finding("too_large", {"call": "offset_only(8)", **facts})).startswith(said)


def test_a_rule_of_an_instructors_own_needs_no_words():
    assert words.say("proof", Finding("my-rule", {"row": 3, "a {b}": 1}), "es") == "my-rule, row 3, a {b} 1"


def test_facts_are_what_json_holds_and_come_back_from_it():
    inner = Finding("array", {"shape": (2, 3)})
    found = Finding(
        "x/y", {"a": np.int64(3), "b": (1, np.float64("nan")), "c": inner, "d": object, "e": [inner]}, named=True
    )
    assert found.facts == {"a": 3, "b": [1, "nan"], "c": inner, "d": "<class 'object'>", "e": [inner]}
    assert from_json(to_json(found)) == found and found.mistake == "x" and inner.mistake is None
    assert len(Finding("x", {"a": "y" * 9_999}).facts["a"]) == 4_000


@pytest.mark.filterwarnings("ignore")
def test_an_answer_is_diagnosed_once_however_many_tests_it_fails(monkeypatch):
    sample = next(each for _, each in all_samples() if each.mistakes == ("swapped-sin-cos",))
    made, examine = [], answers.examine
    monkeypatch.setattr(answers, "examine", lambda *given: made.append(given) or examine(*given))
    named = [mistakes for _, _, mistakes in verdicts(sample.exercise, sample.answer)]
    assert named.count(("swapped-sin-cos",)) >= 3 and len(made) == 1
