"""Rules for the lines of a figure: a line's values, positions and label."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from labkit.student.calls.axes import Drawing, Line
from labkit.student.calls.figure_rules.rule import Rule, Values, absent, agrees, rule, values_of, wrong_in
from labkit.student.judging.compare import shown
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation

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
