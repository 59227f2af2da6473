"""Mistakes in float32_error that are recognized by their rounding errors, which differ a little between machines.

At d = 2 the only frequency is 1. So the error at a position beyond 2**24 comes almost entirely from rounding the position to
float32, which is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.precision_and_cost.exercises import EXACT_UP_TO, numbers_of
from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation, judge

CLOSE = 1e-5  # for errors between 0.1 and 2
ENTRY = 3.1e-8  # an entry rounded to float32 has an error of at most 2**-25
DECIMALS = 7  # the smallest errors have their first digit at the eighth decimal


def returned_errors(observations: Sequence[Observation]) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield d, the positions and their errors, for each call that returned one finite number per position."""
    for seen in observations:
        positions, errors = np.array(seen.args[0].each), numbers_of(seen.actual)
        if errors is not None and errors.shape == positions.shape:
            yield seen.args[1], positions, errors


def beyond(observations: Sequence[Observation]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield positions beyond 2**24 and their errors, for each call at d = 2."""
    for d, positions, errors in returned_errors(observations):
        chosen = positions > EXACT_UP_TO
        if d == 2 and chosen.sum() >= 3:
            yield positions[chosen], errors[chosen]


def ordinary(observations: Sequence[Observation]) -> tuple[np.ndarray, np.ndarray]:
    """Positions from 1,000 to 2**24 and their errors, from all calls at d >= 32."""
    found = [np.array([positions, errors]) for d, positions, errors in returned_errors(observations) if d >= 32]
    positions, errors = np.concatenate([np.empty((2, 0)), *found], axis=1)
    chosen = (positions >= 1_000) & (positions < EXACT_UP_TO)
    return positions[chosen], errors[chosen]


def ordinary_and_beyond(observations: Sequence[Observation]) -> np.ndarray | None:
    """All errors at ordinary positions and beyond 2**24. Returns None if too few ordinary ones were returned."""
    _, errors = ordinary(observations)
    return np.concatenate([errors, *(seen for _, seen in beyond(observations))]) if errors.size >= 3 else None


def error_of_the_position(positions: np.ndarray) -> np.ndarray:
    """The error at d = 2 if only the position is rounded: how far the rounded position's row is from the right row."""
    exact, rounded = positions.astype(np.float64), positions.astype(np.float32).astype(np.float64)
    return np.maximum(abs(np.sin(rounded) - np.sin(exact)), abs(np.cos(rounded) - np.cos(exact)))


@mistake("float64-everywhere", "float32_error")
def float64_everywhere(observations):
    errors = ordinary_and_beyond(observations)
    if errors is not None and errors.any() and (np.abs(errors) < ENTRY).all():
        return {"largest": float(np.abs(errors).max())}


@mistake("compared-with-itself", "float32_error")
def compared_with_itself(observations):
    errors = ordinary_and_beyond(observations)
    return {} if errors is not None and not errors.any() else None


@mistake("positions-sorted", "float32_error")
def positions_sorted(observations):
    calls = [*returned_errors(observations)]
    if len(calls) < len(observations):
        return None
    for (_, positions, errors), seen in zip(calls, observations):
        least, largest = seen.expected[:, np.argsort(positions)]
        if (errors < least).any() or (errors > largest).any():
            return None
    return {}


@mistake("positions-ignored", "float32_error")
def positions_ignored(observations):
    found = [numbers_of(seen.actual) for seen in observations]
    if not found or any(errors is None or errors.ndim != 1 or errors.size < 3 for errors in found):
        return None
    small = all(errors[0] == 0 and 0 < errors.max() < 1e-5 for errors in found)
    return {"largest": float(max(errors.max() for errors in found))} if small else None


@mistake("same-position", "float32_error")
def same_position(observations):
    _, errors = ordinary(observations)
    far = np.concatenate([[], *(seen for _, seen in beyond(observations))])
    unseen = far.size and (np.abs(far) < 1e-6).all()
    # Errors of exactly 0 can also mean that the first pair was left out, unless the angles are in float64.
    same = unseen and (far.any() or angles_unrounded(observations))
    return {} if same and (errors > 1e-5).any() else None


def angles_unrounded(observations: Sequence[Observation]) -> bool:
    """Whether a single, slightly wrong frequency explains all errors at d = 4, which means that no angle was rounded."""
    for d, positions, errors in returned_errors(observations):
        if d == 4:
            steepest = np.maximum(abs(np.sin(positions / 100)), abs(np.cos(positions / 100)))
            off = errors / positions / steepest
            return bool(np.ptp(off) < 0.01 * off.max())
    return False


@mistake("float64-sines", "float32_error")
def float64_sines(observations):
    wrong = {found.id for found in map(judge, observations) if found}
    _, errors = ordinary(observations)
    return {} if wrong == {"exact"} and (errors != errors.round(DECIMALS)).any() else None


@mistake("index-for-error", "float32_error")
def index_for_error(observations):
    different = np.unique(np.concatenate([[], *(errors for _, _, errors in returned_errors(observations))]))
    return {} if of_decimals(0, observations) and len(different) > 2 else None


@mistake("rounded", "float32_error")
def rounded(observations):
    return {} if of_decimals(DECIMALS, observations) and not of_decimals(0, observations) else None


def of_decimals(decimals: int, observations: Sequence[Observation]) -> bool:
    """Whether every error has at most this many decimals, and some are not 0."""
    found = [errors for _, _, errors in returned_errors(observations)]
    errors = np.concatenate([[], *found])
    return len(found) == len(observations) and bool(errors.any() and (errors == errors.round(decimals)).all())


@mistake("other-frequencies/both", "float32_error")
def other_frequencies_in_both(observations):
    """At d = 2 all is right, and at d = 4 the errors are as small as rounding, but larger than for the frequency 0.01."""
    found = {d: (positions, errors) for d, positions, errors in returned_errors(observations) if d == 4}
    wrong = {seen.args[1]: outcome.id for seen in observations if (outcome := judge(seen))}
    if wrong.get(4) != "speeds" or 2 in wrong or not found:
        return None
    positions, errors = found[4]
    return {"position": int(positions[np.argmax(errors / positions)])} if (errors < 2e-8 * positions).all() else None


@mistake("degrees", "float32_error")
def degrees_in_both(observations):
    """Errors are right at d = 4 and in early rows, but far out at d = 2 they are those of angles that are 57 times too small."""
    wrong = {seen.args[1] for seen in observations if judge(seen)}
    largest = max((errors.max() for _, errors in beyond(observations)), default=0)
    return {"largest": float(largest)} if 2 in wrong and 4 not in wrong and 0.01 < largest < 0.04 else None


@mistake("accumulated-angle", "float32_error")
def accumulated_angle(observations):
    if positions_sorted(observations) is not None:
        return None
    positions, errors = ordinary(observations)
    right = [np.abs(seen - error_of_the_position(p)).max() < CLOSE for p, seen in beyond(observations)]
    off = errors > 6e-7 * positions + 1e-6
    if not off.any() or not all(right) or (errors > 2.1).any() or (errors[positions == positions.min()] >= 0.1).any():
        return None
    first = np.flatnonzero(off)[np.argmin(positions[off])]
    return {"position": positions[first], "error": errors[first]}
