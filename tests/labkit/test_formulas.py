"""Formulas come through as trees, and hostile trees are refused at once."""

import time

import numpy as np
import pytest
import sympy
from attacks.proof import SYMBOLS, TREES
from sympy import Matrix, sin

from labkit.calls.formulas import (
    from_tree,
    rows_of,
    symbols_in,
    to_tree,
)
from labkit.calls.wire import Malformed, Unsendable, dumps, loads

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
    "formula",
    [sympy.tan(p), sympy.pi, sympy.I, 0.5, "p", None, sympy.Symbol("theta"), sympy.sqrt(p), p**k, object()],
)
def test_other_formulas_are_not_sent(formula):
    with pytest.raises(Unsendable):
        to_tree([formula], SYMBOLS)


@pytest.mark.parametrize("tree", TREES)
def test_odd_and_huge_trees_are_refused_at_once(tree):
    started = time.process_time()
    with pytest.raises(Malformed):
        from_tree(tree, SYMBOLS)
    assert time.process_time() - started < 0.1
