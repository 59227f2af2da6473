"""Rules for a plot of some columns of a table: one line per column against position, labelled with its wavelength."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from encoding_labs.heatmap.pictures import table_of
from labkit.student.calls.axes import Drawing, Line
from labkit.student.calls.figure_rules import counted, draws_on_its_axes, is_labelled, rule, runs_through
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation

CLOSE = 0.01  # relative tolerance for a wavelength in a label
NUMBER = re.compile(r"(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?\s*(posi|toke|pos\b)?", re.IGNORECASE)
THOUSANDS = re.compile(r"(?<=\d)[,_ \u00a0\u202f](?=\d{3}(?!\d))")


def curves_of(observation: Observation) -> list[Line]:
    """The lines to check: those with a label, or with a point for each position. A thin line at 0 is left out."""
    drawing = observation.actual
    return counted(drawing, table_of(observation).shape[0]) if isinstance(drawing, Drawing) else []


def curve(observation: Observation, column: int) -> Line | None:
    """Find the line that shows a column against position."""
    values = table_of(observation)[:, column]
    positions = np.arange(values.size, dtype=np.float64)
    return next((line for line in curves_of(observation) if runs_through(line, positions, values, observation)), None)


@rule
def shows_the_columns(observation: Observation, _: Drawing) -> Finding | None:
    """Require exactly one line per chosen column, with the column's values against positions counted from 0."""
    columns, count = observation.args[1], len(curves_of(observation))
    if count != len(columns):
        return Finding("count", {"count": count, "asked": len(columns)})
    lost = next((column for column in columns if curve(observation, column) is None), None)
    if lost is None:
        return None
    return Finding("line", {"column": lost, "last": table_of(observation).shape[0] - 1})


@rule
def names_the_wavelengths(observation: Observation, drawing: Drawing) -> Finding | None:
    """Require a legend with each line's wavelength, and labels on both axes. `observation.expected` has the wavelengths."""
    lost = shows_the_columns(observation)
    if lost:
        return lost
    unlabelled = is_labelled("xlabel", "ylabel", "legend")(observation)
    if unlabelled:
        return unlabelled
    for column, wavelength in zip(observation.args[1], observation.expected):
        label = curve(observation, column).label
        if not says(label, float(wavelength)):
            return Finding("wavelength", {"column": column, "label": label})
        if label not in drawing.legend:
            return Finding("legend", {"label": label})
    return None


CURVE_RULES = (draws_on_its_axes, shows_the_columns, names_the_wavelengths)


def says(label: str, wavelength: float) -> bool:
    """Whether a label gives this wavelength within 1 %, or rounded to whole positions if a unit follows."""
    return any(abs(number - wavelength) <= max(CLOSE * wavelength, rounding) for number, rounding in numbers_in(label))


def numbers_in(label: str) -> Iterator[tuple[float, float]]:
    """Yield each number in a label, with the rounding error that is allowed for it.

    A number without a unit must not be rounded, so the error is 0. With a unit it is half of the number's last place, at most 0.5.
    A comma is also read as a decimal point, so "6,3" also yields 6.3.
    """
    for text in (THOUSANDS.sub("", label), re.sub(r"(?<=\d),(?=\d)", ".", label)):
        for whole, decimals, exponent, unit in NUMBER.findall(text):
            power = int(exponent or 0)
            if len(whole) + len(decimals) <= 30 and abs(power) <= 30:
                number = float(f"{whole}.{decimals or 0}e{power}")
                yield number, min(0.5, 0.5 * 10.0 ** (power - len(decimals))) if unit else 0.0
