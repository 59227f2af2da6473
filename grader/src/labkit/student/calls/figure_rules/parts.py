"""Rules for everything but the data: labels, scales, and drawing on the given Axes."""

from __future__ import annotations

from labkit.student.calls.axes import Drawing
from labkit.student.calls.figure_rules.rule import Rule, absent, rule
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation

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
