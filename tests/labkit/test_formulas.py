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
from labkit.calls.wire import Malformed, Unsendable, dumps, loads

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
    "formula",
    [sympy.tan(p), sympy.pi, sympy.I, 0.5, "p", None, sympy.Symbol("theta"), sympy.sqrt(p), p**k, object()],
)
def test_other_formulas_are_not_sent(formula):
    with pytest.raises(Unsendable):
        to_tree([formula], SYMBOLS)


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
