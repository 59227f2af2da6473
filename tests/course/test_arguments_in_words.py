"""Feedback describes arguments as code or in the student's language, so Spanish sentences have no English in them."""

import ast

import pytest

from encoding_labs import COURSE
from encoding_labs.order_for_attention.exercises import PARTS
from labkit.model.course import SymbolicArgument
from labkit.student.judging.finding import Finding, from_json
from labkit.student.judging.observation import Observation, Raised, call_of, describe
from labkit.student.judging.words import in_words, load, say
from labkit.student.notebook.expected import expected_of

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
