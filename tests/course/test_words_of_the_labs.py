"""Test the labs' feedback texts and the sentences in lecture.toml, and that arguments in them are code or words in the student's language."""

import ast
import re
from collections.abc import Iterator
from string import Formatter

import pytest
from in_process import verdicts

from autograder.samples import all_samples
from encoding_labs import COURSE
from encoding_labs.order_for_attention.exercises import PARTS
from labkit.desk.people.desk import LECTURE, read_lecture
from labkit.grade.judge import answers
from labkit.model.course import SymbolicArgument
from labkit.student.judging import words
from labkit.student.judging.diagnosis import catalogue
from labkit.student.judging.finding import Finding, from_json
from labkit.student.judging.observation import Observation, Raised, call_of, describe
from labkit.student.judging.words import in_words, load, say
from labkit.student.model import project
from labkit.student.notebook.expected import expected_of

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


load(COURSE)
CALLS = [(exercise, probe.args) for exercise in COURSE.exercises.values() for probe in exercise.probes]
SPANISH = {
    "read_a_figure": "read_a_figure(una imagen de 30 posiciones y 6 dimensiones)",
    "next_row": "next_row(fila 5, fila 6)",
    "which_base": "which_base(fila 1, d = 32, base 700)",
    "unshuffle": "unshuffle(una tabla con las columnas desordenadas)",
    "read_head": "read_head(la M de la cabeza 7)",
}


@pytest.mark.parametrize("exercise, call", SPANISH.items())
def test_spanish_feedback_describes_arguments_in_spanish(exercise, call):
    asked = COURSE.exercises[exercise]
    failed = describe(Observation(asked, asked.probes[0].args, Raised("ValueError", "no")))
    assert say(exercise, failed, "es").startswith(call)
    assert not say(exercise, failed, "en").startswith(call)


def test_every_argument_is_code_or_has_spanish_words():
    """A description without Spanish words must be a Python expression, which reads the same in both languages."""
    for exercise, args in CALLS:
        for told in (arg.described() for arg in args if isinstance(arg, SymbolicArgument)):
            if isinstance(told, Finding):
                assert in_words(exercise.name, told, "es") != in_words(exercise.name, told, "en"), told
            else:
                ast.parse(str(told), mode="eval")


def test_calls_without_described_arguments_remain_text():
    wordy = {
        exercise.name for exercise, args in CALLS if isinstance(call_of(Observation(exercise, args, None)), Finding)
    }
    assert wordy == set(SPANISH)


def test_parts_of_scores_are_named_in_the_readers_language():
    known = expected_of(COURSE, "06_order_for_attention")["score_parts: mistakes"]
    twice = next(each for each in known if each["id"] == "mixed-part-twice")
    facts = {name: from_json(fact) for name, fact in twice["facts"].items()}
    assert "posición-contenido contiene lo mismo que contenido-posición" in say(
        "score_parts", Finding("mixed-part-twice", facts), "es"
    )
    for part in PARTS:
        assert in_words("score_parts", part, "en") == part.id
        assert in_words("score_parts", part, "es") != part.id
