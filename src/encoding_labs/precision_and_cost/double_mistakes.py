"""Mistakes in `double` that show in a second call, in the lengths of the new pairs, or in how rounding errors grow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation, judge

NEAR = 2e-3  # difference in an entry: far more than rounding causes, far less than another position would
LEAST_ROWS = 200  # with fewer rows, rounded angles and rounded entries look alike
ALIKE = 2e-6  # radians: more than rounding the entries of one pair can cause


def as_pairs(rows: np.ndarray) -> np.ndarray:
    """The rows as complex numbers sin + i cos, shape (n, m)."""
    return rows[:, 0::2].astype(np.float64) + 1j * rows[:, 1::2]


@dataclass(frozen=True, eq=False)
class Doubled:
    """One call of `double`, with rows as complex pairs of shape (n, m), and the largest error of an entry."""

    given: np.ndarray  # the argument
    second: np.ndarray  # the last n rows of the result
    right: np.ndarray  # their right values
    off: float

    @property
    def n(self) -> int:
        return len(self.given)


def answers(observations: Sequence[Observation]) -> Iterator[Doubled]:
    """Yield every call that returned finite numbers of the right shape, except second calls with the same arrays."""
    for seen in (seen for seen in observations if not seen.twice):
        right, actual = seen.expected, seen.actual
        usable = right is not None and isinstance(actual, np.ndarray) and actual.dtype.kind in "iuf"
        if usable and actual.shape == np.shape(right) and np.isfinite(actual).all():
            came, wanted, n = as_pairs(actual), as_pairs(np.asarray(right)), len(actual) // 2
            off = float(np.abs(came - wanted).max())
            yield Doubled(as_pairs(seen.args[0].build()), came[n:], wanted[n:], off)


@mistake("input-overwritten", "double")
def input_overwritten(observations):
    off = [seen for seen in observations if judge(seen) is not None]
    alone = [seen for seen in observations if not seen.twice and off and seen.args == off[0].args]
    return {} if alone and all(seen.twice for seen in off) else None


@mistake("table-rebuilt", "double")
def table_rebuilt(observations):
    wrong = [each for each in answers(observations) if each.off > NEAR]
    if wrong and all(np.abs(np.abs(each.second) - 1).max() < NEAR for each in wrong):
        return {"length": float(np.abs(wrong[0].given[0, 0]))}


@mistake("complex128-viewed", "double")
def complex128_viewed(observations):
    """The answer views complex128 numbers as float32, so its rows have twice as many columns as they should."""
    for seen in observations:
        n, m = seen.args[0].n, seen.args[1].m
        if (
            isinstance(seen.actual, np.ndarray)
            and seen.actual.dtype == np.float32
            and seen.actual.shape == (2 * n, 4 * m)
        ):
            return {"n": n, "m": m, "shape": seen.actual.shape}


@mistake("wrong-container", "double")
def wrong_container(observations):
    for seen in observations:
        actual = seen.actual
        off = bool(seen.difference) and seen.difference.id != "dtype"
        if isinstance(actual, np.ndarray) and (actual.dtype.kind == "c" or actual.dtype == np.float64 and not off):
            n, m = seen.args[0].n, seen.args[1].m
            facts = {"n": n, "m": m, "rows": 2 * n, "columns": 2 * m}
            return {**facts, "dtype": str(actual.dtype), "shape": actual.shape}


def rounded(observations: Sequence[Observation]) -> Iterator[tuple[Doubled, np.ndarray]]:
    """Yield nearly right calls, with the error of each new pair's angle in radians, shape (n, m)."""
    for each in answers(observations):
        if each.n >= LEAST_ROWS and 1e-6 < each.off < 0.05:
            yield each, np.angle(each.second * each.right.conj())


def is_one_turn(error: np.ndarray) -> bool:
    """Whether each pair is off by the same angle in all rows. `error` has these angles, shape (n, m)."""
    return bool(np.abs(error - np.median(error, axis=0)).max() < ALIKE)


def grows_step_by_step(error: np.ndarray) -> bool:
    """Whether the error grows in small steps along the rows, rather than independently in each row."""
    change, steps = np.ptp(error, axis=0), np.abs(np.diff(error, axis=0)).max(axis=0)
    worst = int(np.argmax(change))
    return bool(change[worst] > ALIKE and steps[worst] < 0.2 * change[worst])


def facts_of(each: Doubled) -> dict:
    return {"n": each.n, "error": each.off}


@mistake("float32-phase", "double")
def float32_phase(observations):
    found = (
        facts_of(each) for each, error in rounded(observations) if is_one_turn(error) and not grows_step_by_step(error)
    )
    return next(found, None)


@mistake("accumulated-angle", "double")
def accumulated_angle(observations):
    found = (facts_of(each) for each, error in rounded(observations) if grows_step_by_step(error))
    return next(found, None)


@mistake("float32-angles", "double")
def float32_angles(observations):
    if low_precision(observations):
        return None
    found = (
        facts_of(each)
        for each, error in rounded(observations)
        if not is_one_turn(error) and not grows_step_by_step(error) and each.off < 1e-6 * each.n
    )
    return next(found, None)


@mistake("low-precision", "double")
def low_precision(observations):
    found = [*answers(observations)]
    if found and all(1e-5 < each.off < 5e-3 for each in found):
        return {"error": max(each.off for each in found)}
