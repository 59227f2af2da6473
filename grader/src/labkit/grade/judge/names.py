"""The names in a cell's source. The source is a student's, so it may be long, nested deeply, or no Python at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator

LONGEST = 50_000  # characters of a cell that are searched for names
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source[:LONGEST])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def names_in(source: str) -> set[str]:
    """The names that a cell reads, including those in the bodies of its functions."""
    tree = parsed(source)
    nodes = ast.walk(tree) if tree else ()
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def run_at_once(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that run with the cell: all except the bodies of functions and classes."""
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def bound_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a cell binds or deletes at module level, with the origin of each import. A star import gives "*"."""
    for node in run_at_once(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, ""
            case ast.Name(ctx=ast.Store() | ast.Del()):
                yield node.id, ""
            case ast.Import():
                yield from ((each.asname or each.name.partition(".")[0], each.name) for each in node.names)
            case ast.ImportFrom():
                yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)
