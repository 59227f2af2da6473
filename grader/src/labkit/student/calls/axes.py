"""Describe a figure by the data and positions on its Axes, never by pixels.

A snapshot (`snapshot.py`) is plain data that can leave an untrusted kernel. `Drawing.from_plain` validates and reads it.
Positions are data coordinates, and the Axes' limits map them to the figure. So an inverted axis, a flipped array, an `extent`
and `origin="lower"` appear as a reader sees them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from labkit.student.calls.wire import Malformed

MAX_LABEL, MAX_PARTS = 1_000, 1_000  # characters in a label; images, lines or legend entries
SHADES = 33  # number of colours to report from a colour map, evenly spaced
BRIGHTNESS = np.array([0.2126, 0.7152, 0.0722])  # weights of red, green and blue (Rec. 709)
SHARP = frozenset({"nearest", "none"})


@dataclass(frozen=True)
class Image:
    """A picture from imshow, matshow or pcolormesh: values, positions of rows and columns, and colour map."""

    values: np.ndarray  # (rows, columns), as given to the plot; (rows, columns, 3 or 4) for RGB or RGBA
    x: np.ndarray  # (columns,) the centre of each column on the x axis
    y: np.ndarray  # (rows,) the centre of each row on the y axis
    limits: tuple[float, float]  # the values at the two ends of the colour map
    colours: np.ndarray  # (SHADES, 4) RGBA on white, from the lower to the upper limit
    interpolation: str  # as drawn; "auto" is resolved for this size
    bars: int  # number of colour bars that show these colours

    @property
    def brightness(self) -> np.ndarray:
        """The brightness of each reported colour, from 0 (black) to 1 (white)."""
        seen: np.ndarray = self.colours[:, :3] @ BRIGHTNESS
        return seen


@dataclass(frozen=True)
class Line:
    """A plotted line: its data and legend label; markers and steps are ignored."""

    x: np.ndarray
    y: np.ndarray
    label: str

    @property
    def labelled(self) -> bool:
        """Whether the line has a label for the legend; matplotlib's automatic labels start with an underscore."""
        return bool(self.label) and not self.label.startswith("_")


@dataclass(frozen=True)
class Drawing:
    """The contents of a figure that can be checked."""

    images: tuple[Image, ...]
    lines: tuple[Line, ...]
    title: str
    xlabel: str
    ylabel: str
    xscale: str
    yscale: str
    xlim: tuple[float, float]  # left, right
    ylim: tuple[float, float]  # bottom, top
    legend: tuple[str, ...]
    colorbars: int  # number of colour bars in the whole figure
    elsewhere: int  # number of things drawn on other Axes, in this figure or in pyplot's current one

    @classmethod
    def from_plain(cls, plain: object) -> Drawing:
        """Read a drawing from a kernel's plain data. Errors: Malformed."""
        return _read(cls, plain, "a drawing")

    def seen(self, image: Image) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Read the values as displayed, starting from the top row and the left column.

        Returns values (rows, columns), the y axis reading of each row, and the x axis reading of each column.
        Rows and columns outside the axes' limits are left out.
        """
        rows, columns = _in_order(image.y, self.ylim[::-1]), _in_order(image.x, self.xlim)
        return image.values[np.ix_(rows, columns)], image.y[rows], image.x[columns]


def _in_order(places: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """Indices of the positions between two limits, ordered from the first limit to the second."""
    order = np.argsort(places if limits[0] <= limits[1] else -places, kind="stable")
    return order[(min(limits) <= places[order]) & (places[order] <= max(limits))]


Of = TypeVar("Of")
Part = TypeVar("Part", Image, Line, Drawing)


def _read(kind: type[Part], plain: object, what: str) -> Part:
    """Read an Image, Line or Drawing from a dict with exactly its fields, each of the right type. Errors: Malformed."""
    if not isinstance(plain, dict) or set(plain) != {field.name for field in fields(kind)}:
        raise Malformed(f"not {what}")
    read = kind(**{field.name: READERS[str(field.type)](plain[field.name]) for field in fields(kind)})
    if isinstance(read, Image):
        fits = read.values.ndim in (2, 3) and read.values.shape[:2] == read.y.shape + read.x.shape
        if not fits or read.colours.shape != (SHADES, 4):
            raise Malformed("an image with parts that do not match")
    if isinstance(read, Line) and not read.x.shape == read.y.shape == (read.x.size,):
        raise Malformed("a line with x and y that do not match")
    return read


def _count(value: object) -> int:
    count = _of(int, value)
    if count < 0:
        raise Malformed("a negative count")
    return count


def _array(value: object) -> np.ndarray:
    array = _of(np.ndarray, value)
    if array.dtype != np.float64:
        raise Malformed("not an array of float64")
    return array


def _pair(value: object) -> tuple[float, float]:
    pair = _of(tuple, value)
    if len(pair) != 2:
        raise Malformed("not a pair of numbers")
    return _of(float, pair[0]), _of(float, pair[1])


def _of(kind: type[Of], value: object) -> Of:
    if type(value) is not kind:
        raise Malformed(f"a {type(value).__name__} instead of a {kind.__name__}"[:120])
    return value


def _text(value: object) -> str:
    text = _of(str, value)
    if len(text) > MAX_LABEL:
        raise Malformed("a label that is too long")
    return text


def _several(
    kind: type[list[object] | tuple[object, ...]], value: object, read: Callable[[object], Of]
) -> tuple[Of, ...]:
    parts = _of(kind, value)
    if len(parts) > MAX_PARTS:
        raise Malformed("a drawing with too many parts")
    return tuple(map(read, parts))


READERS: dict[str, Callable[[object], Any]] = {  # by the type of a field
    "str": _text,
    "int": _count,
    "np.ndarray": _array,
    "tuple[float, float]": _pair,
    "tuple[str, ...]": lambda value: _several(tuple, value, _text),
    "tuple[Image, ...]": lambda value: _several(list, value, lambda item: _read(Image, item, "an image")),
    "tuple[Line, ...]": lambda value: _several(list, value, lambda item: _read(Line, item, "a line")),
}
