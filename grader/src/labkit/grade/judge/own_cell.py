"""Check answers that fail at the end of the notebook again, as they were right after their own cell.

A later cell may reuse a name or change a setting that an answer needs, such as `np = 5`. In the notebook, the check right after
the answer still passed. The end comes first, because an answer may use a helper from a later cell. Only code that ran up to the
answer's own cell counts here, and the exercise then counts as a whole: either as at the end or as after its own cell.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from labkit.grade.intake.fast_nbformat import nbformat
from labkit.grade.judge.assemble import Assembled
from labkit.grade.judge.names import LONGEST, bound_in, names_in, parsed, run_at_once
from labkit.grade.judge.results import Check
from labkit.grade.judge.run import Run
from labkit.student.judging.finding import Finding

# Calls in later cells that change nothing an answer can use. After any other call, a failed answer is checked again.
HARMLESS = {"abs", "all", "any", "bool", "check", "dict", "display", "enumerate", "float", "int", "isinstance", "len", "list", "look",
            "max", "min", "print", "range", "repr", "reveal", "round", "set", "show", "sorted", "str", "sum", "tuple", "type", "zip"}  # fmt: skip
MODULES = ("np", "numpy", "math")
CHANGING = {"seterr", "seterrcall", "setbufsize", "set_printoptions", "seed", "set_state", "shuffle", "put", "copyto", "place", "putmask"}  # fmt: skip
MAGIC = re.compile(r"^[ \t]*[%!]", re.MULTILINE)


def changed_later(checks: Iterable[Check], assembled: Assembled) -> list[str]:
    """Exercises that lost points and whose names or settings a later cell may have changed, in the order of their cells."""
    lost = {check.exercise for check in checks if check.outcome != "passed"} - assembled.untouched
    guessed = {each.name for each in assembled.lab.exercises if each.kind == "value" and not each.checked}
    cells = assembled.judged_cells()
    own = {cell.metadata.labkit.exercise: place for place, cell in enumerate(cells) if cell.metadata.labkit.exercise}
    return [name for name, place in own.items() if name in lost - guessed and _changed(cells, place, name)]


def _changed(cells: list[nbformat.NotebookNode], place: int, name: str) -> bool:
    before = [cell.source for cell in cells[: place + 1]]
    bound = {each for source in before if (tree := parsed(source)) for each in bound_in(tree)}
    known = {name, "*", *dir(builtins), *(each for each, _ in bound)}
    needed = {name, "*"}.union(*map(names_in, before)) & known
    imported = {each for each in bound if each[1]}
    return any(_changes(cell.source, needed, imported) for cell in cells[place + 1 :])


def _changes(source: str, needed: Collection[str], imported: Collection[tuple[str, str]]) -> bool:
    """Whether a cell may change one of these names, or anything besides names."""
    tree = parsed(source)
    if tree is None:  # a cell with a syntax error does not run
        return bool(MAGIC.search(source)) or len(source) > LONGEST
    changed = {each for each, origin in bound_in(tree) if (each, origin) not in imported}
    return not changed.isdisjoint(needed) or any(map(_has_effect, run_at_once(tree)))


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


@contextmanager
def from_the_start(run: Run) -> Iterator[tuple[Run, Callable[[str], None]]]:
    """Open a new kernel for the submission, and a function that runs its cells up to and including an exercise's own."""
    run.session.close()  # two kernels would need twice the memory
    again = replace(run)
    again.session.defining_cells = []
    waiting = iter(run.assembled.defining_cells())

    def run_up_to(exercise: str) -> None:
        for cell in waiting:
            again.session.add_cell(cell.id, cell.source)
            if cell.metadata.labkit.exercise == exercise:
                return

    try:
        yield again, run_up_to
    finally:
        again.close()


def better(checks: Collection[Check], again: Collection[Check], exercise: str) -> list[Check]:
    """Count the exercise as after its own cell if it then passes more checks, and all that it passes at the end.

    The findings of the second run are dropped, because hidden values were drawn before it.
    """
    then = {check.name for check in again if check.outcome == "passed"}
    at_end = {
        check.name for check in checks if check.exercise == exercise and check.is_test and check.outcome == "passed"
    }
    if not at_end < then:
        return [*checks]
    return [
        replace(check, outcome="passed", findings=(Finding("own-cell"),))
        if check.exercise == exercise and check.name in then - at_end
        else check
        for check in checks
    ]
