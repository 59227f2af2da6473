"""Answers that rest on an earlier wrong one: judged once more with the solution's in its place, they earn what is theirs.

Only a check that failed is asked again, and only whether it passes then is kept: what a submission says with the solution's
answer in reach is told to nobody.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from labkit.grading.results import Check
from labkit.intake.assemble import Assembled
from labkit.judging.finding import Finding

LONGEST = 50_000  # characters of a cell that is read for the names it uses


def resting(checks: Iterable[Check], assembled: Assembled) -> dict[frozenset[str], list[str]]:
    """The exercises that lost something and use earlier ones that did, by these earlier ones."""
    lost = {check.exercise for check in checks if check.outcome != "passed"}
    order = [exercise.name for exercise in assembled.lab.exercises if not exercise.written]
    used, found = _used(assembled, order), {}
    for place, name in enumerate(order):
        causes = frozenset(_reached(name, used) & lost & set(order[:place]))
        if causes and name in lost - assembled.untouched:
            found.setdefault(causes, []).append(name)
    return found


def earned(check: Check, again: Collection[Check], causes: Collection[str]) -> Check:
    """The check as it counts: passed, when it did so with the solution's answers to `causes`, and saying so."""
    if check.outcome != "passed" and any(other.name == check.name and other.outcome == "passed" for other in again):
        return replace(check, outcome="passed", findings=(Finding("follows", {"names": sorted(causes)}),))
    return check


def _used(assembled: Assembled, names: Collection[str]) -> dict[str, set[str]]:
    """Which exercises the cell of each uses; what the student's own cells use, all may."""
    everywhere: set[str] = set()
    used: dict[str, set[str]] = {name: set() for name in names}
    for cell in assembled.defining_cells():
        found = _names_in(cell.source) & set(names)
        own = used.get(cell.metadata.labkit.exercise, everywhere)
        own |= found
    return {name: (mentioned | everywhere) - {name} for name, mentioned in used.items()}


def _names_in(source: str) -> set[str]:
    try:
        tree = ast.parse(source[:LONGEST])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _reached(name: str, used: Mapping[str, set[str]]) -> set[str]:
    """What it uses, and what that uses in turn."""
    found, waiting = set(), [name]
    while waiting:
        new = used.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found - {name}
