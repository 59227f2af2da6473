"""Which answers use or change which names. The sources are a student's, so they may be long, nested deeply, or no Python at all."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from labkit.grade.intake.fast_nbformat import NotebookNode
from labkit.grade.judge.assemble import Assembled
from labkit.grade.judge.results import Check
from labkit.student.calls.calling import gives_plain_data

LONGEST = 50_000  # characters of a cell that are searched for names
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Calls in later cells that change nothing an answer can use. After any other call, a failed answer is checked again.
HARMLESS = {"abs", "all", "any", "bool", "check", "dict", "display", "enumerate", "float", "int", "isinstance", "len", "list", "look",
            "max", "min", "print", "range", "repr", "reveal", "round", "set", "show", "sorted", "str", "sum", "tuple", "type", "zip"}  # fmt: skip
MODULES = ("np", "numpy", "math")
CHANGING = {"seterr", "seterrcall", "setbufsize", "set_printoptions", "seed", "set_state", "shuffle", "put", "copyto", "place", "putmask"}  # fmt: skip
MAGIC = re.compile(r"^[ \t]*[%!]", re.MULTILINE)


def dependent_exercises(checks: Iterable[Check], assembled: Assembled) -> dict[frozenset[str], list[str]]:
    """Find exercises that lost points and use earlier functions that also lost points, grouped by these functions."""
    lost = {check.exercise for check in checks if check.outcome != "passed"}
    if not lost:  # the common case
        return {}
    asked = [exercise for exercise in assembled.lab.exercises if not exercise.written]
    order = [exercise.name for exercise in asked]
    functions = {exercise.name for exercise in asked if gives_plain_data(exercise.kind)}
    used = _used(assembled, order)
    found: dict[frozenset[str], list[str]] = {}
    for place, name in enumerate(order):
        causes = frozenset(_reached(name, used) & lost & functions & set(order[:place]))
        if causes and name in lost - assembled.untouched:
            found.setdefault(causes, []).append(name)
    return found


def _used(assembled: Assembled, names: Collection[str]) -> dict[str, set[str]]:
    """Find which exercises each answer uses. Names in the student's added cells count for every answer."""
    everywhere: set[str] = set()
    used: dict[str, set[str]] = {name: set() for name in names}
    for cell in assembled.defining_cells():
        found = names_of(cell.source).used & set(names)
        own = used.get(cell.metadata.labkit.exercise, everywhere)
        own |= found
    return {name: (mentioned | everywhere) - {name} for name, mentioned in used.items()}


def _reached(name: str, used: Mapping[str, set[str]]) -> set[str]:
    """All exercises that this one uses, directly or indirectly."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = used.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found - {name}


def changed_later(checks: Iterable[Check], assembled: Assembled) -> list[str]:
    """Exercises that lost points and whose names or settings a later cell may have changed, in the order of their cells."""
    lost = {check.exercise for check in checks if check.outcome != "passed"} - assembled.untouched
    if not lost:
        return []
    guessed = {each.name for each in assembled.lab.exercises if each.kind == "value" and not each.checked}
    cells = assembled.judged_cells()
    own = {cell.metadata.labkit.exercise: place for place, cell in enumerate(cells) if cell.metadata.labkit.exercise}
    return [name for name, place in own.items() if name in lost - guessed and _changed(cells, place, name)]


def _changed(cells: list[NotebookNode], place: int, name: str) -> bool:
    before = [names_of(cell.source) for cell in cells[: place + 1]]
    bound = {each for cell in before for each in cell.bound}
    known = {name, "*", *dir(builtins), *(each for each, _ in bound)}
    needed = {name, "*"}.union(*(cell.used for cell in before)) & known
    imported = {each for each in bound if each[1]}
    return any(_changes(names_of(cell.source), needed, imported) for cell in cells[place + 1 :])


def _changes(cell: Names, needed: Collection[str], imported: Collection[tuple[str, str]]) -> bool:
    """Whether a cell may change one of these names, or anything besides names."""
    return cell.has_effect or any(each in needed and (each, origin) not in imported for each, origin in cell.bound)


def _has_effect(node: ast.AST) -> bool:
    """Whether this part of a cell may change something besides the cell's own names."""
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            return True
        case ast.Call(func=ast.Name(id=called)):
            return called not in HARMLESS
        case ast.Call(func=called):
            parts = _dotted(called)
            return parts[-1] not in MODULES or not CHANGING.isdisjoint(parts)
    return False


def _dotted(node: ast.AST) -> list[str]:
    """The parts of a dotted name, the last one first."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [*parts, node.id if isinstance(node, ast.Name) else ""]


class Names(NamedTuple):
    """The names in a cell, and what it may do besides binding them."""

    used: frozenset[str]  # also in the bodies of its functions
    bound: frozenset[tuple[str, str]]  # at module level, with the origin of each import
    has_effect: bool


@lru_cache(maxsize=256)  # most cells are the same in all submissions
def names_of(source: str) -> Names:
    """Read a cell. One that is too long or no Python has no names; with a syntax error it runs only if it has a magic."""
    try:
        tree = ast.parse(source[:LONGEST])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Names(frozenset(), frozenset(), bool(MAGIC.search(source)) or len(source) > LONGEST)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return Names(frozenset(used), frozenset(bound_in(tree)), any(map(_has_effect, run_at_once(tree))))


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
