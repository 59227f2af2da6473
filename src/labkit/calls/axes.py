"""What a figure shows, read from its Axes: the data and where it stands, never the pixels.

A snapshot is plain data, so that it can leave a kernel nobody trusts; `Drawing.from_plain` reads it strictly. Places are
data coordinates, and the Axes' limits say where these are on paper: an inverted axis, a flipped array, an `extent` and
`origin="lower"` therefore all show as what a reader sees.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from labkit.calls.wire import Malformed

MAX_LABEL, MAX_PARTS = 1_000, 1_000  # characters of a text, and images, lines or legend entries, of one drawing
FAINT = 0.05  # alpha of what can hardly be seen
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
    colours: np.ndarray  # (SHADES, 4) RGBA from the low end of the colour map to the high end
    interpolation: str  # what is really done at this size: "auto" is resolved

    @property
    def brightness(self) -> np.ndarray:
        """Of each reported colour, 0 black to 1 white."""
        return self.colours[:, :3] @ BRIGHTNESS


@dataclass(frozen=True)
class Line:
    """A plotted line: its data and its label; markers or steps do not matter."""

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
    colorbars: int

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


def _read(kind: type, plain: object, what: str):
    """An Image, a Line or a Drawing from a dict with just its fields, each of its type."""
    if not isinstance(plain, dict) or set(plain) != {field.name for field in fields(kind)}:
        raise Malformed(f"not {what}")
    read = kind(**{field.name: READERS[field.type](plain[field.name]) for field in fields(kind)})
    if kind is Image:
        fits = read.values.ndim in (2, 3) and read.values.shape[:2] == read.y.shape + read.x.shape
        if not fits or read.colours.shape != (SHADES, 4):
            raise Malformed("an image whose parts do not fit together")
    if kind is Line and not read.x.shape == read.y.shape == (read.x.size,):
        raise Malformed("a line whose x and y do not fit together")
    return read


def _count(value: object) -> int:
    if _of(int, value) < 0:
        raise Malformed("a negative count")
    return value


def _array(value: object) -> np.ndarray:
    if _of(np.ndarray, value).dtype != np.float64:
        raise Malformed("not an array of float64")
    return value


def _pair(value: object) -> tuple[float, float]:
    if len(_of(tuple, value)) != 2:
        raise Malformed("not a pair of numbers")
    return tuple(_of(float, number) for number in value)


def _of(kind: type, value: object):
    if type(value) is not kind:
        raise Malformed(f"a {type(value).__name__} in place of a {kind.__name__}"[:120])
    return value


def _text(value: object) -> str:
    if len(_of(str, value)) > MAX_LABEL:
        raise Malformed("a label longer than anybody reads")
    return value


def _several(kind: type, value: object, read) -> tuple:
    if len(_of(kind, value)) > MAX_PARTS:
        raise Malformed("more parts than a drawing may have")
    return tuple(map(read, value))


READERS = {  # by the type of a field
    "str": _text,
    "int": _count,
    "np.ndarray": _array,
    "tuple[float, float]": _pair,
    "tuple[str, ...]": lambda value: _several(tuple, value, _text),
    "tuple[Image, ...]": lambda value: _several(list, value, lambda item: _read(Image, item, "an image")),
    "tuple[Line, ...]": lambda value: _several(list, value, lambda item: _read(Line, item, "a line")),
}


def snapshot(ax) -> dict:
    """The plain data of a matplotlib Axes, ready for the wire and for `Drawing.from_plain`. What nobody sees is not in it."""
    legend = ax.get_legend()
    meshes = [artist for artist in ax.collections if hasattr(artist, "get_coordinates")]
    return {
        "images": [_image(ax, artist) for artist in (*ax.images, *meshes) if _is_seen(ax, artist)],
        "lines": [
            {
                "x": _numbers(line.get_xdata(orig=False)),
                "y": _numbers(line.get_ydata(orig=False)),
                "label": str(line.get_label()),
            }
            for line in ax.lines
            if _is_seen(ax, line)
        ],
        "title": " ".join(filter(None, (str(ax.get_title(loc)) for loc in ("left", "center", "right")))),
        "xlabel": str(ax.get_xlabel()),
        "ylabel": str(ax.get_ylabel()),
        "xscale": str(ax.get_xscale()),
        "yscale": str(ax.get_yscale()),
        "xlim": tuple(map(float, ax.get_xlim())),
        "ylim": tuple(map(float, ax.get_ylim())),
        "legend": tuple(str(text.get_text()) for text in legend.get_texts()) if legend and legend.get_visible() else (),
        "colorbars": sum(hasattr(other, "_colorbar") for other in ax.figure.axes),  # matplotlib's own mark
    }


def _is_seen(ax, artist) -> bool:
    """Whether it stands on the paper, and is not all but transparent."""
    alpha, place = artist.get_alpha(), ax.get_position()
    on_paper = place.x0 < 1 and place.x1 > 0 and place.y0 < 1 and place.y1 > 0
    return ax.get_visible() and artist.get_visible() and on_paper and (alpha is None or np.min(alpha) > FAINT)


def _numbers(data: object) -> np.ndarray:
    return np.ma.filled(np.ma.asarray(data, dtype=np.float64), np.nan)


def _image(ax, artist) -> dict:
    values = _numbers(artist.get_array())
    if hasattr(artist, "get_coordinates"):
        values, x, y, interpolation = _mesh(values, _numbers(artist.get_coordinates()))
    else:
        left, right, bottom, top = map(float, artist.get_extent())
        rows, columns = values.shape[:2]
        first, last = (bottom, top) if artist.origin == "lower" else (top, bottom)
        x = left + (right - left) * (np.arange(columns) + 0.5) / columns
        y = first + (last - first) * (np.arange(rows) + 0.5) / rows
        interpolation = _resolved(ax, artist, rows, columns)
    if artist.get_transform() != ax.transData:  # it stands elsewhere than its data say
        x, y = np.full_like(x, np.nan), np.full_like(y, np.nan)
    return {
        "values": values,
        "x": x,
        "y": y,
        "limits": tuple(np.nan if limit is None else float(limit) for limit in artist.get_clim()),
        "colours": _colours(artist),
        "interpolation": interpolation,
    }


def _colours(artist) -> np.ndarray:
    """What the values between the limits become, by the artist's own norm, which need not be linear or rising."""
    low, high = artist.get_clim()
    shades = np.linspace(0, 1, SHADES)
    if low is not None and high is not None and low < high:
        shades = artist.norm(np.linspace(low, high, SHADES))
    return np.asarray(artist.get_cmap()(shades), dtype=np.float64)


def _mesh(values: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """The values, places and interpolation of a mesh: one colour per cell, or blended between corners (gouraud)."""
    blended = values.shape[:2] == corners.shape[:2]
    places = corners if blended else (corners[:-1, :-1] + corners[:-1, 1:] + corners[1:, :-1] + corners[1:, 1:]) / 4
    if np.ptp(places[..., 0], axis=0).max() > np.ptp(places[..., 0], axis=1).max():
        values, places = np.swapaxes(values, 0, 1), np.swapaxes(places, 0, 1)  # the array's rows run along x
    x, y = places[:, :, 0], places[:, :, 1]
    if not (np.allclose(x, x[:1]) and np.allclose(y, y[:, :1])):
        x, y = np.full_like(x, np.nan), np.full_like(y, np.nan)  # a bent grid has no rows and columns to read
    return values, x[0], y[:, 0], "gouraud" if blended else "nearest"


def _resolved(ax, artist, rows: int, columns: int) -> str:
    """The interpolation, with "auto" replaced by what matplotlib does: it smooths cells of less than three pixels."""
    name = str(artist.get_interpolation())
    if name not in ("auto", "antialiased"):
        return name
    box, (left, right, bottom, top) = ax.get_window_extent(), artist.get_extent()
    width = box.width * abs((right - left) / np.subtract(*ax.get_xlim())) / columns
    height = box.height * abs((top - bottom) / np.subtract(*ax.get_ylim())) / rows
    return "nearest" if min(width, height) > 3 else "hanning"
