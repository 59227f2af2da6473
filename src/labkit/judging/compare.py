"""The tolerance rule: is this the value that was asked for, and if not, what differs first?

Kind, shape, dtype and finiteness come before values, because `np.allclose([], [1.0])` is True and a scalar broadcasts
against anything. Values are compared with float64 truth: |actual - truth| <= absolute + per_position * p, with the
position p counted along axis 0. A correct float32 table uses at most a tenth of that at (64, 32); the defaults of
`np.allclose` would reject it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labkit.course import Tolerance

NUMBERS = "biuf"


@dataclass(frozen=True)
class Difference:
    """What differs first. `kind` is container, shape, dtype, finite or values; `seen` and `wanted` are short texts."""

    kind: str
    seen: str
    wanted: str
    where: tuple[int, ...] = ()
    error: float = float("nan")
    columns: tuple[int, ...] = ()


def difference(actual: object, expected: object, tolerance: Tolerance, dtype: str | None = None) -> Difference | None:
    """What keeps `actual` from being `expected`, or None when nothing does."""
    expected = np.asarray(expected)
    found = _form(actual, expected)
    if found:
        return found
    array = np.asarray(actual)
    if array.dtype.kind not in NUMBERS:
        return Difference("dtype", f"{array.dtype}", "numbers")
    if array.shape != expected.shape:
        return Difference("shape", f"{array.shape}", f"{expected.shape}")
    if not np.isfinite(array).all():
        where = _first(~np.isfinite(array))
        return Difference("finite", f"{array[where]}", "a finite number", where)
    found = _values(array, expected, tolerance)
    if found:
        return found
    if dtype and array.dtype != dtype:
        return Difference("dtype", f"{array.dtype}", dtype)
    return None


def _form(actual: object, expected: np.ndarray) -> Difference | None:
    if expected.ndim == 0:
        single = isinstance(actual, (int, float, np.generic)) or isinstance(actual, np.ndarray) and actual.ndim == 0
        return None if single else Difference("container", described(actual), "a single number")
    if not isinstance(actual, np.ndarray):
        return Difference("container", described(actual), "a NumPy array")
    return None


def _values(array: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> Difference | None:
    error = np.abs(array.astype(np.float64) - expected)
    allowed = tolerance.absolute + tolerance.relative * np.abs(expected)
    if expected.ndim:
        position = np.arange(expected.shape[0], dtype=np.float64)
        allowed = allowed + tolerance.per_position * position.reshape((-1,) + (1,) * (expected.ndim - 1))
    wrong = error > allowed
    if not wrong.any():
        return None
    where = _first(wrong)
    columns = tuple(map(int, np.flatnonzero(wrong.any(axis=0)))) if expected.ndim == 2 else ()
    return Difference("values", f"{array[where]:.6g}", f"{expected[where]:.6g}", where, float(error[where]), columns)


def _first(mask: np.ndarray) -> tuple[int, ...]:
    return tuple(map(int, np.argwhere(mask)[0])) if mask.ndim else ()


def described(value: object, language: str = "en") -> str:
    """A value's kind in words, for messages: its type, and for an array its shape."""
    name, spanish = type(value).__name__, language == "es"
    if value is None:
        return "None (¿falta un return?)" if spanish else "None (is there a return?)"
    if isinstance(value, np.ndarray):
        return f"un array de forma {value.shape}" if spanish else f"an array of shape {value.shape}"
    if spanish:
        return f"un valor de tipo {name}"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
