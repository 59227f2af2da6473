"""Describe a figure by the data and positions on its Axes, never by pixels.

A snapshot (`snapshot.py`) is plain data that can leave an untrusted kernel. `Drawing.from_plain` validates and reads it.
Positions are data coordinates, and the Axes' limits map them to the figure. So an inverted axis, a flipped array, an `extent`
and `origin="lower"` appear as a reader sees them.
"""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

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

    def __post_init__(self) -> None:
        fits = self.values.ndim in (2, 3) and self.values.shape[:2] == self.y.shape + self.x.shape
        if not fits or self.colours.shape != (SHADES, 4):
            raise Malformed("an image with parts that do not match")

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

    def __post_init__(self) -> None:
        if not self.x.shape == self.y.shape == (self.x.size,):
            raise Malformed("a line with x and y that do not match")

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
        drawing: Drawing = _read(cls, plain)
        return drawing

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


_forms = cache(get_type_hints)  # of each field of a dataclass


def _read(form: Any, plain: object) -> Any:
    """Read plain data of this form: a dataclass, a tuple, an array, a number or a text. Errors: Malformed."""
    if is_dataclass(form):
        return _read_fields(form, plain)
    if parts := get_args(form):
        return _read_parts(parts, plain)
    if type(plain) is not form:
        raise Malformed(f"a {type(plain).__name__} instead of a {form.__name__}"[:120])
    if isinstance(plain, str) and len(plain) > MAX_LABEL:
        raise Malformed("a label that is too long")
    if isinstance(plain, int) and plain < 0:
        raise Malformed("a negative count")
    if isinstance(plain, np.ndarray) and plain.dtype != np.float64:
        raise Malformed("not an array of float64")
    return plain


def _read_fields(form: Any, plain: object) -> Any:
    forms = _forms(form)
    if not isinstance(plain, dict) or plain.keys() != forms.keys():
        raise Malformed(f"not a {form.__name__}")
    return form(**{name: _read(own, plain[name]) for name, own in forms.items()})


def _read_parts(forms: tuple[Any, ...], plain: object) -> tuple[Any, ...]:
    """Read a tuple of fixed length, as in (float, float), or of any length, as in (Line, ...). Snapshots have lists too."""
    if not isinstance(plain, (list, tuple)) or len(plain) > MAX_PARTS:
        raise Malformed("not a sequence, or one with too many parts")
    if forms[-1] is ...:
        forms = forms[:1] * len(plain)
    if len(plain) != len(forms):
        raise Malformed("a sequence of the wrong length")
    return tuple(map(_read, forms, plain))
