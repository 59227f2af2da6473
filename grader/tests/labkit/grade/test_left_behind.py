"""What a cell leaves behind, or a later cell breaks, costs right answers nothing, or what the page says, and the same every time."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from handouts import QUICK, Handout
from longer import every

from labkit.grade.judge.assemble import assemble
from labkit.grade.judge.names import changed_later
from labkit.grade.judge.recheck import better
from labkit.grade.judge.results import Check
from labkit.grade.judge.run import Run
from labkit.student.model import course, project

PAGE = Path(__file__).parents[3] / "docs/added_cells.md"
ROW = re.compile(r"^\| (?!a cell leaves|---)(.+?) \| `(.+?)` \| (.+) \|$", re.MULTILINE)
HARMLESS, OWN_DOING = (
    [example for _, example, _ in ROW.findall(part)] for part in PAGE.read_text("utf-8").split("\n## ")[1:]
)
LABS = {"01_spread": ("midrange", 6), "02_levels": ("draw_levels", 4)}  # the last cell with an answer, and the points
# The points in both labs below each cell of the page's second table, and words of a message.
BELOW = {
    "del np": (3, 2, "NameError"), "%reset -f": (3, 2, "NameError"), "max = min": (4, 4, "which is not right"),
    "np.mean = np.unique = None": (3, 2, "TypeError"), "import sys; sys.modules.clear()": (0, 0, "does not run"),
    "import sys; sys.setrecursionlimit(36)": (6, 2, "RecursionError"),
    'import matplotlib; matplotlib.rcParams["lines.linewidth"] = 0': (6, 2, "drew 0 lines"),
    "get_ipython().input_transformers_post.append(lambda lines: [])": (0, 0, "no answer with this name"),
    'import ast; get_ipython().ast_transformers.append(type("Off", (ast.NodeTransformer,), {"visit_Return": lambda *_: ast.Pass()})())': (1, 2, "None"),
    "import sys; sys.stdout = sys.stderr = None": (0, 0, "no answer with this name"),
    "import labkit.student.calls.calling; labkit.student.calls.calling.call_answer = None": (0, 0, "sent nothing back"),
}  # fmt: skip


def with_cell(lab: str, source: str, *places: str) -> Handout:
    copy = Handout(lab, solved=True)
    for place in places:
        copy.insert(source, after=place)
    return copy


def test_the_page_has_its_tables():
    assert len(HARMLESS) > 35 and [*BELOW] == OWN_DOING


@pytest.mark.parametrize("source", every(2, HARMLESS, why="another example of the page"))
def test_a_cell_that_leaves_something_behind_costs_nothing(source, judged):
    lab = "02_levels" if "plot" in source else "01_spread"
    last, points = LABS[lab]
    assert judged(with_cell(lab, source, "setup", last)).score == points


@pytest.mark.parametrize("source", OWN_DOING)
def test_below_such_a_cell_the_answers_lose_the_same_points_every_time(source, judged):
    *points, words = BELOW[source]
    for lab, expected in zip(LABS, points):
        if expected < LABS[lab][1]:
            first, again = (judged(with_cell(lab, source, "setup")) for _ in range(2))
            assert (first.status, first.score) == ("graded", expected) and first.stored() == again.stored()
            assert any(words in check.message() for check in first.checks)


@pytest.mark.parametrize("source", every(3, OWN_DOING, why="another example of the page"))
def test_at_the_end_such_a_cell_costs_nothing(source, judged):
    for lab, (last, points) in LABS.items():
        result = judged(with_cell(lab, source, last))
        assert (result.status, result.score) == ("graded", points)


RESTORED = {  # a cell, and what is true in a call after it
    "import signal; signal.alarm(60)": "signal.getitimer(signal.ITIMER_REAL) == (0, 0)",
    "import signal; signal.setitimer(signal.ITIMER_VIRTUAL, 60)": "signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)",
    "import signal; signal.setitimer(signal.ITIMER_PROF, 60)": "signal.getitimer(signal.ITIMER_PROF) == (0, 0)",
    "import builtins\nfull = max\nbuiltins.max = min": "max is full",
    "import threading\ntimer = threading.Timer(60, print)\ntimer.start()": "timer.finished.is_set()",
    "import sys; sys.settrace(lambda *_: None)": "sys.gettrace() is None",
    "import sys; sys.setprofile(lambda *_: None)": "sys.getprofile() is None",
    "import tracemalloc; tracemalloc.start()": "not tracemalloc.is_tracing()",
    "import gc\nusual = gc.get_threshold()\ngc.disable()\ngc.set_threshold(1)": "gc.isenabled() and gc.get_threshold() == usual",
    """import asyncio
ticks, seen = [], set()
def tick():
    ticks.append(1)
    asyncio.get_running_loop().call_soon(tick)
tick()""": "seen.add(len(ticks)) or len(seen) == 1",
}


# Only a forked kernel can stop its event loop.
IN_STOCK = [source for source in RESTORED if "asyncio" not in source]


@pytest.mark.parametrize(
    ("source", "stock"),
    [
        *((source, False) for source in RESTORED),
        *every(len(IN_STOCK), [(source, True) for source in IN_STOCK], start=1, why="the same in a stock kernel"),
    ],
)
def test_a_call_finds_nothing_that_a_cell_left_running(source, stock, judged):
    answer = f"def midrange(values):\n    return (min(values) + max(values)) / 2 if {RESTORED[source]} else 0"
    copy = Handout("01_spread", solved=True).write("midrange", answer).insert(source, after="midrange")
    assert judged(copy, budgets=replace(QUICK, stock_kernel=stock)).score == 6


def test_a_time_limit_of_faulthandler_does_not_end_the_calls(judged):
    """The limit is long enough for its cell to end on a busy machine, and the calls wait until it is over."""
    answer = "def midrange(values):\n    while time.monotonic() < over: time.sleep(0.1)\n    return (min(values) + max(values)) / 2"
    copy = Handout("01_spread", solved=True).write("midrange", answer)
    limit = "import faulthandler, time; faulthandler.dump_traceback_later(4, exit=True); over = time.monotonic() + 5"
    result = judged(copy.insert(limit, after="midrange"), budgets=replace(QUICK, cell_seconds=20))
    assert (result.status, result.score) == ("graded", 6)


KEPT = {
    "np.seterr(all='raise')": "try:\n        np.array(1.0) / 0\n    except FloatingPointError:",
    "import warnings; warnings.simplefilter('error')": "try:\n        warnings.warn('careful')\n    except UserWarning:",
    "import os; os.mkdir('data'); os.chdir('data')": "if os.getcwd().endswith('data'):",
}


@pytest.mark.parametrize("source", KEPT)
def test_a_setting_that_an_answer_relies_on_is_kept(source, judged):
    """The setting is in the cell of the answer, so that the answer is right with it and wrong without it."""
    answer = f"{source}\ndef midrange(values):\n    {KEPT[source]}\n        return (min(values) + max(values)) / 2"
    assert judged(Handout("01_spread", solved=True).write("midrange", answer)).score == 6


def test_output_may_stay_redirected_from_one_cell_to_the_next(judged):
    copy = Handout("01_spread", solved=True).insert(
        "import io, sys\nusual, sys.stdout = sys.stdout, io.StringIO()", after="setup"
    )
    copy.write("by_hand", "print('1.00 1.63')\nby_hand = [float(word) for word in sys.stdout.getvalue().split()[-2:]]")
    assert judged(copy).score == 6


LAB = "01_spread"
WRONG = "def spread(values):\n    return float(np.std(values, ddof=1))"
BREAKING = (
    "np = 5", "len = min = max = sum = sorted = float = 3", "spread = spread([1.0, 3.0])", "by_hand = [0, 0]\nmidrange = by_hand",
    "del np, spread, by_hand, midrange", "%reset -f", "from operator import *\nmin = max",
    "np.asarray = np.mean = None", "def midrange(values):\n    return 0", "by_hand[0] = 77", "for max in 1, 2: pass",
    "import math as np", "def np(): ...", "class max: ...", "(max := 3)", "exec('max = 3')", "globals()['max'] = 3", "by_hand.clear()",
)  # fmt: skip


def points_of(result, exercise: str) -> float:
    return sum(map(result.points, result.of_exercise(exercise)))


@pytest.mark.parametrize("last", BREAKING)
def test_a_name_reused_at_the_end_costs_nothing(judged, last):
    result = judged(Handout(LAB, solved=True).insert(last, after="robust"))
    assert (result.status, result.score) == ("graded", 6)
    assert {check.outcome for check in result.checks} == {"passed", "manual"}
    assert any(finding.id == "own-cell" for check in result.checks for finding in check.findings)


def test_the_points_of_an_answer_that_is_wrong_at_both_times_stay_lost(judged):
    result = judged(Handout(LAB, solved=True).write("spread", WRONG).insert("np = 5", after="robust"))
    assert (points_of(result, "spread"), points_of(result, "by_hand"), points_of(result, "midrange")) == (0, 1, 2)
    assert any(check.mistakes or check.findings for check in result.of_exercise("spread"))


def test_an_answer_that_is_right_only_at_the_end_keeps_its_points(judged):
    copy = Handout(LAB, solved=True).write("midrange", "def midrange(values):\n    return halfway(values)")
    copy.insert("def halfway(values):\n    return (min(values) + max(values)) / 2\nnp = 5", after="robust")
    assert judged(copy).score == 6


def test_an_answer_that_only_an_added_cell_makes_wrong_is_its_own_cell(judged):
    """The added cell right after the answer belongs to the time after the answer's cell."""
    copy = Handout(LAB, solved=True).insert("spread = spread([1, 3])", after="spread")
    assert judged(copy).score == 6


USES = "def midrange(values):\n    return (np.min(values) + np.max(values)) / 2 * spread((2, 4, 9)) / 2.943920288775949"


@pytest.mark.parametrize("last", ["np = 5", "spread = None"])
def test_a_name_reused_at_the_end_costs_no_more_after_an_earlier_wrong_answer(judged, last):
    """An answer that used a wrong one lost its points if a later cell broke it too: `np = 5` cost 5 more points in lab 05."""
    copy = Handout(LAB, solved=True).write("spread", WRONG).write("midrange", USES)
    result = judged(copy.insert(last, after="robust"))
    assert (points_of(result, "spread"), points_of(result, "by_hand"), points_of(result, "midrange")) == (0, 1, 2)


@pytest.mark.parametrize(
    "nested", ["x = a" + ".b" * 2000, "x = " + "1+" * 2000 + "1", "f" + "()" * 900, "np = " + "-" * 900 + "1"]
)
def test_a_cell_that_is_nested_deeply_breaks_nothing(judged, nested):
    result = judged(Handout(LAB, solved=True).write("midrange", "midrange = 1").insert(nested, after="robust"))
    assert (result.status, result.score) == ("graded", 4)


HARMLESS_TO_OTHERS = (
    "print(np.arange(3))", "import numpy as np", "def helper(values):\n    np = 5\n    return len(values)", "other = [1, 2]",
    "class Mine:\n    np = 5", "check('spread')", "x = np.linspace(0, 1)\nx", "lambda: globals().clear()", "def f(:",
)  # fmt: skip


@pytest.mark.parametrize("last", HARMLESS_TO_OTHERS)
def test_a_second_kernel_starts_only_after_a_cell_that_may_change_something(judged, monkeypatch, last):
    started = []
    monkeypatch.setattr(Run, "add_cell", lambda *given: started.append(given))
    copy = Handout(LAB, solved=True).write("spread", WRONG).write("midrange", "def midrange(values):\n    return 0")
    assert judged(copy.insert(last, after="robust")).score == 1
    assert not started


def test_no_second_kernel_starts_for_right_answers(judged, monkeypatch):
    monkeypatch.setattr(Run, "add_cell", None)
    assert judged(Handout(LAB, solved=True).insert("np.seterr(all='warn')", after="robust")).score == 6


def rows(*outcomes: str) -> list[Check]:
    return [Check("spread", f"check_{number}", outcome) for number, outcome in enumerate(outcomes)]


@pytest.mark.parametrize(
    ("at_end", "then", "counted"),
    [
        ("failed failed", "passed passed", "passed passed"),
        ("passed failed", "passed passed", "passed passed"),
        ("failed failed", "passed failed", "passed failed"),
        ("passed failed", "failed passed", "passed failed"),  # two half-right answers are not one right answer
        ("passed failed error", "failed passed passed", "passed failed error"),
    ],
)
def test_an_exercise_counts_as_a_whole(at_end, then, counted):
    found = better(rows(*at_end.split()), rows(*then.split()), "spread")
    assert [check.outcome for check in found] == counted.split()
    assert better(rows(*at_end.split()), rows(*then.split()), "other") == rows(*at_end.split())


def test_a_second_guess_of_a_value_without_a_check_does_not_count():
    copy = Handout(LAB, solved=True).insert("by_hand = [0, 0]", after="robust")
    assembled = assemble(project.current(), copy.parsed())
    lost = [Check("by_hand", "test_by_hand", "failed")]
    assert changed_later(lost, assembled) == ["by_hand"]
    exercises = [replace(each, graded_only=each.name == "by_hand") for each in course.current().labs[LAB].exercises]
    assert changed_later(lost, replace(assembled, lab=replace(assembled.lab, exercises=tuple(exercises)))) == []
