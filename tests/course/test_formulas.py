"""A kernel sends formulas as trees. Hostile trees are refused without being evaluated."""

import time

import numpy as np
import pytest
import sympy
from hostile_proofs import SYMBOLS, TREES
from sympy import Matrix, sin

from encoding_labs.rotation_proof.formulas import from_tree, rows_of, symbols_in, to_tree
from labkit.student.calls.wire import Malformed, dumps, loads

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
