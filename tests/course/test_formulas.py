"""Replies from a kernel, also formulas as trees: hostile ones are refused without being evaluated, and none makes a check raise an error."""

import time

import fuzz_replies
import numpy as np
import pytest
import sympy
from hostile_proofs import SYMBOLS, TREES
from longer import times
from sympy import Matrix, sin

from encoding_labs import COURSE
from encoding_labs.rotation_proof.formulas import from_tree, rows_of, symbols_in, to_tree
from labkit.student.calls.calling import read_reply, reply
from labkit.student.calls.wire import Malformed, dumps, loads
from labkit.student.notebook.examine import examine

p, k, j, omega = sympy.symbols("p k j omega", real=True)


def tree_of(formula):
    return from_tree(loads(dumps(to_tree(formula, SYMBOLS))), SYMBOLS)


def test_matrices_come_in_many_writings():
    wanted = rows_of(tree_of(Matrix([[p, k], [j, omega]])))
    assert rows_of(tree_of([[p, k], [j, omega]])) == rows_of(tree_of(np.array([[p, k], [j, omega]]))) == wanted
    assert rows_of(tree_of([p, k])) == rows_of(tree_of(Matrix([p, k])))
    assert rows_of(tree_of(p)) is rows_of(tree_of([[p], [k, j]])) is rows_of(tree_of([])) is None
    assert symbols_in(tree_of(Matrix([p, sin(k * omega)]))) == {"p", "k", "omega"}


@pytest.mark.parametrize(
    "formula, kind",
    [
        (sympy.asin(p), "function"),
        (sympy.pi, "function"),
        (sympy.Float(0.5), "number"),
        (p * sympy.zoo, "infinite"),
        (sympy.nan, "infinite"),
        (0.5, "number"),
        ("p", "type"),
        (None, "nothing"),
        (sympy.Symbol("theta"), "symbol"),
        (sympy.sqrt(p), "function"),
        (p**k, "function"),
        (object(), "type"),
        ({"p": p}, "type"),
        (True, "type"),
        (Matrix(1, 1, [Matrix([p])]), "nested"),
    ],
)
def test_an_unknown_formula_replaces_only_its_own_step(formula, kind):
    matrix = Matrix([p]) if kind == "nested" else [formula, p]
    steps = tree_of([p, formula, matrix, k])
    assert steps[1:] == (("symbol", "p"), steps[2], steps[3], ("symbol", "k"))
    assert steps[2][:2] == ("other", kind)
    assert kind == "nested" or steps[3] == steps[2]


def test_waves_come_through():
    assert tree_of([sympy.tan(p), sympy.exp(sympy.I * p)]) == (
        "steps",
        ("tan", ("symbol", "p")),
        ("exp", ("mul", ("i",), ("symbol", "p"))),
    )


@pytest.mark.parametrize("tree", TREES)
def test_odd_and_huge_trees_are_refused_at_once(tree):
    started = time.process_time()
    with pytest.raises(Malformed):
        from_tree(tree, SYMBOLS)
    assert time.process_time() - started < 2  # a hundredth of it, or without end


def test_mutated_replies_are_judged_or_refused():
    _, kinds = fuzz_replies.fuzz(times(600, 6_000), seed=1)
    assert {"wrong", "NoMessage", "OverBudget"} <= set(kinds) and kinds["wrong"] > times(200, 2_000)


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("landmarks", (np.zeros(3), 5)),
        ("landmarks", [[np.zeros(3)], 5]),
        ("sinusoidal_pe", np.float32(0)),
        ("by_hand", [np.zeros(3), "value"]),
        ("decode", 1.7e308),
    ],
)
def test_answers_that_once_broke_a_judge_are_wrong(exercise, answer):
    assert examine(COURSE, COURSE.exercises[exercise], lambda probe: read_reply(reply(answer))).findings


def test_a_reply_that_begins_with_an_array_is_none():
    from labkit.student.calls import wire

    assert read_reply(wire.dumps([np.zeros(3), 1])).error == "Malformed"
