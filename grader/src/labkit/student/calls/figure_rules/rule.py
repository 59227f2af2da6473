"""Make rules that check a figure, with helpers to compare values and to hide details of hidden calls."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from labkit.student.calls.axes import Drawing
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation
from labkit.student.model.course import Probe

Rule = Callable[[Observation], Finding | None]
Look = Callable[[Observation, Drawing], Finding | None]
HIDDEN = {  # findings that reveal where values differ, and what hidden calls report instead
    **dict.fromkeys(("line-height", "line-place", "line-points", "line-count", "line-missing"), "hidden-lines"),
    "other-image": "hidden-image",
}
COMPARED: WeakSet[Rule] = WeakSet()  # rules that apply only if there is an expected value
Values = ArrayLike | Callable[..., ArrayLike]  # an array, or a function of the call's arguments that returns one


def rule(look: Look, compares_with_reference: bool = False) -> Rule:
    """Make a rule from a function that finds what is wrong with a drawing.

    For hidden calls, facts that a student's code could choose are left out of the finding.
    compares_with_reference: apply the rule only to observations with an expected value.
    """

    def judged(observation: Observation) -> Finding | None:
        drawing = observation.actual
        if not isinstance(drawing, Drawing):
            return Finding("no-figure")
        found = look(observation, drawing)
        return found if found is None or observation.public else _without_numbers(found)

    if compares_with_reference:
        COMPARED.add(judged)
    return judged


def _without_numbers(found: Finding) -> Finding:
    """Remove text and numbers from a finding, because an answer could use them to reveal its arguments."""
    if found.id in HIDDEN:
        return Finding(HIDDEN[found.id])
    return Finding(found.id, {name: fact if _is_told(fact) else "…" for name, fact in found.facts.items()}, found.named)


def _is_told(fact: object) -> bool:
    return isinstance(fact, Finding) or (isinstance(fact, list) and all(isinstance(each, Finding) for each in fact))


def follows(*rules: Rule) -> Rule:
    """Combine rules into the check of a figure exercise, which reports the first broken rule."""
    return lambda observation: next(filter(None, (each(observation) for each in rules)), None)


def values_of(values: Values, observation: Observation) -> np.ndarray:
    """The values to compare with, as an array of floats."""
    return np.asarray(values(*Probe(observation.args).inputs()) if callable(values) else values, dtype=np.float64)


def absent(drawing: Drawing, found: Finding) -> Finding:
    """Report something missing from the Axes. If anything is drawn elsewhere, report that instead as the likely cause."""
    return Finding("drawn-elsewhere") if drawing.elsewhere else found


def agrees(actual: np.ndarray, expected: np.ndarray, observation: Observation) -> bool:
    """Whether all values agree within the exercise's tolerance. NaN agrees only with NaN."""
    return actual.shape == expected.shape and not wrong_in(actual, expected, observation).any()


def wrong_in(actual: np.ndarray, expected: np.ndarray, observation: Observation) -> np.ndarray:
    """Mark the values beyond the exercise's tolerance. Both arrays have the same shape."""
    tolerance = observation.exercise.tolerance
    rows = np.arange(len(expected), dtype=np.float64).reshape(-1, *[1] * (expected.ndim - 1))
    allowed = tolerance.absolute + tolerance.per_position * rows + tolerance.relative * np.abs(expected)
    with np.errstate(invalid="ignore"):
        near = np.abs(actual - expected) <= allowed
    both_missing = np.isnan(actual) & np.isnan(expected)
    wrong: np.ndarray = ~(near | both_missing)
    return wrong
