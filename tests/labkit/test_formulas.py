"""Formulas come through as trees, and hostile trees are refused at once."""

import time

import numpy as np
import pytest
import sympy
from sympy import Matrix, sin

from labkit.calls.formulas import (
    MAX_DEPTH,
    MAX_NODES,
    from_tree,
    rows_of,
    symbols_in,
    to_tree,
)
from labkit.calls.wire import Malformed, dumps, loads

p, k, j, omega = sympy.symbols("p k j omega", real=True)

SYMBOLS = frozenset({"p", "k", "j", "omega"})


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
def test_another_formula_takes_the_place_of_its_own_step_only(formula, kind):
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


def nested(name: str, depth: int) -> list:
    tree = ["symbol", "p"]
    for _ in range(depth):
        tree = [name, tree]
    return tree


@pytest.mark.parametrize(
    "tree",
    [
        None,
        "p",
        [],
        [[]],
        {},
        ["symbol"],
        ["symbol", "__import__"],
        ["symbol", ["p"]],
        ["symbol", "p", "k"],
        ["evalf", ["symbol", "p"]],
        ["integer", 10**7],
        ["integer", True],
        ["integer", 1.5],
        ["rational", 1, 0],
        ["rational", 1, -2],
        ["rational", "1", 2],
        ["pow", ["symbol", "p"], 9],
        ["pow", ["symbol", "p"], ["symbol", "p"]],
        ["pow", ["integer", 2], 10**9],
        ["add"],
        ["sin"],
        ["i", ["symbol", "p"]],
        ["exp"],
        ["other", "anything", "p"],
        ["mul", ["other", "nothing", ""]],
        ["sin", ["matrix", 1, 1, ["symbol", "p"]]],
        ["pow", ["steps"], 2],
        ["mul", ["steps", ["symbol", "p"]]],
        ["matrix", 2, 2, ["symbol", "p"]],
        ["matrix", 0, 0],
        ["matrix", -1, -1, ["symbol", "p"]],
        ["matrix", 1, 1, ["steps"]],
        nested("sin", MAX_DEPTH + 1),
        nested("steps", 400),
        ["add", *[["symbol", "p"]] * MAX_NODES],
        ["add", *[["mul", *[["symbol", "p"]] * 100]] * 100],
    ],
)
def test_odd_and_huge_trees_are_refused_at_once(tree):
    started = time.process_time()
    with pytest.raises(Malformed):
        from_tree(tree, SYMBOLS)
    assert time.process_time() - started < 0.1
