"""What a figure shows, read from its Axes: the data and where it stands, never the pixels.

A snapshot (`snapshot.py`) is plain data, so that it can leave an untrusted kernel; `Drawing.from_plain` reads it strictly. Places are
data coordinates, and the Axes' limits say where these are on paper: an inverted axis, a flipped array, an `extent` and
`origin="lower"` therefore all show as what a reader sees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from labkit.calls.wire import Malformed

MAX_LABEL, MAX_PARTS = 1_000, 1_000  # characters of a text, and images, lines or legend entries, of one drawing
SHADES = 33  # how many colours of a colour map are reported, evenly spaced from one end to the other
BRIGHTNESS = np.array([0.2126, 0.7152, 0.0722])  # how much red, green and blue add to it (Rec. 709)
SHARP = frozenset({"nearest", "none"})


@dataclass(frozen=True)
class Image:
    """An imshow, matshow or pcolormesh: values, where each row and column stands, and how values become colours."""

    values: np.ndarray  # (rows, columns), as given to the plot; (rows, columns, 3 or 4) for finished colours
    x: np.ndarray  # (columns,) the centre of each column on the x axis
    y: np.ndarray  # (rows,) the centre of each row on the y axis
    limits: tuple[float, float]  # the values at the two ends of the colour map
    colours: np.ndarray  # (SHADES, 4) RGBA on white paper, from the low end of the limits to the high end
    interpolation: str  # what is really done at this size: "auto" is resolved
    bars: int  # colour bars that explain these colours

    @property
    def brightness(self) -> np.ndarray:
        """Of each reported colour, 0 black to 1 white."""
        seen: np.ndarray = self.colours[:, :3] @ BRIGHTNESS
        return seen


@dataclass(frozen=True)
class Line:
    """A plotted line: its data, and the label that a legend gives it; markers or steps do not matter."""

    x: np.ndarray
    y: np.ndarray
    label: str

    @property
    def labelled(self) -> bool:
        """Whether a legend would show it: matplotlib's own labels start with an underscore."""
        return bool(self.label) and not self.label.startswith("_")


@dataclass(frozen=True)
class Drawing:
    """All that is judged of a figure."""

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
    colorbars: int  # of whatever
    elsewhere: int  # things drawn on other Axes: the current one, or another of this figure

    @classmethod
    def from_plain(cls, plain: object) -> Drawing:
        """The drawing in plain data from a kernel. Errors: Malformed."""
        return _read(cls, plain, "a drawing")

    def seen(self, image: Image) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The values as a reader meets them, top row first and left column first, and what the two axes read there.

        Returns values (rows, columns), the reading of the y axis at each row, that of the x axis at each column.
        Rows and columns outside the limits of the axes are not seen.
        """
        rows, columns = _in_order(image.y, self.ylim[::-1]), _in_order(image.x, self.xlim)
        return image.values[np.ix_(rows, columns)], image.y[rows], image.x[columns]


def _in_order(places: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """The indices of the places between two limits, in the order in which one passes them from the first to the second."""
    order = np.argsort(places if limits[0] <= limits[1] else -places, kind="stable")
    return order[(min(limits) <= places[order]) & (places[order] <= max(limits))]


Of = TypeVar("Of")
Part = TypeVar("Part", Image, Line, Drawing)


def _read(kind: type[Part], plain: object, what: str) -> Part:
    """An Image, a Line or a Drawing from a dict with just its fields, each of its type."""
    if not isinstance(plain, dict) or set(plain) != {field.name for field in fields(kind)}:
        raise Malformed(f"not {what}")
    read = kind(**{field.name: READERS[str(field.type)](plain[field.name]) for field in fields(kind)})
    if isinstance(read, Image):
        fits = read.values.ndim in (2, 3) and read.values.shape[:2] == read.y.shape + read.x.shape
        if not fits or read.colours.shape != (SHADES, 4):
            raise Malformed("an image whose parts do not fit together")
    if isinstance(read, Line) and not read.x.shape == read.y.shape == (read.x.size,):
        raise Malformed("a line whose x and y do not fit together")
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
        raise Malformed(f"a {type(value).__name__} in place of a {kind.__name__}"[:120])
    return value


def _text(value: object) -> str:
    text = _of(str, value)
    if len(text) > MAX_LABEL:
        raise Malformed("a label longer than anybody reads")
    return text


def _several(
    kind: type[list[object] | tuple[object, ...]], value: object, read: Callable[[object], Of]
) -> tuple[Of, ...]:
    parts = _of(kind, value)
    if len(parts) > MAX_PARTS:
        raise Malformed("more parts than a drawing may have")
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
