"""What a rule for figures is made of: a look at the drawing, the values to compare with, and what hidden calls may report."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from labkit.calls.axes import Drawing
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation
from labkit.model.course import Probe

Rule = Callable[[Observation], Finding | None]
Look = Callable[[Observation, Drawing], Finding | None]
HIDDEN = {  # findings that say where values differ, and what is said of calls that are not public
    **dict.fromkeys(("line-height", "line-place", "line-points", "line-count", "line-missing"), "hidden-lines"),
    "other-image": "hidden-image",
}
COMPARED: WeakSet[Rule] = WeakSet()  # rules that judge only what has an expected value
Values = ArrayLike | Callable[..., ArrayLike]  # or a function of the call's arguments that gives them


def rule(look: Look, compares_with_reference: bool = False) -> Rule:
    """A rule from a function that says what is wrong with a drawing. What a student could choose is not told of hidden calls.

    compares_with_reference: whether it judges only observations that have an expected value.
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
    """The finding without texts and numbers, which an answer could choose by what it was asked."""
    if found.id in HIDDEN:
        return Finding(HIDDEN[found.id])
    return Finding(found.id, {name: fact if _is_told(fact) else "…" for name, fact in found.facts.items()}, found.named)


def _is_told(fact: object) -> bool:
    return isinstance(fact, Finding) or (isinstance(fact, list) and all(isinstance(each, Finding) for each in fact))


def follows(*rules: Rule) -> Rule:
    """The judge of an exercise that asks for a figure: what the first broken rule says."""
    return lambda observation: next(filter(None, (each(observation) for each in rules)), None)


def values_of(values: Values, observation: Observation) -> np.ndarray:
    """The values to compare with, as numbers."""
    return np.asarray(values(*Probe(observation.args).inputs()) if callable(values) else values, dtype=np.float64)


def absent(drawing: Drawing, found: Finding) -> Finding:
    """The finding for what is not on the Axes, unless something is drawn elsewhere, which is the likely cause."""
    return Finding("drawn-elsewhere") if drawing.elsewhere else found


def agrees(actual: np.ndarray, expected: np.ndarray, observation: Observation) -> bool:
    """Whether all values are within the exercise's tolerance. A gap in a line (nan) has to be a gap."""
    return actual.shape == expected.shape and not wrong_in(actual, expected, observation).any()


def wrong_in(actual: np.ndarray, expected: np.ndarray, observation: Observation) -> np.ndarray:
    """Which values are beyond the exercise's tolerance; both arrays have one shape."""
    tolerance = observation.exercise.tolerance
    rows = np.arange(len(expected), dtype=np.float64).reshape(-1, *[1] * (expected.ndim - 1))
    allowed = tolerance.absolute + tolerance.per_position * rows + tolerance.relative * np.abs(expected)
    with np.errstate(invalid="ignore"):
        near = np.abs(actual - expected) <= allowed
    both_missing = np.isnan(actual) & np.isnan(expected)
    wrong: np.ndarray = ~(near | both_missing)
    return wrong
