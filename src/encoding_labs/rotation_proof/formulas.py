"""The kind of answer for lab 03's `proof`: formulas, sent from a kernel as trees of whitelisted nodes and never evaluated.

A node is ("symbol", name), ("integer", n), ("rational", n, m), ("i",) for the imaginary unit, ("add" | "mul", *parts),
("sin" | "cos" | "tan" | "exp", part), ("pow", part, n), ("matrix", rows, columns, *entries), or ("steps", *parts) for a list or
tuple of formulas. If a step contains anything else, ("other", kind, name) replaces the whole step, so that the other steps can
still be checked. SymPy runs only in the student's kernel; the grader works with the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from labkit.student.calls.calling import add_kind
from labkit.student.calls.wire import Malformed
from labkit.student.model.text import clean

KIND = "formula"
MAX_NODES = 2_000
MAX_DEPTH = 30
MAX_POWER = 8
MAX_INTEGER = 10**6
MAX_NAME = 40  # characters of the name in an "other" node
FUNCTIONS = ("sin", "cos", "tan", "exp")
OTHERS = ("nothing", "symbol", "function", "number", "infinite", "nested", "type")


class NoFormula(ValueError):
    """The answer is not a formula. The error's arguments say what was found instead: a kind (one of OTHERS) and a name."""

    def __init__(self, kind: str, name: str = ""):
        super().__init__(kind, name)


def to_tree(answer: object, symbols: frozenset[str]) -> list:
    """Convert one or several steps to a tree. Steps are SymPy expressions in these symbols, or matrices, arrays or lists."""
    if isinstance(answer, (list, tuple)):
        return ["steps", *(_step(each, symbols) for each in answer)]
    return _step(answer, symbols)


def _step(step: object, symbols: frozenset[str]) -> list:
    try:
        return _tree(step, symbols)
    except NoFormula as other:
        return ["other", *other.args]


def _tree(formula: object, symbols: frozenset[str]) -> list:
    """Convert one formula. Errors: NoFormula."""
    import numpy as np
    import sympy

    def all_of(parts) -> list:
        return [_tree(part, symbols) for part in parts]

    if isinstance(formula, np.ndarray):
        formula = formula.tolist()
    if isinstance(formula, (list, tuple)):
        return ["steps", *all_of(formula)]
    if isinstance(formula, sympy.MatrixBase):
        entries = all_of(formula)
        if any(entry[0] in ("matrix", "steps") for entry in entries):
            raise NoFormula("nested")
        return ["matrix", *map(int, formula.shape), *entries]
    if formula is None:
        raise NoFormula("nothing")
    given = type(formula).__name__
    try:
        formula = sympy.sympify(formula, strict=True)
    except sympy.SympifyError:
        raise NoFormula("type", given) from None
    if not isinstance(formula, sympy.Expr):
        raise NoFormula("type", given)
    if isinstance(formula, sympy.Symbol):
        if formula.name not in symbols:
            raise NoFormula("symbol", formula.name)
        return ["symbol", formula.name]
    if isinstance(formula, sympy.Integer):
        return ["integer", int(formula)]
    if isinstance(formula, sympy.Rational):
        return ["rational", int(formula.p), int(formula.q)]
    if formula in (sympy.zoo, sympy.oo, -sympy.oo, sympy.nan):
        raise NoFormula("infinite")
    if formula is sympy.I:
        return ["i"]
    if isinstance(formula, sympy.Number):
        raise NoFormula("number", f"{float(formula):g}")
    if isinstance(formula, sympy.Pow) and isinstance(formula.exp, sympy.Integer):
        return ["pow", _tree(formula.base, symbols), int(formula.exp)]
    for kind, name in ((sympy.Add, "add"), (sympy.Mul, "mul"), *((getattr(sympy, name), name) for name in FUNCTIONS)):
        if isinstance(formula, kind):
            return [name, *all_of(formula.args)]
    raise NoFormula("function", type(formula).__name__)


def from_tree(tree: object, symbols: frozenset[str]) -> tuple:
    """Read a tree as nested tuples of known nodes, with limits on its size. Errors: Malformed."""
    return _Reader(symbols).read(tree, 0)


class _Reader:
    """Reads one tree, which may contain these symbols and at most MAX_NODES nodes."""

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
            case "i", []:
                return ("i",)
            case str(function), [argument] if function in FUNCTIONS:
                return name, self.scalar(argument, depth)
            case "other", [str(kind), str(what)] if kind in OTHERS:
                return name, kind, clean(what)[:MAX_NAME]
            case "matrix", [rows, columns, *entries] if _whole(rows, MAX_NODES) and _whole(columns, MAX_NODES):
                if rows > 0 and rows * columns == len(entries) > 0:
                    return name, rows, columns, *(self.scalar(entry, depth) for entry in entries)
            case "steps", _:
                return name, *(self.read(part, depth + 1) for part in parts)
        raise Malformed(f"not a formula this exercise uses: {str(name)[:40]!r}")

    def scalar(self, tree: object, depth: int) -> tuple:
        read = self.read(tree, depth + 1)
        if read[0] in ("matrix", "steps", "other"):
            raise Malformed("a matrix where a number is needed")
        return read


def _whole(value: object, most: int) -> bool:
    return type(value) is int and abs(value) <= most


def nodes(tree: tuple) -> Iterator[tuple]:
    """Yield the root of the tree and all nodes below it."""
    yield tree
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from nodes(part)


def symbols_in(tree: tuple) -> set[str]:
    """The names of the symbols in a formula."""
    return {node[1] for node in nodes(tree) if node[0] == "symbol"}


def rows_of(tree: tuple) -> list[list[tuple]] | None:
    """The rows of a matrix, of a list of numbers (a column) or of a list of rows. Returns None for anything else."""
    if tree[0] == "matrix":
        _, rows, columns, *entries = tree
        return [entries[row * columns : (row + 1) * columns] for row in range(rows)]
    if tree[0] != "steps":
        return None
    rows = [list(part[1:]) if part[0] == "steps" else [part] for part in tree[1:]]
    lengths = {len(row) for row in rows}
    nested = any(entry[0] in ("matrix", "steps") for row in rows for entry in row)
    return None if nested or len(lengths) != 1 or not all(lengths) else rows


def _call(answer: Callable, names: tuple) -> list:
    """Call the answer with symbols of these names, and return the tree of its result."""
    import sympy

    return to_tree(answer(*sympy.symbols(names, real=True)), frozenset(names))


add_kind(KIND, _call, lambda plain, names: from_tree(plain, frozenset(names)))
