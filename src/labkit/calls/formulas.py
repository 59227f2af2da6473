"""Formulas on their way out of a kernel: trees of whitelisted nodes, so that nothing a student wrote is evaluated here.

A node is ("symbol", name), ("integer", n), ("rational", n, m), ("add" | "mul" | "sin" | "cos", *parts), ("pow", part, n),
("matrix", rows, columns, *entries), or ("steps", *parts) for a list or tuple of formulas. SymPy is used only where the
student's code runs; what arrives stays a tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from labkit.calls.wire import Malformed, Unsendable

MAX_NODES = 2_000
MAX_DEPTH = 30
MAX_POWER = 8
MAX_INTEGER = 10**6


def to_tree(formula: object, symbols: frozenset[str]) -> list:
    """The tree of a SymPy expression in these symbols, a matrix or array of such, or a list.

    Errors: Unsendable for any other node.
    """
    import numpy as np
    import sympy

    def all_of(parts) -> list:
        return [to_tree(part, symbols) for part in parts]

    if isinstance(formula, np.ndarray):
        formula = formula.tolist()
    if isinstance(formula, (list, tuple)):
        return ["steps", *all_of(formula)]
    if isinstance(formula, sympy.MatrixBase):
        return ["matrix", *map(int, formula.shape), *all_of(formula)]
    try:
        formula = sympy.sympify(formula, strict=True)
    except sympy.SympifyError:
        raise Unsendable(f"a step may hold formulas and matrices, and no {type(formula).__name__}") from None
    if isinstance(formula, sympy.Symbol):
        if formula.name not in symbols:
            raise Unsendable(f"a symbol that was not given: {formula.name}")
        return ["symbol", formula.name]
    if isinstance(formula, sympy.Integer):
        return ["integer", int(formula)]
    if isinstance(formula, sympy.Rational):
        return ["rational", int(formula.p), int(formula.q)]
    if isinstance(formula, sympy.Pow) and isinstance(formula.exp, sympy.Integer):
        return ["pow", to_tree(formula.base, symbols), int(formula.exp)]
    for kind, name in ((sympy.Add, "add"), (sympy.Mul, "mul"), (sympy.sin, "sin"), (sympy.cos, "cos")):
        if isinstance(formula, kind):
            return [name, *all_of(formula.args)]
    kind = type(formula).__name__
    raise Unsendable(f"a formula with {kind}; use symbols, numbers, +, *, powers, sin, cos and Matrix")


def from_tree(tree: object, symbols: frozenset[str]) -> tuple:
    """The tree as nested tuples, every node of it known and in bounds. Errors: Malformed."""
    return _Reader(symbols).read(tree, 0)


class _Reader:
    """Reads one tree in these symbols, within a number of nodes."""

    def __init__(self, symbols: frozenset[str]):
        self.symbols, self.nodes_left = symbols, MAX_NODES

    def read(self, tree: object, depth: int) -> tuple:
        self.nodes_left -= 1
        if depth > MAX_DEPTH or self.nodes_left < 0:
            raise Malformed("a formula too large to be an answer")
        if not isinstance(tree, (list, tuple)) or not tree or len(tree) > MAX_NODES:
            raise Malformed("not a formula")
        name, *parts = tree
        match name, parts:
            case "symbol", [str(symbol)] if symbol in self.symbols:
                return "symbol", symbol
            case "integer", [value] if _whole(value, MAX_INTEGER):
                return "integer", value
            case "rational", [top, bottom] if _whole(top, MAX_INTEGER) and _whole(bottom, MAX_INTEGER) and bottom > 0:
                return "rational", top, bottom
            case "pow", [base, power] if _whole(power, MAX_POWER):
                return "pow", self.scalar(base, depth), power
            case (("add" | "mul"), [_, *_]):
                return name, *(self.scalar(part, depth) for part in parts)
            case (("sin" | "cos"), [angle]):
                return name, self.scalar(angle, depth)
            case "matrix", [rows, columns, *entries] if _whole(rows, MAX_NODES) and _whole(columns, MAX_NODES):
                if rows > 0 and rows * columns == len(entries) > 0:
                    return name, rows, columns, *(self.scalar(entry, depth) for entry in entries)
            case "steps", _:
                return name, *(self.read(part, depth + 1) for part in parts)
        raise Malformed(f"not a formula this exercise uses: {str(name)[:40]!r}")

    def scalar(self, tree: object, depth: int) -> tuple:
        read = self.read(tree, depth + 1)
        if read[0] in ("matrix", "steps"):
            raise Malformed("a matrix where a number is needed")
        return read


def _whole(value: object, most: int) -> bool:
    return type(value) is int and abs(value) <= most


def nodes(tree: tuple) -> Iterator[tuple]:
    """The tree's node and all below it."""
    yield tree
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from nodes(part)


def symbols_in(tree: tuple) -> set[str]:
    """The names of the symbols that a formula is written with."""
    return {node[1] for node in nodes(tree) if node[0] == "symbol"}


def rows_of(tree: tuple) -> list[list[tuple]] | None:
    """The rows of a matrix, also of one written as a list of numbers (a column) or of rows; None for anything else."""
    if tree[0] == "matrix":
        _, rows, columns, *entries = tree
        return [entries[row * columns : (row + 1) * columns] for row in range(rows)]
    if tree[0] != "steps":
        return None
    rows = [list(part[1:]) if part[0] == "steps" else [part] for part in tree[1:]]
    lengths = {len(row) for row in rows}
    nested = any(entry[0] in ("matrix", "steps") for row in rows for entry in row)
    return None if nested or len(lengths) != 1 or not all(lengths) else rows
