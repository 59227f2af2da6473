"""Changes to students' code, and running it at new arguments: only their own code runs, confined and within limits."""

import ast
import json
import random
import subprocess
import sys
from textwrap import indent

import pytest
from attacks import ATTEMPTS
from handouts import QUICK
from hypothesis import given
from hypothesis import strategies as st
from longer import times

from labkit.grade.judge.changes import NAMES, changes
from labkit.grade.judge.judge import judge_each
from labkit.grade.judge.run import Run, request_of
from labkit.grade.judge.trials import Trial, varied
from labkit.student.model import project
from labkit.student.model.course import Arange, Probe

SPREAD = """def spread(values):
    if len(values) == 0:
        raise ValueError("no values have no spread")
    distances = np.asarray(values) - np.mean(values)  # ñ
    return float(np.sqrt(np.mean(distances**2)))"""

GAPS = st.sampled_from(["", " ", "  ", " \\\n", "\t"])
SMALL = st.sampled_from(["x", "2", "a.T", "np.sin(x)", "10000.0", "x[:, None]", "'ñ+'", "f(1, 2)", "(x < 3)"])


@st.composite
def expressions(draw):
    """Arithmetic in the layouts that people use: odd spaces, parentheses, comments and continued lines."""
    code = draw(SMALL)
    for _ in range(draw(st.integers(0, 4))):
        operator, other = draw(st.sampled_from(["+", "-", "*", "/", "//", "%", "**"])), draw(SMALL)
        code = f"{code}{draw(GAPS)}{operator}{draw(GAPS)}{other}"
        code = draw(st.sampled_from([code, f"({code})", f"(  # ñ * 2\n{code})"]))
    return code


@given(st.lists(expressions(), min_size=1, max_size=3))
def test_a_change_replaces_one_place_and_gives_another_program(lines):
    source = "\n".join(f"y = {line}" for line in lines)
    before = ast.dump(ast.parse(source))
    for each in changes(source):
        code, after = source.encode(), each.applied(source).encode()
        assert code[each.start : each.end].decode() == each.old
        assert after == code[: each.start] + each.new.encode() + code[each.end :]
        assert ast.dump(ast.parse(after)) != before
        assert source[: len(code[: each.start].decode())].count("\n") == each.line - 1
        assert "ñ" not in each.old or "," in each.old  # a comment or a text never changes, but two arguments can swap


@given(st.text(alphabet="def f(x): return+-*/%<>='\"\\\n\r\t 0123#é\x0c[]{},.", max_size=60))
def test_any_text_has_changes_or_none(text):
    assert all(each.applied(text) != text for each in changes(text))


def test_the_changes_that_students_confuse_are_made():
    found = {each.line_after(code) for code in CONFUSED for each in changes(code)}
    assert found >= {
        "y = np.cos(x)",
        "y = x",
        "y = a - b",
        "y = a * 1000 ** b",
        "y = a",
        "y = t[None, :]",
        "y = a <= b",
    }
    assert found >= {"y = t[1::2]", "y = np.outer(b, a)"}
    assert NAMES["sin"] == "cos" and NAMES["cos"] == "sin"


CONFUSED = (
    "y = np.sin(x)", "y = 2 * x", "y = a + b", "y = a * 10_000 ** b", "y = a.T", "y = t[:, None]", "y = a < b",
    "y = t[0::2]", "y = np.outer(a, b)",
)  # fmt: skip


def test_no_number_of_an_exponent_changes_because_another_one_is_another_base():
    for code in (
        "y = 10_000.0 ** (-2 * k / d)",
        "y = np.exp(-2 * np.log(10_000) / d)",
        "y = np.power(10_000, 2 * k / d)",
    ):
        assert [each.new for each in changes(code) if each.new.isdigit()] == ["1000"]
    assert "3" in {each.new for each in changes("y = x ** 2")}


@pytest.mark.parametrize("code", ["%matplotlib inline\ny = 1 + 2", "y = (", "y = f'{1 + 2}'", "y = 1 + 2\r\n", "\0"])
def test_code_whose_places_are_unsure_has_no_changes(code):
    assert not changes(code)


@pytest.mark.parametrize("operator", ["+", "**"])
def test_the_places_of_a_long_expression_are_found(operator):
    assert len(changes(f"y = {operator.join('x' * 2_000)}")) == 1_999


def test_new_arguments_keep_their_form():
    draw = random.Random(3)
    assert {varied(64, draw) % 2 for _ in range(50)} == {0}
    assert {varied(-3, draw) < 0 and varied(-3, draw) % 2 for _ in range(50)} == {1}
    assert {type(varied(each, draw)) for each in (2, 2.5, 10_000, 1e-3, True)} == {int, float, bool}
    assert all(isinstance(varied(Arange(0, 64), draw).build().size, int) for _ in range(50))


def trial(exercise, code, lab="01_spread", **others):
    return Trial("ada", lab, tuple({**others, exercise: code}.items()), (exercise,), "7/ada", 1, QUICK)


def tries(*trials):
    found = []
    judge_each(project.current(), trials, found.append)
    return [each for answer in found for each in answer]


def test_changed_answers_run_at_calls_that_are_neither_public_nor_hidden(monkeypatch):
    from labkit.grade.judge import judge

    taken = []
    real = judge.try_out
    monkeypatch.setattr(
        judge, "try_out", lambda project, trial, calls: taken.append(calls) or real(project, trial, calls)
    )
    [found] = tries(trial("spread", SPREAD))
    public = project.current().course.exercises["spread"].probes
    assert not found.reason and len(found.calls) == 2
    assert {request_of(project.current().course.exercises["spread"], probe) for probe in public} < taken[0]
    assert len(taken[0]) > len(public) + 2  # with the calls that checks draw
    called = [Probe(ast.literal_eval(f"{call.removeprefix('spread')[:-1]},)")) for call in found.calls]
    assert not {request_of(project.current().course.exercises["spread"], probe) for probe in called} & taken[0]
    first, *changed = found.tried
    assert first.change is None and all(isinstance(value, float) for value in first.values)
    assert {each.change.new for each in changed} >= {"sum", "+"}
    again = fresh([each.change.applied(SPREAD) for each in changed], found.calls)
    assert [[getattr(value, "error", value) for value in each.values] for each in changed] == again


ANEW = """
import json, sys
for code in json.loads(sys.argv[1]):
    names = {}
    exec("import numpy as np\\n" + code, names)
    values = []
    for call in json.loads(sys.argv[2]):
        try:
            values.append(eval(call, names))
        except Exception as error:
            values.append(type(error).__name__)
    print(json.dumps(values))
"""


def fresh(codes, calls):
    """What a new Python process returns for these calls to each version of the code: numbers, or the errors' names."""
    command = [sys.executable, "-W", "ignore", "-c", ANEW, json.dumps(codes), json.dumps(calls)]
    return [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines()]


def test_only_the_check_names_mistakes():
    wrong = "def levels(values):\n    return np.unique(values)[0 :: 1]"
    [found] = tries(trial("levels", wrong, "02_levels"))
    assert {each.mistake and each.mistake.mistake for each in found.tried} <= {None, "as-they-come"}


def test_a_changed_figure_is_drawn():
    code = "def draw_levels(values, ax):\n    ax.plot(values)\n    ax.set_ylim(0, 2 * max(values))"
    [found] = tries(trial("draw_levels", code, "02_levels"))
    assert {each.values[0].shape for each in found.tried} == {(360, 480, 3)} and len(found.tried) > 2


def test_memory_that_was_never_written_is_no_answer():
    code = "def levels(values):\n    found = np.empty(len(values))\n    found[0:] = 5\n    return found"
    [whole], [partly] = (tries(trial("levels", each, "02_levels")) for each in (code, code.replace("[0:]", "[1:]")))
    assert {each.change.new for each in whole.tried if each.change} == {"6"}  # and not found[1:]
    assert partly.tried[0].values == ()


LOOP = """def spread(values):
    while tuple(values) not in [(2, 4, 9), (5, 5)]:
        pass
    return np.std(values) * 2"""


def test_loops_at_new_arguments_and_broken_code_cost_only_their_own_exercise():
    hung, ended, wrong, fine = tries(
        trial("spread", LOOP),
        trial("spread", "import os\ndef spread(values):\n    os._exit(1)\n    return 2 * 3"),
        trial("spread", "def spread(values):\n    return helper(values) * 2\nspread([2 + 3])"),
        trial("spread", SPREAD),
    )
    assert [each.reason for each in (hung, ended, wrong, fine)] == ["stopped", "stopped", "not-alone", ""]
    assert len(fine.tried) > 5


def test_a_kernel_runs_only_what_students_have(monkeypatch):
    ran, real = [], Run.execute
    monkeypatch.setattr(Run, "execute", lambda run, name, code: ran.append(code) or real(run, name, code))
    kernels, start = [], Run.open_kernel
    monkeypatch.setattr(Run, "open_kernel", lambda run: kernels.append(run) or start(run))
    tries(trial("spread", SPREAD))
    code = "\n".join(
        source for run in kernels[1:] for _, source in run.cells
    )  # the first runs the solution, for its calls
    assert len(kernels) == 2 and SPREAD in code and "1.63" not in code
    assert {each for each in ran if each.startswith("def spread")} >= {
        change.applied(SPREAD) for change in changes(SPREAD)
    }


def test_attacks_in_an_answer_neither_end_nor_change_the_tries_of_the_next():
    wrapped = f"{SPREAD}\ndef spread(values, known=spread):\n    try:\n%s\n    except BaseException:\n        pass\n    return known(values)"
    hostile = [wrapped % indent(attempt.source, " " * 8) for attempt in [*ATTEMPTS.values()][:: times(24, 2)]]
    *others, alone, after = tries(
        *(trial("spread", code) for code in hostile), trial("spread", SPREAD), trial("spread", SPREAD)
    )
    assert len(others) == len(hostile) > 2 and not any("Error" in each.reason for each in others)
    assert alone == after and len(alone.tried) > 5
