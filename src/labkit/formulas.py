"""Formulas on their way out of a kernel: trees of whitelisted nodes, so that nothing a student wrote is evaluated here.

A node is ["symbol", name], ["integer", n], ["rational", n, m], ["add" | "mul" | "pow" | "sin" | "cos", *parts],
["matrix", rows, columns, *entries], or ["steps", *parts] for a list or tuple of formulas.
"""

from __future__ import annotations

from labkit.wire import Malformed, Unsendable

MAX_NODES = 2_000
MAX_DEPTH = 30
MAX_POWER = 8
SYMBOLS = frozenset({"p", "k", "j", "omega"})


def to_tree(formula: object) -> list:
    """The tree of a SymPy expression, a matrix, or a list of these. Errors: Unsendable for any other node."""
    import sympy

    if isinstance(formula, (list, tuple)):
        return ["steps", *map(to_tree, formula)]
    if isinstance(formula, sympy.MatrixBase):
        return ["matrix", *map(int, formula.shape), *map(to_tree, formula)]
    formula = sympy.sympify(formula)
    if isinstance(formula, sympy.Symbol):
        return ["symbol", formula.name]
    if isinstance(formula, sympy.Integer):
        return ["integer", int(formula)]
    if isinstance(formula, sympy.Rational):
        return ["rational", int(formula.p), int(formula.q)]
    for kind, name in ((sympy.Add, "add"), (sympy.Mul, "mul"), (sympy.Pow, "pow"), (sympy.sin, "sin"), (sympy.cos, "cos")):
        if isinstance(formula, kind):
            return [name, *map(to_tree, formula.args)]
    raise Unsendable(f"a formula with {type(formula).__name__}; use symbols, numbers, +, *, powers, sin, cos and Matrix")


def from_tree(tree: object):
    """The SymPy expression of a tree; steps become a tuple. Symbols are real. Errors: Malformed."""
    return _build(tree, 0, [MAX_NODES])


def _build(tree: object, depth: int, budget: list[int]):
    import sympy

    budget[0] -= 1
    if depth > MAX_DEPTH or budget[0] < 0:
        raise Malformed("a formula too large to be an answer")
    if not isinstance(tree, list) or not tree:
        raise Malformed("not a formula")
    name, *parts = tree
    match name, parts:
        case "symbol", [str(symbol)] if symbol in SYMBOLS:
            return sympy.Symbol(symbol, real=True)
        case "integer", [int(value)] if abs(value) < 10**6:
            return sympy.Integer(value)
        case "rational", [int(top), int(bottom)] if abs(top) < 10**6 and 0 < bottom < 10**6:
            return sympy.Rational(top, bottom)
        case "matrix", [int(rows), int(columns), *entries] if 0 < rows * columns == len(entries) and rows > 0:
            return sympy.ImmutableMatrix(rows, columns, [_build(entry, depth + 1, budget) for entry in entries])
        case "steps", _:
            return tuple(_build(part, depth + 1, budget) for part in parts)
        case "pow", [base, ["integer", int(power)]] if abs(power) <= MAX_POWER:
            return sympy.Pow(_build(base, depth + 1, budget), power)
        case ("add" | "mul"), [_, *_]:
            built = [_build(part, depth + 1, budget) for part in parts]
            return _scalar(sympy.Add if name == "add" else sympy.Mul, built)
        case ("sin" | "cos"), [_]:
            return _scalar(sympy.sin if name == "sin" else sympy.cos, [_build(parts[0], depth + 1, budget)])
    raise Malformed(f"not a formula this exercise uses: {name!r}"[:120])


def _scalar(function, parts: list):
    import sympy

    if not all(isinstance(part, sympy.Expr) for part in parts):
        raise Malformed("a matrix where a number is needed")
    return function(*parts)
