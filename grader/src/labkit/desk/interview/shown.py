"""Show a value in a few lines for a printed page, and decide whether two values look different there."""

from __future__ import annotations

import numpy as np

from labkit.student.judging.observation import Raised
from labkit.student.model.text import legible, shortened

ROWS, COLUMNS, ITEMS = 4, 4, 6  # rows and columns of a table, and items of a list, that are shown
WHOLE, MILLION = 1e3, 1e6
NOISE = 1e-6  # smaller numbers may be rounding errors, which differ between processors
SHARE, OF_ALL = 0.05, 1e-4  # numbers differ visibly by this share of the larger one, and of the largest number
PIXELS = 0.01  # the share of pixels in which two pictures differ visibly
LONGEST = 120


def shown(value: object) -> str:
    """The value as a few lines of text. Large tables are cut; an error is its name."""
    match value:
        case Raised():
            return value.error
        case np.ndarray() if value.ndim in (1, 2):
            return f"{_table(value)}\nshape {value.shape}"
        case np.ndarray() if value.ndim:
            return f"shape {value.shape}"
        case bool() | np.bool_() | str() | None:
            return shortened(legible(repr(value)), LONGEST)
        case int() | np.integer():
            return str(value)
        case float() | np.floating() | np.ndarray():
            return _number(float(value))
        case list() | tuple():
            items = [*map(shown, value[:ITEMS]), *["…"] * (len(value) > ITEMS)]
            return shortened(f"[{', '.join(items)}]" if isinstance(value, list) else f"({', '.join(items)})", LONGEST)
        case dict():
            items = [f"{shown(key)}: {shown(each)}" for key, each in [*value.items()][:ITEMS]]
            return shortened(f"{{{', '.join(items)}}}", LONGEST)
        case frozenset():
            return shortened(f"{{{', '.join(sorted(map(shown, value)))}}}", LONGEST)
    return shortened(legible(repr(value)), LONGEST)


def _number(value: float) -> str:
    """Three digits, and all of a number up to a million."""
    if WHOLE <= abs(value) < MILLION:
        return f"{value:.0f}"
    return "≈0" if 0 < abs(value) < NOISE else f"{value + 0.0:.3g}"


def _table(array: np.ndarray) -> str:
    if array.ndim == 1:
        items = [shown(each) for each in array[:ITEMS]]
        return f"[{', '.join(items)}{', …' * (len(array) > ITEMS)}]"
    rows = [[shown(each) for each in row[:COLUMNS]] + ["…"] * (array.shape[1] > COLUMNS) for row in array[:ROWS]]
    width = max((len(each) for row in rows for each in row), default=0)
    return "\n".join([*("  ".join(each.rjust(width) for each in row) for row in rows), *["…"] * (len(array) > ROWS)])


def differ(one: object, other: object) -> bool:
    """Whether two values look different on the page, beyond rounding."""
    if is_picture(one) and is_picture(other):
        return float(np.any(one != other, axis=-1).mean()) > PIXELS  # type: ignore[union-attr]
    if shown(one) == shown(other):
        return False
    first, second = _numbers(one), _numbers(other)
    if first is None or second is None or type(one) is not type(other) or np.shape(one) != np.shape(other):
        return True
    if (np.isfinite(first) != np.isfinite(second)).any():
        return True
    largest = np.maximum(abs(first), abs(second))
    with np.errstate(invalid="ignore"):
        return bool((abs(first - second) > np.maximum(SHARE * largest, OF_ALL * largest.max(initial=0))).any())


def is_picture(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 3 and value.dtype == np.uint8


def _numbers(value: object) -> np.ndarray | None:
    """The decimal numbers that are shown of a value. Returns None for other values, which are compared as text."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of unequal length
        return None
    if array.dtype.kind != "f" or array.ndim > 2:
        return None
    shown_of = array[:ROWS, :COLUMNS] if array.ndim == 2 else array[:ITEMS] if array.ndim else array
    return np.where(abs(cut := shown_of.astype(float)) < NOISE, 0.0, cut)
