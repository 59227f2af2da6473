"""One-token changes to a student's code, such as sin for cos. The rest of the code keeps its formatting.

Places are found in the syntax tree and replaced in the source, as bytes because the tree counts in bytes.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

# The first spelling is looked for in the source between two operands, and the second replaces it.
OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"), ast.Pow: ("**", "*"), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"), ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="),
}  # fmt: skip
_PAIRS = "sin cos|argmax argmin|max min|maximum minimum|ceil floor|zeros ones|hstack vstack|log exp|sum mean|any all"
NAMES = {one: other for pair in _PAIRS.split("|") for one, other in (pair.split(), pair.split()[::-1])}
POWERS = ("exp", "pow", "power")
BASE = 100  # a whole number from here on is divided by ten, and a smaller one is increased by one
_GAP = re.compile(rb"(?:#[^\r\n]*|[\s()\\])*")  # what may be between an operand and its operator


@dataclass(frozen=True)
class Change:
    """Replace the bytes from `start` to `end` by `new`. `line` counts from 1."""

    line: int
    start: int
    end: int
    old: str
    new: str

    def applied(self, source: str) -> str:
        code = source.encode()
        return (code[: self.start] + self.new.encode() + code[self.end :]).decode()

    def line_after(self, source: str) -> str:
        """The changed line, without its indentation."""
        return self.applied(source).split("\n")[self.line - 1].strip()


def changes(source: str) -> list[Change]:
    """All changes to the code, in the order of their places. Empty if it is not plain Python with newlines as line ends."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the student's own escapes and comparisons
            found = set(_Places(source).of(ast.parse(source))) if "\r" not in source else set()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    first = sorted(found, key=lambda change: (change.start, change.end, change.new))
    return [*{each.applied(source): each for each in reversed(first)}.values()][::-1]


def _is_exponent(node: ast.AST, parent: ast.AST) -> bool:
    """Whether the node is a sum, product or quotient to which something is raised. Another number in it is another base."""
    match parent:
        case ast.BinOp(op=ast.Pow(), right=right):
            return right is node and not isinstance(node, ast.Constant)
        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
            return name in POWERS and parent.func is not node
    return False


class _Places:
    """Finds what can be changed, by its place in the source."""

    def __init__(self, source: str):
        self.code = source.encode()
        lines = self.code.split(b"\n")
        self.starts = [sum(map(len, lines[:number])) + number for number in range(len(lines))]

    def of(self, tree: ast.Module) -> Iterator[Change]:
        waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
        while waiting:
            node, powered = waiting.pop()  # powered: within an exponent
            if isinstance(node, ast.JoinedStr):  # Python 3.11 gives the parts of an f-string no places
                continue
            waiting += [(child, powered or _is_exponent(child, node)) for child in ast.iter_child_nodes(node)]
            match node:
                case ast.BinOp(left, operator, right):
                    yield from self._operator(left, operator, right)
                    if isinstance(operator, ast.Mult) and isinstance(getattr(left, "value", None), int | float):
                        yield from self._without_factor(left, right)
                case ast.Compare(left, [operator], [right]):
                    yield from self._operator(left, operator, right)
                case ast.Name(name) | ast.Attribute(attr=name) if name in NAMES:
                    end = self._end(node)
                    yield self._change(end - len(name), end, NAMES[name])
                case ast.Attribute(attr="T") if self.code.endswith(b".T", 0, self._end(node)):
                    yield self._change(self._end(node) - 2, self._end(node), "")
                case ast.Constant(int() as number) if type(number) is int and not (powered and number < BASE):
                    new = number // 10 if number >= BASE else number + 1
                    yield self._change(*self._span(node), str(new))
                case ast.Constant(float() as number) if number >= BASE:
                    yield self._change(*self._span(node), f"{number / 10:g}")
                case ast.Subscript(slice=ast.Tuple([one, other])) | ast.Call(args=[one, other], keywords=[]):
                    yield from self._swapped(one, other)

    def _start(self, node: ast.expr) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self.starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def _span(self, node: ast.expr) -> tuple[int, int]:
        return self._start(node), self._end(node)

    def _change(self, start: int, end: int, new: str) -> Change:
        return Change(self.code.count(b"\n", 0, start) + 1, start, end, self.code[start:end].decode(), new)

    def _operator(self, left: ast.expr, operator: ast.AST, right: ast.expr) -> Iterator[Change]:
        old, new = OPERATORS.get(type(operator), ("", ""))
        place = self._place(left, right)
        if old and place is not None and self.code.startswith(old.encode(), place):
            yield self._change(place, place + len(old), new)

    def _place(self, left: ast.expr, right: ast.expr) -> int | None:
        """Where the operator between two operands begins."""
        gap = _GAP.match(self.code, self._end(left), self._start(right))
        return gap.end() if gap else None

    def _without_factor(self, left: ast.expr, right: ast.expr) -> Iterator[Change]:
        """Drop a constant factor with its operator, as `2 *` in `2 * np.pi`."""
        if (place := self._place(left, right)) is not None and b"\n" not in self.code[self._start(left) : place + 2]:
            rest = re.compile(rb"\* *").match(self.code, place)
            if rest:
                yield self._change(self._start(left), rest.end(), "")

    def _swapped(self, one: ast.expr, other: ast.expr) -> Iterator[Change]:
        """Swap two indices or two arguments, as in `[:, None]`, which turns a column into a row."""
        (start, middle), (resume, end) = self._span(one), self._span(other)
        if b"\n" not in self.code[start:end] and self.code[start:middle] != self.code[resume:end]:
            parts = self.code[resume:end], self.code[middle:resume], self.code[start:middle]
            yield self._change(start, end, b"".join(parts).decode())
