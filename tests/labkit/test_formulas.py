"""Formulas come through as trees, hostile trees are refused at once, and identities are decided exactly."""

import time

import numpy as np
import pytest
import sympy
from sympy import Matrix, cos, sin

from encoding_labs.rotation_proof.identities import NoValue, Unknowns
from encoding_labs.rotation_proof.proof_steps import check_step
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


def equal(one, other) -> bool:
    unknowns = Unknowns("a seed")
    return unknowns.value(tree_of(one)) == unknowns.value(tree_of(other))


@pytest.mark.parametrize(
    "one, other",
    [
        (sin((p + k) * omega), sin(p * omega) * cos(k * omega) + cos(p * omega) * sin(k * omega)),
        (cos(p * omega - k * omega), cos(p * omega) * cos(k * omega) + sin(p * omega) * sin(k * omega)),
        (cos(2 * k * omega), 1 - 2 * sin(k * omega) ** 2),
        (sin(3 * j * omega), 3 * sin(j * omega) - 4 * sin(j * omega) ** 3),
        (1 / cos(k * omega) - cos(k * omega), sin(k * omega) ** 2 / cos(k * omega)),
        ((p + k) ** 2, p**2 + 2 * p * k + k**2),
        (sympy.Rational(1, 3) * p, p / 3),
        (sin(omega * (p + k + j)), sympy.expand_trig(sin(omega * p + omega * k + omega * j))),
    ],
)
def test_equal_formulas_are_equal(one, other):
    assert equal(one, other)


@pytest.mark.parametrize(
    "one, other",
    [
        (sin((p + k) * omega), sin(p * omega) + sin(k * omega)),
        (sin(p * omega), sin(k * omega)),
        (sin(p * omega), p * omega),
        (cos(k * omega), cos(k * omega) * (1 + sympy.Rational(1, 999999))),
        (p, omega),
    ],
)
def test_formulas_that_nearly_agree_differ(one, other):
    assert not equal(one, other)


@pytest.mark.parametrize(
    "angle", [p, omega, p * omega / 2, p * omega + 1, p * k * omega, 9 * p * omega, sin(p * omega), p * omega**2]
)
def test_the_sine_of_something_else_has_no_value(angle):
    with pytest.raises(NoValue):
        Unknowns("a seed").value(tree_of(sin(angle)))


def test_a_division_by_zero_has_no_value():
    zero = ["add", ["symbol", "p"], ["mul", ["integer", -1], ["symbol", "p"]]]
    with pytest.raises(NoValue):
        Unknowns("a seed").value(from_tree(["pow", zero, -1], SYMBOLS))


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


def towers() -> list:
    """Trees within all limits that would be costly to expand or to work out as numbers."""
    sums = ["add", *(["symbol", name] for name in ("p", "k", "j", "omega"))]
    power = ["integer", 999_999]
    for _ in range(MAX_DEPTH - 3):
        power = ["pow", power, 8]
    product = ["mul", *[["pow", sums, 8]] * 300]
    waves = ["mul", *[["sin", ["mul", ["symbol", "omega"], ["add", ["symbol", "p"], ["symbol", "k"]]]]] * 330]
    return [power, product, waves, ["sin", product]]


@pytest.mark.parametrize("tree", towers())
def test_towers_cost_no_more_than_their_size(tree):
    proof = from_tree(["steps", ["matrix", 2, 1, tree, ["integer", 1]], *[["steps"]] * 5], SYMBOLS)
    started = time.process_time()
    assert check_step(proof, 1)
    assert time.process_time() - started < 0.3
