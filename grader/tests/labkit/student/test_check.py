"""The check in the notebook, and the guess before it."""

import re
import sys
from dataclasses import replace
from functools import partial
from unittest.mock import MagicMock

import pytest
from needs import needs

from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, describe, judge
from labkit.student.judging.words import say
from labkit.student.model import course
from labkit.student.model.course import Probe
from labkit.student.model.errors import UserError
from labkit.student.notebook.examine import Examination, call_in, cheat_sheet, check, not_right, observe, total_of
from labkit.student.notebook.guesses import Choice, Statement, predict, quiz, reveal
from labkit.student.notebook.look import look
from labkit.student.notebook.messages import coded


def of_the_sample(values):
    if not values:
        raise ValueError
    return sum((x - sum(values) / len(values)) ** 2 for x in values) ** 0.5 / max(1, len(values) - 1) ** 0.5


def right_spread(values):
    if not values:
        raise ValueError
    return (sum((x - sum(values) / len(values)) ** 2 for x in values) / len(values)) ** 0.5


def unwritten(values):
    raise NotImplementedError("spread: write your answer here")


def test_words_for_each_state(capsys, monkeypatch):
    for answer, starts in (
        (of_the_sample, "✘ The spread: For 2.0, 4.0, 9.0 you got 3.606"),
        (unwritten, "… The spread: not written yet."),
        (3, "✘ The spread:"),
    ):
        check("spread", namespace={"spread": answer})
        said, total, end = capsys.readouterr().out.rpartition("▸")
        assert said.startswith(starts) and "0 of" in end
    monkeypatch.setattr("labkit.student.notebook.language._spoken", "es")
    check("spread", namespace={})
    assert "no hay ninguna respuesta" in capsys.readouterr().out


VALUE = [1.5]
SUGGESTIONS = [
    ("spraed", {}, "There is no exercise 'spraed'. Did you mean spread?", "¿Querías decir spread?"),
    ("level", {"spread": 1, "midrange": 1}, "Did you mean levels?", "¿Querías decir levels?"),
    ("nonsense", {"spread": 1}, "exercises of this lab are: spread, by_hand, midrange.", "Los ejercicios de este"),
    ("nonsense", {}, "Use the name of the function or variable that", "Usa el nombre de la función o de la variable"),
    (len, {"spread": len}, 'in quotation marks, as in "spread".', 'entre comillas, como en "spread".'),
    (unwritten, {}, 'in quotation marks, as in "', 'entre comillas, como en "'),
    (VALUE, {"midrange": VALUE}, 'in quotation marks, as in "midrange".', 'entre comillas, como en "midrange".'),
]


@pytest.mark.parametrize("ask", [check, look])
@pytest.mark.parametrize(("name", "namespace", "en", "es"), SUGGESTIONS)
def test_a_name_that_is_no_exercise(ask, name, namespace, en, es, capsys, monkeypatch):
    for language, says in (("en", en), ("es", es)):
        monkeypatch.setattr("labkit.student.notebook.language._spoken", language)
        ask(name, namespace=namespace)
        said = " ".join(capsys.readouterr().out.split())
        assert says in said and "draw_levels" not in said and "0x" not in said


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "… One value too large: a written answer; your instructor grades it.\n"),
        ("es", "… One value too large: una respuesta escrita; la califica quien imparte el\n   curso.\n"),
    ],
)
def test_a_written_answer_is_left_to_its_reader(language, line, capsys, monkeypatch):
    monkeypatch.setattr("labkit.student.notebook.language._spoken", language)
    for ask in (check, look):
        ask("robust", namespace={})
        assert capsys.readouterr().out == line


def refuses(error):
    """An answer that returns this value where it should raise an error."""
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
        (None, "it returned None. Does it reach a `raise`?", "devolvió None. ¿Llega tu código a un `raise`?"),
    ],
)
def test_returned_values_are_not_called_raised(returned, says, in_spanish):
    exercise = course.current().exercises["spread"]
    call = partial(call_in, {"spread": refuses(returned)}, exercise)
    seen = observe(exercise, Probe(([],), raises="ValueError"), call, {})
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
        (35_000, "Well spotted"),
        (62_832, "You guessed 62,832; it is 35,333 positions.\n   Your guess is 1.8 times too large."),
        (29_000, "That is close.\n"),
        (44_000, "That is close.\n"),
        (10, "Your guess is 3500 times too small."),
        (-1, "You guessed -1"),
        ("many", "Your guess must be a number here"),
    ],
)
def test_a_guess_is_compared_and_never_graded(guess, says, capsys, monkeypatch):
    reveal(guess, 35_333.0, "positions")
    assert says in capsys.readouterr().out
    monkeypatch.setattr("labkit.student.notebook.language._spoken", "es")
    reveal(guess, 35_333.0, "posiciones")
    assert 1 <= capsys.readouterr().out.count("\n") <= 3


def test_a_negative_guess_is_not_compared_by_a_factor(capsys):
    reveal(-3, -1.0, "radians")
    assert " ".join(capsys.readouterr().out.split()).endswith("it is -1 radians. What made you expect that?")


def test_feedback_on_a_guess_without_a_unit_states_no_factor(capsys):
    """Such a guess may be a row number, for which a factor ("2 times") would make no sense."""
    reveal(5, 2.0)
    assert "You guessed 5; it is 2." in (said := capsys.readouterr().out) and "times" not in said


@pytest.fixture
def shown(monkeypatch) -> list[dict]:
    """Everything displayed from now on, as in a notebook."""
    kept: list[dict] = []
    monkeypatch.setattr("IPython.get_ipython", MagicMock())
    monkeypatch.setattr("IPython.display.display", lambda data, **_: kept.append(data))
    return kept


MARKUP = "<img src=x onerror=alert(1)> & <b>bold</b>"


def test_markup_in_an_answer_is_shown_as_text(shown):
    """Markup may be in a returned value, in an error, in the function's name, in a guess, or in a checked name."""

    def noisy(values):
        raise ValueError(MARKUP)

    check("midrange", namespace={"midrange": noisy})
    look("midrange", namespace={"midrange": lambda values: MARKUP})
    look("midrange", namespace={"midrange": type(MARKUP, (), {})})
    check(MARKUP, namespace={})
    reveal(MARKUP, Choice(*[dict.fromkeys("AB", print)] * 2, "A", dict.fromkeys("AB", MARKUP)))
    reveal("a", Choice(*[dict.fromkeys("AB", print)] * 2, "A", dict.fromkeys("AB", MARKUP)))
    quiz((Statement(MARKUP, True, MARKUP),), {1: True})
    assert len(shown) == 7
    for each in shown:
        assert "<img" not in each["text/html"] and "<b>" not in each["text/html"]
    assert "<img" in shown[0]["text/plain"] and "&lt;img" in shown[0]["text/html"]


def test_a_check_has_a_badge_with_a_word_and_one_list_item_for_each_mistake(shown):
    findings = (
        Finding("said", {"text": "Row 3 is off. Is it sorted?"}),
        Finding("said", {"text": "`spread(2)` is 1."}),
    )
    exercise = course.current().exercises["spread"]
    wrong = Examination(exercise, (Observation(exercise, (), 3.0),), findings)
    html = wrong.shown()
    assert "not yet</strong> <strong>The spread</strong>" in html and html.count("<li>") == 2
    assert '<p style="margin: 0.3em 0">Is it sorted?</p>' in html and "<code>spread(2)</code> is 1." in html
    check("spread", namespace={"spread": unwritten})
    assert "unwritten</strong> <strong>The spread</strong>" in shown[0]["text/html"]
    assert shown[0]["text/plain"].startswith("… The spread: not written yet.\n▸ ")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("`raise` it", ["raise"]),
        ("spread((2.0, 4.0)) first goes wrong", ["spread((2.0, 4.0))"]),
        ("spread(f(g(2)).h(3)) is 1", ["spread(f(g(2)).h(3))"]),
        ("two row(s) of word(s)", []),
        ("use np.arange and by_hand", ["np.arange", "by_hand"]),
        ("a (b) c, e.g. 2 ** 3", []),
    ],
)
def test_code_in_a_sentence(text, code):
    assert re.findall("<code>(.*?)</code>", coded(text)) == code


PICTURES = Choice(
    draw={"A": lambda ax: ax.plot([1, 2]), "B": lambda ax: ax.plot([2, 1])},
    words={"A": "a line that rises", "B": "a line that falls"},
    right="B",
    why={"A": "It never rises.", "B": "Each step takes one away."},
)


def test_the_description_of_a_choice_gives_nothing_away(shown):
    predict(PICTURES)
    (picture,) = shown
    assert (
        picture["text/plain"] == "[Figure: Small pictures to choose from. A: a line that rises. B: a line that falls.]"
    )
    assert picture["text/html"].count("<img") == 1 and "takes one away" not in picture["text/html"]


@pytest.mark.parametrize(
    ("guess", "says"),
    [
        (None, "No guess yet. Write one above and run both cells again. Even a wrong guess helps you learn."),
        ("C", "Your guess must be one of these letters, in quotation marks: A, B."),
        (2, "Your guess must be one of these letters, in quotation marks: A, B."),
        ("a", "You chose A. It never rises. It is B. Each step takes one away."),
        ("B", "You chose B, and it is B. Each step takes one away."),
    ],
)
def test_a_choice_is_explained_once_it_is_made(guess, says, capsys):
    reveal(guess, PICTURES)
    assert " ".join(capsys.readouterr().out.split()) == says


@pytest.mark.parametrize(
    "change", [{"right": "C"}, {"words": {"A": ""}}, {"why": {"B": "", "A": ""}}], ids=["right", "words", "why"]
)
def test_a_choice_names_the_same_letters_everywhere(change):
    with pytest.raises(ValueError, match="the same letters: A, B"):
        replace(PICTURES, **change)


def test_a_check_that_has_passed_counts_for_the_session(monkeypatch, capsys):
    monkeypatch.setattr("labkit.student.notebook.examine.passed", set())
    for answer, says in ((of_the_sample, "0 of"), (right_spread, "1 of"), (of_the_sample, "1 of")):
        check("spread", namespace={"spread": answer})
        assert says in capsys.readouterr().out.rpartition("▸")[2]


def test_an_extra_is_counted_neither_by_checks_nor_for_the_cheat_sheet():
    (first, *others) = (each for each in course.current().labs["01_spread"].exercises if each.checked)
    lab = replace(course.current().labs["01_spread"], exercises=(replace(first, extra=True), *others))
    assert first.name not in not_right(lab) and len(not_right(lab)) == len(others)
    assert f"of {len(others)} checks" in total_of(lab)


def test_the_cheat_sheet_opens_when_all_checks_are_right(shown, tmp_path, monkeypatch):
    names = [exercise.name for exercise in course.current().labs["01_spread"].exercises if exercise.checked]
    monkeypatch.setattr("labkit.student.notebook.examine.passed", {*names[1:]})
    cheat_sheet("01")
    assert "Still missing: The spread." in " ".join(shown[0]["text/plain"].split())
    assert "not open yet" in shown[0]["text/html"] and "text/markdown" not in shown[0]
    monkeypatch.setattr("labkit.student.notebook.examine.passed", {*names})
    monkeypatch.setattr(course.Course, "expected_of", lambda *_: tmp_path / "expected.json")
    with pytest.raises(FileNotFoundError, match="cheat_sheet.en.md is missing"):
        cheat_sheet("01")
    (tmp_path / "cheat_sheet.en.md").write_text("- $s$ is a root\n", "utf-8")
    monkeypatch.setattr("labkit.student.notebook.language._spoken", "es")
    cheat_sheet("01_spread")
    assert shown[1] == dict.fromkeys(("text/markdown", "text/plain"), "## Resumen · Spread\n\n- $s$ is a root")
    with pytest.raises(UserError, match="there is no lab '9'"):
        cheat_sheet("9")


def test_the_cheat_sheet_opens_without_useful_exercises(shown, monkeypatch):
    this = course.current()
    own = replace(this)  # with exercises of its own, because a course lists them once
    asked = [each for each in this.labs["01_spread"].exercises if each.checked]
    lab = replace(this.labs["01_spread"], exercises=tuple(replace(each, useful=True) for each in asked))
    own.labs["01_spread"] = lab
    monkeypatch.setattr("labkit.student.notebook.examine.current", lambda: own)
    monkeypatch.setattr("labkit.student.notebook.examine.passed", set())
    with pytest.raises(FileNotFoundError, match="cheat_sheet.en.md is missing"):  # it opens, but this lab has none
        cheat_sheet("01")
    assert shown == [] and f"of {len(asked)} checks" in total_of(lab)


ENDLESS = """
import signal, sys
del signal.setitimer  # as in a browser
from labkit.student.model import project
from labkit.student.notebook import examine
project.current().course  # as a lab's setup cell imports it
examine.SECONDS = 0.3
def endless(values):
    while True:
        pass
def endless_in_a_comprehension(values):
    return [value for value in iter(int, 1)]
for answer in (endless, endless_in_a_comprehension, len):
    examine.check("spread", namespace={"spread": answer})
print(sys.monitoring.get_tool(examine.TOOL), sum(range(3)))
"""


@needs("sys.monitoring")
def test_an_endless_answer_is_stopped_without_timers(run_command):
    done = run_command(sys.executable, "-c", ENDLESS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("0.3 seconds") >= 2 and done.stdout.endswith("None 3\n"), done.stdout
