"""Mistakes in lab 05 recognised by a rule, not a wrong formula: patterns in decode's answers, and mistakes in figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from numbers import Real

import numpy as np

from encoding_labs.base_sweep.exercises import OFFSETS, allowed, curves, heights
from encoding_labs.base_sweep.rows import Printed
from labkit.student.calls.axes import Drawing
from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation

TURN = 2 * np.pi  # radians
NEAR = 1 + 2 * TURN  # positions: the nearest row of a coarse table may belong to another turn of the fastest hand
HAND = 0.0071  # error, in positions, of the fastest hand's reading after rounding to two decimals
STEPS = (0.5, 0.25, 0.2, 0.1)  # in addition to 1: steps of a table, or of rounding, that are too coarse for decode


def answers(observations: Sequence[Observation]) -> Iterator[tuple[float, float]]:
    """Yield the right position and the returned number, for each call that returned a finite number."""
    for seen in observations:
        value = seen.actual[()] if isinstance(seen.actual, np.ndarray) and seen.actual.ndim == 0 else seen.actual
        if isinstance(seen.args[0], Printed) and isinstance(value, Real) and math.isfinite(value):
            yield seen.args[0].p, float(value)


def in_steps(found: Sequence[tuple[float, float]], step: float) -> bool:
    """Whether all answers are multiples of a step, apart from float32 rounding."""
    return all(abs(math.remainder(value, step)) <= 1e-6 + 1e-7 * abs(value) for _, value in found)


@mistake("rounded/pi", "wavelengths")
def rounded_pi(observations):
    """All wavelengths are too long or too short by one factor near 1, as with 6.28 or 2 * 3.1416 in place of 2π."""
    factors = [off for seen in observations for off in factors_of(seen)]
    if factors and np.ptp(factors) < 1e-6 and 1e-6 < abs(factors[0] - 1) < 0.06:
        return {"turn": TURN * float(np.mean(factors))}


@mistake("rounded/decimals", "wavelengths")
def rounded_to_decimals(observations):
    """All wavelengths are the right ones, rounded to the same number of decimals."""
    if not all(np.isfinite(factors_of(seen)).all() for seen in observations):
        return None
    found = [(seen.actual, (factors_of(seen) - 1) * np.asarray(seen.expected)) for seen in observations]
    for decimals in range(1, 7):
        near = (np.abs(off) <= 0.51 * 10.0**-decimals + 1e-7 * np.asarray(actual) for actual, off in found)
        if all(each.all() for each in near) and all(
            (actual == np.round(actual, decimals)).all() for actual, _ in found
        ):
            return {"seen": float(found[0][0][0]), "decimals": decimals}


def factors_of(seen: Observation) -> np.ndarray:
    """The returned wavelengths divided by the right ones. A wrong shape gives nan."""
    right, actual = np.asarray(seen.expected, np.float64), seen.actual
    usable = isinstance(actual, np.ndarray) and actual.shape == right.shape and actual.dtype.kind in "iuf"
    return actual / right if usable else np.full(1, np.nan)


@mistake("cut-off", "decode")
def cut_off(observations):
    """All answers are whole numbers and too small by at most 1.5: cut off, or one less than the rounded position."""
    found = list(answers(observations))
    short = [p - value for p, value in found]
    if len(found) == len(observations) and in_steps(found, 1) and -HAND <= min(short) and 0.6 < max(short) <= 1.51:
        call = int(np.argmax(short))
        return {"row": str(observations[call].args[0]), "seen": found[call][1]}


def next_to_the_position(observations, steps: Sequence[float]) -> dict | None:
    """If answers are close but not all within the tolerance, find the first step that they are all multiples of."""
    found, right = list(answers(observations)), observations[0].exercise.tolerance.absolute
    off = np.array([abs(p - value) for p, value in found])
    wrong = np.flatnonzero(off > right)
    if len(found) < len(observations) or not wrong.size or cut_off(observations) is not None:
        return None
    for step in steps:
        if in_steps(found, step) and np.mean(off <= step + HAND) > 0.5 and max(off) <= NEAR:
            return {"step": step, "row": str(observations[wrong[0]].args[0]), "seen": found[wrong[0]][1]}
    return None


@mistake("step-too-coarse/whole", "decode")
def whole_positions_alone(observations):
    """All answers are whole numbers, rounded or taken from a table of whole positions."""
    return next_to_the_position(observations, (1,))


@mistake("step-too-coarse", "decode")
def step_too_coarse(observations):
    """All answers are multiples of a step below 1: rounded, cut off, or taken from a table."""
    return next_to_the_position(observations, STEPS) if whole_positions_alone(observations) is None else None


@mistake("table-too-short", "decode")
def table_too_short(observations):
    """Answers are close up to some position. Beyond it they are positions in a table that is too short."""
    found = sorted(answers(observations))
    close = [p for p, value in found if abs(p - value) <= NEAR]
    far = [(p, value) for p, value in found if abs(p - value) > NEAR]
    if len(found) < len(observations) or not close or not far or max(close) < 50:
        return None
    of_a_table = min(value for _, value in far) >= 0 and any(in_steps(far, step) for step in (1, *STEPS))
    if of_a_table and max(close) < far[0][0] and max(value for _, value in far) < far[0][0]:
        return {"close": max(close), "seen": far[0][1]}


@mistake("table-too-long", "decode")
def table_too_long(observations):
    """All answers are positions in a table, and some are beyond nine tenths of the row's longest wavelength."""
    found = list(answers(observations))
    if len(found) < len(observations) or not any(in_steps(found, step) for step in (1, *STEPS)):
        return None
    for seen, (_, value) in zip(observations, found):
        most = 0.9 * TURN * 10_000 ** (1 - 2 / seen.args[0].d)
        if value > most + NEAR:
            return {"row": str(seen.args[0]), "seen": value, "most": most}


@mistake("rounded/pi", "base_for_length")
def rounded_pi_in_a_base(observations):
    """All bases follow from one turn that is a little longer or shorter than 2 pi."""
    seen = [(each.args[1], each.actual, each.expected) for each in observations if each.raises is None]
    if not all(isinstance(base, Real) and base > 0 for _, base, _ in seen):
        return None
    turns = [TURN * float(right / base) ** (1 - 2 / d) for d, base, right in seen]
    if 1e-6 < abs(np.mean(turns) - TURN) < 0.01 and np.ptp(turns) < 2e-6:
        return {"turn": float(np.mean(turns))}


@mistake("other-axes", "draw_sweep")
def drawn_elsewhere(observations):
    """The given Axes have no lines, and either other Axes were used or the given ones have no labels.

    Given Axes with labels may hold points instead of lines, which is another mistake.
    """
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


@mistake("axes-swapped", "draw_sweep")
def axes_exchanged(observations):
    """Each base has a line, whose y values are the offsets."""
    for observation in observations:
        drawing, bases = observation.actual, observation.args[0]
        lines = curves(drawing, bases) if isinstance(drawing, Drawing) else {}
        if len(lines) < len(bases) or not all(np.isin(OFFSETS, line.y).all() for line in lines.values()):
            return None
    return {}


@mistake("not-normalised", "draw_sweep")
def not_normalised(observations):
    """Every line is the right one times a factor: the sum is divided by another number than d/2."""
    for observation, offsets, right, seen in (drawn := list(_figures(observations))):
        factor = np.vdot(right, seen) / np.vdot(right, right)
        if factor < 0.01 or abs(factor - 1) < 0.1 or (np.abs(seen / factor - right) > allowed(offsets)).any():
            return None
    return _first(drawn)


def _draws(observations: Sequence[Observation], curve: Callable) -> dict | None:
    """Whether each line has the heights `curve(offsets, wavelengths)`, at near offsets: far ones have large rounding errors."""
    for observation, offsets, _, seen in (drawn := list(_figures(observations))):
        bases, d = observation.args[:2]
        near = offsets <= 10
        turns = [TURN * float(base) ** (2 * np.arange(d // 2) / d) for base in bases]
        wrong = [curve(offsets[near, None], each).mean(axis=-1) for each in turns]
        if (np.abs(np.array(seen)[:, near] - wrong) > 1e-3).any():
            return None
    return _first(drawn)


def _first(drawn: list[tuple]) -> dict | None:
    """Facts about the first height of the first line."""
    if drawn:
        observation, _, _, seen = drawn[0]
        return {"base": observation.args[0][0], "d": observation.args[1], "seen": float(seen[0][0])}
    return None


@mistake("wavelength-given", "draw_sweep")
def wavelengths_for_frequencies(observations):
    return _draws(observations, lambda offsets, turns: np.cos(offsets * turns))


@mistake("turn-lost", "draw_sweep")
def turn_forgotten(observations):
    return _draws(observations, lambda offsets, turns: np.cos(offsets / turns))


@mistake("missing-minus", "draw_sweep")
def inverse_frequencies(observations):
    return _draws(observations, lambda offsets, turns: np.cos(offsets * turns / TURN))


@mistake("exponent-k-over-d", "draw_sweep")
def half_the_exponent(observations):
    return _draws(observations, lambda offsets, turns: np.cos(offsets * np.sqrt(TURN / turns)))


@mistake("degrees", "draw_sweep")
def angles_in_degrees(observations):
    too_small = _draws(observations, lambda offsets, turns: np.cos(np.radians(offsets * TURN / turns)))
    return too_small or _draws(observations, lambda offsets, turns: np.cos(np.degrees(offsets * TURN / turns)))


@mistake("sines-only", "draw_sweep")
def sines_for_cosines(observations):
    return _draws(observations, lambda offsets, turns: np.sin(offsets * TURN / turns))


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
    """Yield each figure with a line for every base: the observation, the offsets, the right heights and the drawn ones."""
    for observation in observations:
        if isinstance(observation.actual, Drawing) and observation.expected is not None:
            offsets, *right = np.asarray(observation.expected).T
            lines = curves(observation.actual, observation.args[0])
            if len(lines) == len(right):
                drawn = [heights(lines[base], offsets) for base in observation.args[0]]
                if np.isfinite(drawn).all():
                    yield observation, offsets, right, drawn
