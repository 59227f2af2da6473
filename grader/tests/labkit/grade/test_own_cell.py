"""An answer that a later cell breaks counts as it was right after its own cell, and earns nothing else."""

from dataclasses import replace

import pytest
from handouts import Handout

from labkit.grade.judge.assemble import assemble
from labkit.grade.judge.names import changed_later
from labkit.grade.judge.recheck import better
from labkit.grade.judge.results import Check
from labkit.grade.judge.run import Run
from labkit.student.model import course, project

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


HARMLESS = (
    "print(np.arange(3))", "import numpy as np", "def helper(values):\n    np = 5\n    return len(values)", "other = [1, 2]",
    "class Mine:\n    np = 5", "check('spread')", "x = np.linspace(0, 1)\nx", "lambda: globals().clear()", "def f(:",
)  # fmt: skip


@pytest.mark.parametrize("last", HARMLESS)
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
