"""Words of the labs: every id has them in both languages, and a mistake is looked for once."""

from string import Formatter

import pytest
from in_process import verdicts

from autograder.samples import all_samples
from encoding_labs import COURSE
from labkit.judge import answers
from labkit.judging import words
from labkit.judging.diagnosis import catalogue

catalogue(COURSE)


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("exercise, id", [known for known in words._TEMPLATES if known[0]], ids=str)
def test_every_id_has_words_in_both_languages_that_tell_the_same_facts(exercise, id):
    known = words._TEMPLATES[exercise, id]
    assert set(known) == {"en", "es"} and fields(known["en"]) >= fields(known["es"])
    assert exercise in COURSE.exercises and ("", id) not in words._TEMPLATES, "it would hide general words"


@pytest.mark.filterwarnings("ignore")
def test_an_answer_is_diagnosed_once_however_many_tests_it_fails(monkeypatch):
    asked = (each for _, each in all_samples() if each.exercise == "sinusoidal_pe")
    sample = next(each for each in asked if each.mistakes == ("swapped-sin-cos",))
    made, examine = [], answers.examine
    monkeypatch.setattr(answers, "examine", lambda *given: made.append(given) or examine(*given))
    named = [each.mistakes for each in verdicts(sample.exercise, sample.answer)]
    assert named.count(("swapped-sin-cos",)) >= 3 and len(made) == 1
