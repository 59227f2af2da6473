"""Test the labs' feedback texts and the sentences in lecture.toml: each belongs to an exercise or a mistake of the course."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest
from in_process import verdicts

from autograder.samples import all_samples
from encoding_labs import COURSE
from labkit.desk.people.desk import LECTURE, read_lecture
from labkit.grade.judge import answers
from labkit.student.judging import words
from labkit.student.judging.diagnosis import catalogue
from labkit.student.model import project

catalogue(COURSE)
# General messages about figures, which a lab may replace with its own wording.
OF_A_FIGURE = re.compile(
    r"drawn-elsewhere|missing-parts|(part|image|colours?)-[\w-]+|(no|many|other)-(image|images|colorbars?)"
)


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def faults(exercise: str, id: str, known: dict[str, str]) -> Iterator[str]:
    if set(known) != {"en", "es"}:
        yield f"{exercise}, {id}: words in {sorted(known)}"
    elif not fields(known["en"]) >= fields(known["es"]):
        yield f"{exercise}, {id}: only the Spanish text uses {fields(known['es']) - fields(known['en'])}"
    if ("", id) in words._TEMPLATES and not OF_A_FIGURE.fullmatch(id):
        yield f"{exercise}, {id}: a general text has the same id and would be hidden"


@pytest.mark.parametrize("name", COURSE.names)
def test_every_id_has_words_in_both_languages_that_tell_the_same_facts(name):
    asked = {exercise.name for exercise in COURSE.labs[name].exercises}
    of_the_lab = {key: known for key, known in words._TEMPLATES.items() if key[0] in asked}
    assert of_the_lab
    assert [fault for key, known in of_the_lab.items() for fault in faults(*key, known)] == []


@pytest.mark.parametrize("name", COURSE.names)
def test_words_belong_to_an_exercise_and_each_exercise_has_a_title(name):
    """Reads the file, because the loaded texts may include those of other courses used in the same process."""
    tables = words.words_in(COURSE.expected_of(name).parent)["en"]
    titles = tables.pop(words.TITLES)
    assert [*titles] == ["lab", *(exercise.name for exercise in COURSE.labs[name].exercises)] and all(titles.values())
    assert {exercise for names in tables for exercise in names.split()} <= {*COURSE.exercises}


@pytest.mark.filterwarnings("ignore")
def test_an_answer_is_diagnosed_once_however_many_tests_it_fails(monkeypatch):
    asked = (each for _, each in all_samples() if each.exercise == "sinusoidal_pe")
    sample = next(each for each in asked if each.mistakes == ("swapped-sin-cos",))
    made, examine = [], answers.examine
    monkeypatch.setattr(answers, "examine", lambda *given: made.append(given) or examine(*given))
    named = [each.mistakes for each in verdicts(sample.exercise, sample.answer)]
    assert named.count(("swapped-sin-cos",)) >= 3 and len(made) == 1


def test_every_sentence_belongs_to_a_mistake_in_the_catalogue():
    said = read_lecture(project.current(), project.current().root / LECTURE)
    assert len(said) > 20 and all(sentence.endswith(".") and len(sentence) < 160 for sentence in said.values())
