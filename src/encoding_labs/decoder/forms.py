"""Find the table in a returned value, even if its shape, type or container is wrong, and name the mistakes in its form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from encoding_labs.decoder.whole_table import Reading
from labkit.student.judging.compare import difference
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation

MARK = 7  # overwrites the first result before the second call, to detect a shared array


@dataclass(frozen=True, eq=False)
class Returned:
    """A returned value, the mistakes in its form, and whether its values are right once the form is corrected."""

    seen: Observation
    in_form: tuple[str, ...] = ()
    right: bool | None = None  # None if unknown
    values: np.ndarray | None = None
    readings: Sequence[Reading] = ()  # for wrong frequencies; readings of tables are computed on demand


def table_in(seen: Observation) -> Returned:
    """Find the table in an observation, whatever its form."""
    T, d = seen.expected.shape
    large_enough = T >= 3 and d >= 4
    numbers = isinstance(seen.actual, np.ndarray) and seen.actual.size > 0
    if numbers and seen.actual.dtype.kind in "iuf" and (seen.actual == MARK).all():
        return Returned(seen, ("shared-state",))  # if only a part is overwritten, the rest is unwritten memory
    if numbers and seen.actual.dtype.kind in "biu":
        return Returned(seen, ("integer-table",))
    body = unwrapped(seen.actual, T, d)
    if body is None:
        return Returned(seen, _with_other_rows(seen.actual, seen.expected), right=False if large_enough else None)
    values, wrapping = body
    if not large_enough:
        return Returned(seen, wrapping if T else ())
    right = difference(values, seen.expected, seen.exercise.tolerance) is None
    but_for_the_last_pair = "last-pair-missing" in wrapping and _same(values[:, :-2], seen.expected[:, :-2])
    return Returned(seen, wrapping, right or but_for_the_last_pair, values)


def is_stacked_anyhow(table: Returned) -> bool:
    """Whether the table was stacked along the wrong axis and its values are wrong too, not just misplaced."""
    if table.in_form != ("wrong-stack-axis",):
        return False
    values, right = (np.sort(each, axis=None) for each in (table.values, table.seen.expected))
    return not np.abs(values - right).max() < 1e-3


def _same(actual: np.ndarray, expected: np.ndarray) -> bool:
    return not np.abs(actual - expected).max() > 1e-3


def _with_other_rows(actual: object, right: np.ndarray) -> tuple[str, ...]:
    """Mistakes that give the right values but the wrong number of rows."""
    T, d = right.shape
    if not isinstance(actual, np.ndarray) or actual.dtype.kind != "f" or T < 3:
        return ()
    if actual.shape == (T + 1, d) and not actual[0].any() and _same(actual[1:], right):
        return ("padding-row",)
    if actual.shape == (T - 1, d) and _same(actual, right[1:]):
        return ("positions-from-one",)
    return ("position-over-d",) if actual.shape == (d, d) and _same(actual[:T], right[:d]) else ()


def unwrapped(actual: object, T: int, d: int) -> tuple[np.ndarray, tuple[str, ...]] | None:
    """Extract an array of shape (T, d) from a returned value, and the mistakes in its form. Returns None if this is impossible."""
    array = _floats(actual)
    if array is None:
        return None
    another = ("wrong-container",)
    in_form = another if not isinstance(actual, np.ndarray) or actual.dtype.kind == "c" else ()
    if array.shape == (T, d):
        return array, in_form
    if array.shape == (T, d - 2) and d > 2:
        return np.pad(array, ((0, 0), (0, 2))), ("last-pair-missing",)
    if T and d > 2 and array.shape in ((2, T, d // 2), (2 * T, d // 2)):
        return np.moveaxis(array.reshape(2, T, d // 2), 0, 2).reshape(T, d), in_form or ("wrong-stack-axis",)
    if T and d > 2 and array.shape == (T, 2, d // 2):
        return np.moveaxis(array, 1, 2).reshape(T, d), ("wrong-stack-axis",)
    for way in (array.squeeze(), array.squeeze().T):
        if way.shape == (T, d):
            return way, another
    return (array.reshape(T, d), another) if array.shape in ((T * d,), (T, d // 2, 2)) else None


def _floats(actual: object) -> np.ndarray | None:
    """Convert an array, or a value that can become one, to real numbers. Returns None if this is impossible."""
    if not isinstance(actual, (np.ndarray, list, tuple)) and not hasattr(actual, "__array__"):
        return None
    try:
        array = np.asarray(actual)
        real = array.dtype.kind in "biufO" or array.dtype.kind == "c" and not array.imag.any()
        with np.errstate(all="ignore"):
            return array.real.astype(np.float64) if real else None
    except (TypeError, ValueError):
        return None


def differing_form(seen: Observation) -> Finding | None:
    """The first difference in container, shape or dtype from the required result, or None."""
    array, wanted, dtype = seen.actual, np.shape(seen.expected), seen.exercise.dtype
    if seen.raises:
        return None
    if not isinstance(array, np.ndarray):
        return Finding("another-container")
    if array.ndim != len(wanted):
        return Finding("another-count-of-axes", {"axes": array.ndim})
    if array.shape != wanted:
        return Finding("axes-exchanged" if len(wanted) == 2 else "another-size")
    return (
        Finding("another-dtype", {"dtype": array.dtype, "wanted": dtype}) if dtype not in (None, array.dtype) else None
    )
