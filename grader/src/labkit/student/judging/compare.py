"""The tolerance rule: compare a value with the expected one, and find the first difference.

Kind, shape, dtype and finiteness are checked before values, because `np.allclose([], [1.0])` is True and a scalar broadcasts
against anything. Values are compared with float64 references: |actual - expected| <= absolute + per_position * p, where p is
the position along axis 0. A correct float32 table of shape (64, 32) is off by at most a tenth of this tolerance; with its
defaults, `np.allclose` would reject the table.
"""

from __future__ import annotations

import numpy as np

from labkit.student.judging.finding import Finding
from labkit.student.model.course import Tolerance

NUMBERS = "biuf"


def difference(actual: object, expected: object, tolerance: Tolerance, dtype: str | None = None) -> Finding | None:
    """Find the first difference: in container, shape, dtype, finiteness or values. Returns None if the values agree.

    The finding does not include the right value, because it may be shown to students.
    """
    expected = np.asarray(expected)
    found = _form(actual, expected)
    if found:
        return found
    array = np.asarray(actual)
    if array.dtype.kind not in NUMBERS:
        return Finding("dtype", {"seen": array.dtype, "wanted": Finding("numbers-only")})
    if array.shape != expected.shape:
        return Finding("shape", {"seen": str(array.shape), "wanted": str(expected.shape)})
    if not np.isfinite(array).all():
        where = _first(~np.isfinite(array))
        return Finding("finite", {"seen": str(array[where]), "where": _place(where)})
    found = _values(array, expected, tolerance)
    if not found and dtype and array.dtype != dtype:
        return Finding("dtype", {"seen": array.dtype, "wanted": dtype})
    return found


def _form(actual: object, expected: np.ndarray) -> Finding | None:
    if expected.ndim == 0:
        right, wanted = isinstance(actual, (int, float, np.generic, np.ndarray)) and np.ndim(actual) == 0, "one-number"
    else:
        right, wanted = isinstance(actual, np.ndarray), "an-array"
    return None if right else Finding("container", {"seen": kind_of(actual), "wanted": Finding(wanted)})


def _values(array: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> Finding | None:
    error, wrong = errors(array, expected, tolerance)
    if not wrong.any():
        return None
    where = _first(wrong)
    if not where:
        return Finding("value", {"seen": shown(array[where], error[where]), "error": error[where]})
    columns = _listed(np.flatnonzero(wrong.any(axis=0))) if expected.ndim == 2 else ""
    facts = {"where": _place(where), "columns": columns and Finding("wrong-columns", {"columns": columns})}
    return Finding("values", {**facts, "seen": shown(array[where], error[where]), "error": error[where]})


def errors(array: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> tuple[np.ndarray, np.ndarray]:
    """How far each entry is from the expected one, and whether that is too far. NaN always is."""
    error = np.abs(array.astype(np.float64) - expected)
    allowed = tolerance.absolute + tolerance.relative * np.abs(expected)
    if expected.ndim:
        position = np.arange(expected.shape[0], dtype=np.float64)
        allowed = allowed + tolerance.per_position * position.reshape((-1,) + (1,) * (expected.ndim - 1))
    return error, ~(error <= allowed)


def shown(number: float, error: float, digits: int = 6) -> str:
    """Write a number that is off by this error, with as many digits as it takes to see that."""
    written = (f"{number:.{count}g}" for count in range(digits, 18))
    return next((text for text in written if not abs(float(text) - float(number)) > error / 10), f"{number:.17g}")


def _first(mask: np.ndarray) -> tuple[int, ...]:
    return tuple(map(int, np.unravel_index(mask.argmax(), mask.shape)))


def _place(where: tuple[int, ...]) -> Finding:
    """Describe an array index as a finding."""
    if len(where) == 2:
        return Finding("at-cell", {"row": where[0], "column": where[1]})
    return Finding("at-index", {"index": where})


def _listed(numbers: np.ndarray, most: int = 6) -> str:
    """Write the first few of these column numbers, followed by their count if some are left out."""
    shown = ", ".join(map(str, numbers[:most]))
    return shown if len(numbers) <= most else f"{shown}, … ({len(numbers)})"


def kind_of(value: object) -> Finding:
    """Describe a value's type, with the shape of an array."""
    if value is None:
        return Finding("nothing")
    if isinstance(value, np.ndarray):
        return Finding("array", {"shape": str(value.shape)})
    return Finding("of-type", {"type": type(value).__name__})


def kind_alone(value: object) -> Finding:
    """Describe a value's type without its shape."""
    return Finding("an-array") if isinstance(value, np.ndarray) else kind_of(value)
