"""Mistakes of lab 05 that are not formulas: positions wrong by a rule, and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from numbers import Real

import numpy as np

from encoding_labs.base_sweep.exercises import OFFSETS, allowed, curves, heights
from encoding_labs.base_sweep.rows import Printed
from labkit.calls.axes import Drawing
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation

HALF = 0.51  # separates answers rounded to a whole number from others
TURN = 2 * np.pi  # radians


def answers(observations: Sequence[Observation]) -> Iterator[tuple[float, float]]:
    """The position asked for and the finite number returned, for each call that returned one."""
    for seen in observations:
        value = seen.actual[()] if isinstance(seen.actual, np.ndarray) and seen.actual.ndim == 0 else seen.actual
        if isinstance(seen.args[0], Printed) and isinstance(value, Real) and math.isfinite(value):
            yield seen.args[0].p, float(value)


@mistake("cut-off", "decode")
def cut_off(observations):
    """A half position may be cut to either neighbour, or to the one below."""
    found = list(answers(observations))
    short = {p - value for p, value in found}
    if len(found) == len(observations) > 1 and 1.0 in short and short <= {0.0, 0.5, 1.0, 1.5}:
        return {}


@mistake("table-too-short", "decode")
def table_too_short(observations):
    found = sorted(answers(observations))
    right = [p for p, value in found if abs(p - value) <= HALF]
    wrong = [(p, value) for p, value in found if abs(p - value) > HALF]
    if len(found) < len(observations) or not right or not wrong or max(right) < 50:
        return None
    whole = all(value >= 0 and value % 1 == 0 for _, value in wrong)
    if whole and max(right) < wrong[0][0] and max(value for _, value in wrong) < wrong[0][0]:
        return {"right": max(right), "seen": wrong[0][1]}


@mistake("other-axes", "draw_sweep")
def drawn_elsewhere(observations):
    """Points without lines are also wrong, but they are on the Axes with the labels."""
    drawings = [seen.actual for seen in observations]
    if not all(isinstance(drawing, Drawing) and not drawing.lines for drawing in drawings):
        return None
    return {} if all(each.elsewhere or not (each.xlabel or each.ylabel or each.legend) for each in drawings) else None


@mistake("index-for-offset", "draw_sweep")
def no_offsets_given(observations):
    first = None
    for observation in observations:
        if not isinstance(observation.actual, Drawing) or observation.expected is None:
            return None
        lines = curves(observation.actual, observation.args[0])
        offsets, *right = np.asarray(observation.expected).T
        for line, wanted in zip(lines.values(), right):
            if not np.array_equal(line.x, np.arange(OFFSETS.size)):
                return None
            if not (np.abs(line.y[offsets.astype(int) - 1] - wanted) <= allowed(offsets)).all():
                return None
            first = first or float(line.y[0])
    return first and {"seen": first}


@mistake("not-normalised", "draw_sweep")
def not_normalised(observations):
    drawn = list(_figures(observations))
    for observation, offsets, right, seen in drawn:
        half = observation.args[1] / 2
        if (np.abs(np.array(seen) / half - right) > allowed(offsets)).any():
            return None
    if drawn:
        observation, _, _, seen = drawn[0]
        return {"base": observation.args[0][0], "d": observation.args[1], "seen": float(seen[0][0])}


@mistake("wavelength-given", "draw_sweep")
def wavelengths_for_frequencies(observations):
    """Compared only at the nearest offsets: at far ones the angles are too large for their last digits to agree."""
    drawn = list(_figures(observations))
    for observation, offsets, _, seen in drawn:
        bases, d = observation.args[:2]
        near = offsets <= 10
        turned = [TURN * float(base) ** (2 * np.arange(d // 2) / d) * offsets[near, None] for base in bases]
        if (np.abs(np.array(seen)[:, near] - np.cos(turned).mean(axis=-1)) > 1e-3).any():
            return None
    if drawn:
        observation, _, _, seen = drawn[0]
        return {"base": observation.args[0][0], "seen": float(seen[0][0])}


@mistake("collides-at-longest", "draw_sweep")
def curve_that_returns(observations):
    for observation, offsets, right, drawn in _figures(observations):
        for base, wanted, seen in zip(observation.args[0], right, drawn):
            low = np.minimum.accumulate(seen)
            back = (seen > 0.99) & (low < 0.9) & (wanted < 0.95)
            if np.abs(seen).max() < 1.001 and back.any():
                where = int(np.argmax(back))
                return {"base": base, "seen": float(seen[where]), "offset": int(offsets[where])}
    return None


@mistake("bigger-is-apart", "draw_sweep")
def labels_in_reverse(observations):
    for observation, offsets, right, drawn in _figures(observations):
        order = np.argsort(observation.args[0])
        right, drawn = np.array(right)[order], np.array(drawn)[order]
        if len(order) > 1 and (np.abs(drawn - right[::-1]) <= allowed(offsets)).all():
            near = int(np.argmin(np.abs(offsets - 10)))
            ends = {"smallest": observation.args[0][order[0]], "largest": observation.args[0][order[-1]]}
            return {"offset": int(offsets[near]), "low": float(drawn[0, near]), "high": float(drawn[-1, near]), **ends}
    return None


def _figures(observations) -> Iterator[tuple]:
    """Each figure with a line for every base: the observation, the offsets, the right and the drawn heights."""
    for observation in observations:
        if isinstance(observation.actual, Drawing) and observation.expected is not None:
            offsets, *right = np.asarray(observation.expected).T
            lines = curves(observation.actual, observation.args[0])
            if len(lines) == len(right):
                drawn = [heights(lines[base], offsets) for base in observation.args[0]]
                if np.isfinite(drawn).all():
                    yield observation, offsets, right, drawn
