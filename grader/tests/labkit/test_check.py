"""The check in the notebook, and the guess before it."""

from functools import partial

import pytest

from labkit.judging.observation import Observation, describe, judge
from labkit.judging.words import say
from labkit.model import course
from labkit.model.course import Probe
from labkit.notebook.examine import call_in, check, observe
from labkit.notebook.look import look
from labkit.notebook.predict import reveal


def of_the_sample(values):
    if not values:
        raise ValueError
    return sum((x - sum(values) / len(values)) ** 2 for x in values) ** 0.5 / max(1, len(values) - 1) ** 0.5


def unwritten(values):
    raise NotImplementedError("spread: write your answer here")


def test_words_for_each_state(capsys):
    for answer, starts in (
        (of_the_sample, "✘ spread: For 2.0, 4.0, 9.0 you got 3.606"),
        (unwritten, "… spread: not written yet."),
        (3, "✘ spread:"),
    ):
        check("spread", namespace={"spread": answer})
        said, total, end = capsys.readouterr().out.rpartition("▸")
        assert said.startswith(starts) and "0 of" in end
    check("spread", namespace={}, language="es")
    assert "no hay ninguna respuesta" in capsys.readouterr().out


def test_a_name_that_is_no_exercise(capsys):
    check("nonsense", namespace={})
    said = capsys.readouterr().out
    assert "There is no exercise" in said and "spread" in said


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "… robust: a written answer; a person reads it.\n"),
        ("es", "… robust: una respuesta escrita; la lee una persona.\n"),
    ],
)
def test_a_written_answer_is_left_to_its_reader(language, line, capsys):
    for ask in (check, look):
        ask("robust", language=language, namespace={})
        assert capsys.readouterr().out == line


def refuses(error):
    """An answer that returns this where it should raise an error."""
    return lambda values: of_the_sample(values) if values else error


def test_a_right_observation_has_nothing_to_describe():
    right = Observation(course.current().exercises["spread"], ((2.0, 4.0),), actual=1.0, expected=1.0)
    assert judge(right) is None
    with pytest.raises(ValueError, match="is right, so there is nothing to describe"):
        describe(right)


@pytest.mark.parametrize(
    ("returned", "says", "in_spanish"),
    [
        (ValueError("none"), "spread([]) returned a ValueError.", "devolvió un valor de tipo ValueError."),
        (ValueError, "spread([]) returned a ValueError.", "devolvió un valor de tipo ValueError."),
        (iter([]), "it returned a list_iterator.", "devolvió otra cosa (a list_iterator)."),
        (None, "it returned None", "devolvió None"),
    ],
)
def test_what_is_returned_is_not_called_raised(returned, says, in_spanish):
    exercise = course.current().exercises["spread"]
    call = partial(call_in, {"spread": refuses(returned)}, exercise)
    seen = observe(course.current(), exercise, Probe(([],), raises="ValueError"), call)
    assert judge(seen) == describe(seen)
    assert says in say("spread", judge(seen))
    assert in_spanish in say("spread", judge(seen), "es")
    assert "Unsendable" not in say("spread", judge(seen))


def test_outside_a_notebook_it_says_what_to_do():
    with pytest.raises(RuntimeError, match="namespace=globals"):
        check("spread")


def test_what_an_answer_prints_is_not_shown(capsys):
    def noisy(values):
        print("working")
        raise ValueError("odd {braces} and\nlines")

    check("midrange", namespace={"midrange": noisy})
    said = capsys.readouterr().out
    assert "stopped with ValueError: odd {braces}\n   and lines\n" in said and "working" not in said


@pytest.mark.parametrize(
    ("guess", "says"),
    [
        (None, "No guess yet"),
        (35_000, "Well seen"),
        (62_832, "You guessed 62,832; it is 35,333 positions.\n   That is 1.8 times less."),
        (10, "times more"),
        (-1, "You guessed -1"),
        ("many", "A guess is a number here"),
    ],
)
def test_a_guess_is_compared_and_never_graded(guess, says, capsys):
    reveal(guess, 35_333.0, "positions")
    assert says in capsys.readouterr().out
    reveal(guess, 35_333.0, "posiciones", language="es")
    assert 1 <= capsys.readouterr().out.count("\n") <= 3
