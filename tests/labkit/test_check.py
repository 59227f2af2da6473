"""The check in the notebook, and the guess before it."""

import pytest

from labkit.notebook.examine import check, line_for
from labkit.notebook.predict import reveal


def of_the_sample(values):
    if not values:
        raise ValueError
    return sum((x - sum(values) / len(values)) ** 2 for x in values) ** 0.5 / max(1, len(values) - 1) ** 0.5


def unwritten(values):
    raise NotImplementedError("spread: write your answer here")


def test_one_line_for_each_state(capsys):
    for answer, starts in (
        (of_the_sample, "✘ spread: For 2.0, 4.0, 9.0 you got 3.606"),
        (unwritten, "… spread: not written yet."),
        (3, "✘ spread:"),
    ):
        check("spread", namespace={"spread": answer})
        line, end = capsys.readouterr().out.split("\n")
        assert line.startswith(starts) and end == ""
    check("spread", namespace={}, language="es")
    assert capsys.readouterr().out == "… spread: aún sin escribir.\n"


@pytest.mark.parametrize("name", ["nonsense", "robust"])
def test_a_name_that_is_no_exercise(name):
    assert "There is no exercise" in line_for(name, {}) and "spread" in line_for(name, {})


def test_outside_a_notebook_it_says_what_to_do():
    with pytest.raises(RuntimeError, match="namespace=globals"):
        check("spread")


def test_what_an_answer_prints_is_not_shown(capsys):
    def noisy(values):
        print("working")
        raise ValueError("odd {braces} and\nlines")

    check("midrange", namespace={"midrange": noisy})
    assert (
        capsys.readouterr().out
        == "✘ midrange: midrange((1.0, 2.0, 9.0)) stopped with ValueError: odd {braces} and lines\n"
    )


@pytest.mark.parametrize(
    ("guess", "says"),
    [
        (None, "No guess yet"),
        (35_000, "Well seen"),
        (62_832, "1.8 times less"),
        (10, "times more"),
        (-1, "You guessed -1"),
        ("many", "A guess is a number here"),
    ],
)
def test_a_guess_is_compared_and_never_graded(guess, says, capsys):
    reveal(guess, 35_333.0, "positions")
    assert says in capsys.readouterr().out
    reveal(guess, 35_333.0, "posiciones", language="es")
    assert capsys.readouterr().out.count("\n") == 1
