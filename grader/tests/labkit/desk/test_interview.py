"""`labkit interview`: pages, key and points of a class, of which some students' code is hostile."""

import csv
import json
import random
import re
import shutil

import numpy as np
import pytest
from handouts import Handout
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.interview import pages
from labkit.desk.interview.questions import Option, Question, Questions, choose
from labkit.desk.interview.shown import differ, shown
from labkit.grade.judge.changes import Change, changes
from labkit.grade.judge.trials import Tried, Tries
from labkit.student.judging.finding import Finding

SPREAD = """def spread(values):
    if len(values) == 0:
        raise ValueError("no values have no spread")
    distances = np.asarray(values) - np.mean(values)
    return float(np.sqrt(np.mean(distances**2)))"""
LEVELS = """def levels(values):
    found = []
    for each in sorted(values):
        if each not in found:
            found = found + [each]
    return 1 * np.array(found, dtype=float)"""
# Passes while it is graded, and loops once its cell has run twice, as for questions.
LOOP = f"""{SPREAD}
import builtins
builtins.ran = getattr(builtins, "ran", 0) + 1
def spread(values, known=spread):
    while builtins.ran > 1:
        pass
    return known(values)"""
SPY = f"""import os, sys
{SPREAD}
def spread(values, known=spread):
    for place in ("expected.json", "/etc/passwd", "../facts.jsonl"):
        try:
            raise ValueError(open(place).read())
        except OSError:
            pass
    return known(values) * 1"""
MARKUP = SPREAD.replace("no values have no spread", "</code></ol><script>document.title = 1</script>")


@pytest.fixture(scope="module")
def results(tmp_path_factory, labkit, on_the_tiny_course):
    """Ada and Ben submitted the same code, and the code of others is hostile or wrong."""
    made = tmp_path_factory.mktemp("interview")
    codes = {
        "ada": SPREAD,
        "ben": SPREAD,
        "eve": SPY,
        "key": MARKUP,
        "lou": LOOP,
        "max": "def spread(values):\n    return 2 * 3",
    }
    for student, code in codes.items():
        Handout("01_spread").write("spread", code).save(made / "class" / student / "01_spread.ipynb")
    Handout("02_levels").write("levels", LEVELS).save(made / "class" / "ada" / "02_levels.ipynb")
    done = labkit("grade", made / "class", "--out", made / "graded")
    assert done.returncode == 0, done.stderr
    return made / "graded"


@pytest.fixture(scope="module")
def asked(results, labkit):
    out = results.parent / "asked"
    return out, labkit("interview", results, "--out", out)


def test_each_student_with_a_passing_function_gets_a_page_and_a_row_for_points(asked):
    out, done = asked
    assert done.returncode == 0 and not done.stderr
    made = {path.stem for path in out.glob("*.html")}
    assert made >= {"ada", "ben", "eve", "key", "_key"} and "max" not in made
    assert "max: 0 questions (no answer in code passes)" in done.stdout
    with (out / "adjustments.csv").open() as file:
        rows = {(row["student"], row["lab"]): row for row in csv.DictReader(file)}
    assert {student for student, _ in rows} == made - {"_key"}
    assert all(row["reason"] and not row["add"] and not row["exercise"] for row in rows.values())


def test_a_loop_at_new_calls_costs_only_its_own_student_and_says_why(asked):
    out, done = asked
    assert "lou: 0 questions (spread: it was stopped at new arguments" in done.stdout
    assert (out / "ben.html").exists() and not (out / "lou.html").exists()


def test_equal_code_gets_different_questions(asked):
    pages_of = [re.sub("ada|ben", "", (asked[0] / f"{name}.html").read_text("utf-8")) for name in ("ada", "ben")]
    assert pages_of[0] != pages_of[1]


def test_the_same_results_and_seed_give_the_same_bytes(asked, results, labkit):
    for out in (results.parent / "again", results.parent / "other"):
        more = ("--seed", 5) if out.name == "other" else ()
        assert (
            labkit(
                "interview", results, "--student", "ada", "--student", "eve", "--jobs", 1, *more, "--out", out
            ).returncode
            == 0
        )
    for name in ("ada", "eve"):
        first, again, other = (
            (results.parent / each / f"{name}.html").read_bytes() for each in ("asked", "again", "other")
        )
        assert first == again
    assert (results.parent / "again/_key.html").read_bytes() != (results.parent / "other/_key.html").read_bytes()


def test_pages_show_no_code_of_the_reference_and_run_no_markup(asked):
    from labkit.student.model import project

    cells = json.loads((project.current().solutions / "01_spread.ipynb").read_text("utf-8"))["cells"]
    [solution] = [each for each in cells if each["metadata"].get("labkit", {}).get("exercise") == "spread"]
    docstring = "".join(solution["source"]).split('"""')[1]
    for path in asked[0].glob("*.html"):
        text = path.read_text("utf-8")
        assert docstring not in text and "<script>" not in text and "root:" not in text
        assert "default-src &#39;none&#39;" in text and not re.search(r'(?:src|href)="(?!data:)', text)
    assert "&lt;script&gt;" in (asked[0] / "key.html").read_text("utf-8")


def test_a_sample_is_drawn_from_the_class(results, labkit, tmp_path):
    done = labkit("interview", results, "--sample", 2, "--lab", "01", "--out", tmp_path / "some")
    assert done.returncode == 0
    named = {path.stem for path in (tmp_path / "some").glob("*.html")} - {"_key"} | set(
        re.findall(r"^  (\w+):", done.stdout, re.MULTILINE)
    )
    assert len(named) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--student", "adda"), "no student 'adda'; did you mean ada?"),
        (("--lab", "9"), "there is no lab '9'"),
        (("--sample", "0"), "'0' is not a whole number from 1"),
    ],
)
def test_wrong_options_end_in_one_line(results, labkit, tmp_path, arguments, words):
    done = labkit("interview", results, *arguments, "--out", tmp_path / "out")
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_without_results_ends_in_one_line(labkit, tmp_path):
    done = labkit("interview", tmp_path, "--out", tmp_path / "out")
    assert done.returncode == 2 and "no readable final_scores.json" in done.stderr


def test_a_student_without_stored_facts_has_no_page(results, labkit, tmp_path):
    shutil.copytree(results, tmp_path / "graded")
    (tmp_path / "graded/facts.jsonl").unlink()
    done = labkit("interview", tmp_path / "graded", "--out", tmp_path / "out")
    assert done.returncode == 0 and "0 questions for 0 students" in done.stdout


NUMBERS = st.one_of(st.integers(-(10**9), 10**9), st.floats(), st.booleans(), st.none(), st.text(max_size=9))


@given(st.recursive(NUMBERS, lambda each: st.lists(each, max_size=4) | st.tuples(each, each), max_leaves=9), NUMBERS)
def test_any_two_values_are_shown_and_compared(one, other):
    assert len(shown(one)) <= 200 and isinstance(differ(one, other), bool)
    assert not differ(one, one)


def test_rounding_is_no_difference_and_a_visible_one_is():
    table = np.arange(6.0).reshape(2, 3)
    assert not differ(table, table + 1e-5) and differ(table, table + 1) and differ(table, table.T)
    assert differ(np.zeros((3, 64)), np.zeros((3, 63))) and differ(576, 577) and not differ(1e-8, 2e-9)


CODE = "def f(n):\n    a = 2 * n\n    b = a + 3\n    c = b - 1\n    return c * 10"


def questions(code=CODE, calls=(3, 4)):
    """The questions about this function, by kind."""
    versions = [None, *changes(code)]
    tried = [Tried(each, tuple(f(each.applied(code) if each else code, n) for n in calls)) for each in versions]
    tries = Tries("f", code, tuple(f"f({n})" for n in calls), tuple(tried))
    return {each.kind: each for each in Questions(tries, "en", random.Random(1)).all()}


def test_questions_of_one_exercise_have_one_right_option_each():
    found = questions()
    assert set(found) >= {"predict", "change"}
    for each in found.values():
        assert len({option.text for option in each.options}) == len(each.options) == 4
    assert found["predict"].options[found["predict"].right].text == shown(f(CODE, 3)) == "80"
    change = found["change"]
    assert change.options[change.right].text == shown(f(change.change.applied(CODE), 4))
    assert len(choose([*found.values()], 3, random.Random(2))) == min(3, len(found))


@pytest.mark.parametrize(
    ("text", "asked"), [("", "f(3)"), ("80 for n = 3", "f(4)"), ("80, and 100.0 for n = 4", None), ("n is 8", "f(3)")]
)
@pytest.mark.parametrize("form", ["# {}\n{}", '"""{}"""\n{}', "{1}\nabout = '{0}'"])
def test_no_question_asks_for_a_number_that_a_comment_or_docstring_states(text, asked, form):
    predict = questions(form.format(text, CODE)).get("predict")
    assert (predict and predict.call) == asked


def test_where_offers_several_changes_of_a_line_if_there_are_too_few_lines():
    where = questions("def f(n):\n    return n * 2 + (n - n) * 3 * 4 * 5\n", (3,))["where"]
    assert len({option.text for option in where.options}) == 4
    assert [
        f(each.change.applied("def f(n):\n    return n * 2 + (n - n) * 3 * 4 * 5\n"), 3) != 6 for each in where.options
    ] == [place == where.right for place in range(4)]


def test_no_two_options_of_repair_state_the_same_fact_and_all_are_about_one_call(monkeypatch):
    monkeypatch.setattr(
        "labkit.desk.interview.questions.say", lambda _, each, language: each.facts["text"] % each.facts["call"]
    )
    texts = ("%s has base 10. Where?", "%s falls, as with base 100.", "%s is 3.5 times too long, and upside down.")
    texts += ("%s starts late. Where is base 3.5?", "%s has no rows.", "%s was never filled.", "%s ends with 7.")
    right, *others = (
        Finding(f"mistake-{n}", {"text": text, "call": f"f({n})"}, named=True) for n, text in enumerate(texts)
    )
    tried = (Tried(None, ()), Tried(Change(1, 0, 3, "def", "fed"), (), right))
    for seed in range(9):
        [repair] = Questions(Tries("f", CODE, (), tried, tuple(others)), "en", random.Random(seed)).all()
        options = [option.text for option in repair.options]
        assert options[repair.right] == texts[0] % "f(0)" and texts[1] % "f(0)" not in options
        assert all("f(0)" in each for each in options) and len({*options}) == 4


def test_wrong_options_have_the_shape_of_the_right_one_if_enough_of_them_do():
    versions = [Tried(Change(n, 2 * n - 2, 2 * n - 1, "a", "b"), (np.full(2 + n % 2, n),)) for n in range(1, 8)]
    tries = Tries("f", "a\n" * 7, ("f(3)",), (Tried(None, (np.zeros(2),)), *versions))
    for seed in range(5):
        (question, *_) = Questions(tries, "en", random.Random(seed)).all()
        assert question.kind == "predict" and all("shape (2,)" in option.text for option in question.options)


def test_no_question_shows_a_version_that_another_asks_about_if_there_are_others():
    one, other = Change(1, 0, 1, "a", "b"), Change(2, 9, 10, "a", "b")
    asked = Question("change", "f", "", (), 0, change=one)
    hinted = Question("predict", "f", "", (Option("1", ""), Option("2", "", change=one)), 0)
    apart = Question("repair", "f", "", (), 0, change=other)
    for seed in range(10):
        assert {each.kind for each in choose([asked, hinted, apart], 2, random.Random(seed))} != {"change", "predict"}
    assert len(choose([asked, hinted], 2, random.Random(0))) == 2


def f(code, n):
    names = {}
    exec(code, names)
    return names["f"](n)


def test_every_reason_is_in_words():
    assert all(reason == reason.lower() or "Python" in reason for reason in pages.REASONS.values())
