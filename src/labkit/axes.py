"""What a figure shows, read from its Axes: the data and where it stands, never the pixels.

A snapshot is plain data, so that it can leave a kernel nobody trusts. Places are fractions of the axes, (0, 0) at the
lower left: an inverted axis, a flipped array and `origin="lower"` therefore all show as what a reader would see.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from labkit.wire import Malformed

SAMPLES = (-1.0, -0.5, 0.0, 0.5, 1.0)  # the values whose colours an image reports


@dataclass(frozen=True)
class Image:
    """An imshow, matshow or pcolormesh: values, where each row and column stands, and how values become colours."""

    values: np.ndarray  # (rows, columns), as given to the plot
    row_places: np.ndarray  # (rows,) height of each row's centre, 0 bottom .. 1 top
    column_places: np.ndarray  # (columns,) 0 left .. 1 right
    limits: tuple[float, float]  # the values at the two ends of the colour map
    colours: np.ndarray  # (5, 4) RGBA of SAMPLES
    interpolation: str


@dataclass(frozen=True)
class Line:
    """A plotted line: its data and its label; markers or steps do not matter."""

    x: np.ndarray
    y: np.ndarray
    label: str


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
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    legend: tuple[str, ...]
    colorbars: int

    @classmethod
    def from_plain(cls, plain: object) -> Drawing:
        """The drawing in plain data from a kernel. Errors: Malformed."""
        if not isinstance(plain, dict) or set(plain) != {field.name for field in fields(cls)}:
            raise Malformed("not a drawing")
        images = tuple(_read(Image, item) for item in _sequence(plain["images"]))
        lines = tuple(_read(Line, item) for item in _sequence(plain["lines"]))
        return cls(**{**{name: _tupled(value) for name, value in plain.items()}, "images": images, "lines": lines})


def _sequence(value: object) -> list:
    if not isinstance(value, (list, tuple)):
        raise Malformed("not a list")
    return list(value)


def _tupled(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _read(kind: type, plain: object):
    if not isinstance(plain, dict) or set(plain) != {field.name for field in fields(kind)}:
        raise Malformed(f"not a {kind.__name__}")
    read = kind(**{name: _tupled(value) for name, value in plain.items()})
    arrays = [value for value in vars(read).values() if isinstance(value, np.ndarray)]
    if len(arrays) != (4 if kind is Image else 2) or any(array.dtype.kind not in "biuf" for array in arrays):
        raise Malformed(f"not a {kind.__name__}")
    return read


def snapshot(ax) -> dict:
    """The plain data of a matplotlib Axes, ready for the wire and for `Drawing.from_plain`."""
    legend = ax.get_legend()
    return {
        "images": [_image(ax, artist) for artist in (*ax.images, *_meshes(ax))],
        "lines": [
            {"x": _numbers(line.get_xdata()), "y": _numbers(line.get_ydata()), "label": str(line.get_label())}
            for line in ax.lines
        ],
        "title": " ".join(filter(None, (str(ax.get_title(loc)) for loc in ("left", "center", "right")))),
        "xlabel": str(ax.get_xlabel()),
        "ylabel": str(ax.get_ylabel()),
        "xscale": str(ax.get_xscale()),
        "yscale": str(ax.get_yscale()),
        "xlim": tuple(map(float, ax.get_xlim())),
        "ylim": tuple(map(float, ax.get_ylim())),
        "legend": tuple(str(text.get_text()) for text in legend.get_texts()) if legend else (),
        "colorbars": sum(other.get_label() == "<colorbar>" for other in ax.figure.axes),
    }


def _numbers(data: object) -> np.ndarray:
    return np.ma.filled(np.ma.asarray(data, dtype=np.float64), np.nan).ravel()


def _meshes(ax) -> list:
    from matplotlib.collections import QuadMesh

    return [artist for artist in ax.collections if isinstance(artist, QuadMesh)]


def _image(ax, artist) -> dict:
    values = np.ma.filled(np.ma.asarray(artist.get_array(), dtype=np.float64), np.nan)
    if hasattr(artist, "get_coordinates"):  # a QuadMesh: corners of every cell
        corners = np.asarray(artist.get_coordinates(), dtype=np.float64)
        values = values.reshape(corners.shape[0] - 1, corners.shape[1] - 1)
        x = (corners[:-1, :-1, 0] + corners[:-1, 1:, 0])[0] / 2
        y = (corners[:-1, :-1, 1] + corners[1:, :-1, 1])[:, 0] / 2
        interpolation = "nearest"  # a mesh paints every cell in one colour
    else:
        left, right, bottom, top = artist.get_extent()
        rows, columns = values.shape[:2]
        x = left + (right - left) * (np.arange(columns) + 0.5) / columns
        first, last = (bottom, top) if artist.origin == "lower" else (top, bottom)
        y = first + (last - first) * (np.arange(rows) + 0.5) / rows
        interpolation = str(artist.get_interpolation())
    return {
        "values": values,
        "row_places": _places(ax, y, axis=1),
        "column_places": _places(ax, x, axis=0),
        "limits": tuple(map(float, artist.get_clim())),
        "colours": np.asarray(artist.to_rgba(np.array(SAMPLES)), dtype=np.float64),
        "interpolation": interpolation,
    }


def _places(ax, data: np.ndarray, axis: int) -> np.ndarray:
    points = np.zeros((data.size, 2))
    points[:, 1 - axis] = (ax.get_xlim(), ax.get_ylim())[1 - axis][0]
    points[:, axis] = data
    return (ax.transData + ax.transAxes.inverted()).transform(points)[:, axis]
