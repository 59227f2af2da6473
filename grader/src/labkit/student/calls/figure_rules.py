"""Rules for figures. A check in the notebook combines them: `follows(shows_line(...), is_labelled())`. Each graded test uses one rule.

A rule takes an Observation of an exercise of kind `figure`. It returns a Finding, or None if the figure follows the rule. Rules
read the lines, images, labels, scales, legends and colour bars of the Axes (`labkit.student.calls.axes`), never pixels. Rules
for pictures of an array are in `image_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from labkit.student.calls.axes import Drawing, Line
from labkit.student.judging.compare import errors, shown
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
    with np.errstate(invalid="ignore"):
        _, wrong = errors(actual, expected, observation.exercise.tolerance)
    wrong[np.isnan(actual) & np.isnan(expected)] = False
    return wrong


PARTS = ("xlabel", "ylabel", "title", "legend", "colorbar")


def is_labelled(*parts: str) -> Rule:
    """Require these parts: xlabel, ylabel, title, legend, colorbar. By default both axes must have a label.

    Errors: ValueError for an unknown part.
    """
    asked = parts or ("xlabel", "ylabel")
    if unknown := [part for part in asked if part not in PARTS]:
        raise ValueError(f"is_labelled accepts {', '.join(PARTS)}, but not {', '.join(unknown)}")

    def look(_: Observation, drawing: Drawing) -> Finding | None:
        missing = missing_parts(drawing, *asked)
        return absent(drawing, Finding("missing-parts", {"missing": missing})) if missing else None

    return rule(look)


def missing_parts(drawing: Drawing, *parts: str) -> list[Finding]:
    """Find which of these parts are missing. A label without letters or digits counts as missing."""
    there = {
        "xlabel": _says_something(drawing.xlabel),
        "ylabel": _says_something(drawing.ylabel),
        "title": _says_something(drawing.title),
        "legend": bool(drawing.legend),
        "colorbar": bool(drawing.colorbars),
    }
    return [Finding(f"part-{part}") for part in parts if not there[part]]


def _says_something(label: str) -> bool:
    return any(character.isalnum() for character in label)


def has_scale(axis: str, *scales: str) -> Rule:
    """Require one of these scales (linear, log, symlog, logit) on the x or y axis. Errors: ValueError for another axis."""
    if axis not in ("x", "y") or not scales:
        raise ValueError('call has_scale like this: has_scale("x", "log") or has_scale("y", "linear", "symlog")')

    def look(_: Observation, drawing: Drawing) -> Finding | None:
        seen = drawing.xscale if axis == "x" else drawing.yscale
        asked = [Finding(f"scale-{each}") for each in scales]
        facts = {"axis": Finding(f"axis-{axis}"), "scale": seen, "asked": asked}
        return None if seen in scales else absent(drawing, Finding("other-scale", facts))

    return rule(look)


@rule
def draws_on_its_axes(_: Observation, drawing: Drawing) -> Finding | None:
    """Require everything to be drawn on the given Axes. Only a colour bar may have its own Axes."""
    return Finding("drawn-elsewhere") if drawing.elsewhere else None


Label = str | Callable[[str], bool] | None  # text that the label must contain, ignoring case, or a test of the label


def shows_line(y: Values | None = None, x: Values | None = None, label: Label = None) -> Rule:
    """Require a line with the values y at x (default 0, 1, 2, …), within the exercise's tolerance.

    y and x are arrays, or functions of the call's arguments that return arrays. Without y, a check in the notebook compares with
    the reference's values. If a label is given, the line must have it and be in the legend.
    """

    def look(observation: Observation, drawing: Drawing) -> Finding | None:
        if y is None and observation.expected is None:  # a rule in the autograder checks this call
            return None
        heights = values_of(observation.expected if y is None else y, observation)  # type: ignore[arg-type]
        places = _places(x, heights, observation)
        if not drawing.lines:
            return absent(drawing, Finding("no-line"))
        lines = [line for line in drawing.lines if _has_label(line, label)]
        if not lines:
            return _no_label(label)
        shown = [line for line in lines if runs_through(line, places, heights, observation)]
        if not shown:
            return _closest(lines, places, heights, observation)
        if label is not None and not any(line.label in drawing.legend for line in shown):
            return Finding("not-in-legend", {"label": shown[0].label})
        return None

    return rule(look, compares_with_reference=y is None)


def shows_lines(ys: Values, x: Values | None = None) -> Rule:
    """Require exactly one line for each row of ys.

    A line that has no label and a different number of points is ignored.
    """

    def look(observation: Observation, drawing: Drawing) -> Finding | None:
        rows = np.atleast_2d(values_of(ys, observation))
        places = _places(x, rows[0], observation)
        lines = counted(drawing, places.size)
        if len(lines) != len(rows):
            counts = Finding("line-count", {"count": len(lines), "asked": len(rows)})
            return counts if drawing.lines else absent(drawing, Finding("no-line"))
        for number, heights in enumerate(rows, 1):
            if not any(runs_through(line, places, heights, observation) for line in lines):
                return Finding("line-missing", {"number": number, "of": len(rows)})
        return None

    return rule(look)


def counted(drawing: Drawing, points: int) -> list[Line]:
    """The lines that have a label or this many points. A helper line, such as a line at y = 0, is left out."""
    return [line for line in drawing.lines if line.labelled or line.x.size == points]


def runs_through(line: Line, x: np.ndarray, y: np.ndarray, observation: Observation) -> bool:
    """Whether the line has exactly these points."""
    return agrees(line.x, x, observation) and agrees(line.y, y, observation)


def _places(x: Values | None, heights: np.ndarray, observation: Observation) -> np.ndarray:
    return np.arange(heights.size, dtype=np.float64) if x is None else values_of(x, observation)


def _has_label(line: Line, label: Label) -> bool:
    if label is None:
        return True
    return line.labelled and (label.lower() in line.label.lower() if isinstance(label, str) else label(line.label))


def _no_label(label: Label) -> Finding:
    """Report a missing label. The expected label is a Finding of its own, because plain text is not shown for hidden calls."""
    if isinstance(label, str):
        return Finding("no-line-label", {"label": Finding("quoted", {"text": label})})
    return Finding("no-label-fits")


def _closest(lines: Sequence[Line], x: np.ndarray, y: np.ndarray, observation: Observation) -> Finding:
    """Describe what is wrong with the line that comes closest."""
    if any(runs_through(line, y, x, observation) for line in lines):
        return Finding("line-exchanged")
    for line in lines:
        if agrees(line.x, x, observation) and line.y.shape == y.shape:
            first = int(wrong_in(line.y, y, observation).argmax())
            return Finding(
                "line-height", {"x": x[first], "seen": shown(line.y[first], abs(line.y[first] - y[first]), 4)}
            )
    for line in lines:
        if agrees(line.y, y, observation):
            first = int(wrong_in(line.x, x, observation).argmax())
            return Finding(
                "line-place", {"index": first, "seen": shown(line.x[first], abs(line.x[first] - x[first]), 4)}
            )
    if all(line.x.size != x.size for line in lines):
        return Finding("line-points", {"points": [line.x.size for line in lines], "asked": x.size})
    return Finding("other-line")
