"""Inside the kernel: record what is visible on an Axes as plain data for `Drawing.from_plain`.

Things that are hidden, nearly transparent, outside the figure or clipped are left out. Lines that are not drawn at their
data coordinates are also left out. Images that are not drawn at theirs are kept, but with NaN as their positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sized
from typing import TYPE_CHECKING, cast

import numpy as np
from matplotlib.collections import PolyQuadMesh, QuadMesh
from matplotlib.lines import Line2D

from labkit.student.calls.axes import SHADES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colorbar import Colorbar
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.image import AxesImage
    from matplotlib.legend import Legend
    from numpy.typing import ArrayLike

FAINT = 0.05  # alpha below which things are invisible
NOTHING = ("None", "none", " ", "", None)  # matplotlib's names for no line and no marker


def snapshot(ax: Axes, current: Figure | None = None) -> dict[str, object]:
    """Record the content of the Axes. `current` is pyplot's current figure; things on it count as drawn elsewhere."""
    legend = ax.get_legend()
    if legend and not legend.get_visible():
        legend = None
    meshes = [artist for artist in ax.collections if isinstance(artist, (QuadMesh, PolyQuadMesh))]
    coloured: list[AxesImage | QuadMesh | PolyQuadMesh] = [*ax.images, *meshes]
    bars = [other._colorbar for other in _all_axes(ax.figure) if hasattr(other, "_colorbar") and _is_on_paper(other)]
    return {
        "images": [_image(ax, artist, bars) for artist in coloured if _is_seen(ax, artist)],
        "lines": [
            {
                "x": _numbers(line.get_xdata(orig=False)),
                "y": _numbers(line.get_ydata(orig=False)),
                "label": _label(line, legend),
            }
            for line in ax.lines
            if _is_seen(ax, line) and _has_ink(line) and line.get_transform() == ax.transData
        ],
        "title": " ".join(filter(None, _titles(ax))),
        "xlabel": str(ax.get_xlabel()),
        "ylabel": str(ax.get_ylabel()),
        "xscale": str(ax.get_xscale()),
        "yscale": str(ax.get_yscale()),
        "xlim": tuple(map(float, ax.get_xlim())),
        "ylim": tuple(map(float, ax.get_ylim())),
        "legend": tuple(str(text.get_text()) for text in legend.get_texts()) if legend else (),
        "colorbars": len(bars),
        "elsewhere": _drawn(ax.figure, ax) + (_drawn(current) if current else 0),
    }


def _all_axes(figure: Figure | SubFigure) -> Iterator[Axes]:
    """All Axes of a figure, including nested ones."""
    waiting = list(figure.axes)
    while waiting:
        ax = waiting.pop()
        yield ax
        waiting += [child for child in cast("list[Axes]", ax.child_axes) if child not in figure.axes]


def _drawn(figure: Figure | SubFigure, but: Axes | None = None) -> int:
    """Count the things drawn in a figure outside the Axes `but`: data, text and colour bars, but not empty frames."""
    count = len(figure.images)
    for ax in _all_axes(figure):
        if ax is but or (but and hasattr(ax, "_colorbar")):  # a colour bar has its own Axes
            continue
        words = [ax.get_xlabel(), ax.get_ylabel(), *_titles(ax)] if but is None else []
        shapes: tuple[Sized, ...] = (ax.images, ax.lines, ax.collections, ax.patches, ax.texts)
        count += sum(map(len, shapes)) + sum(map(bool, words)) + (ax.get_legend() is not None)
    return count


def _titles(ax: Axes) -> list[str]:
    """The title at each of its three places; a style chooses the place that is used by default."""
    return [str(ax.get_title(place)) for place in ("left", "center", "right")]


def _is_on_paper(ax: Axes) -> bool:
    place = ax.get_position()
    return ax.get_visible() and place.x0 < 1 and place.x1 > 0 and place.y0 < 1 and place.y1 > 0


def _is_seen(ax: Axes, artist: Artist) -> bool:
    """Whether an artist is inside the figure, not nearly transparent, and clipped by nothing but the Axes."""
    alpha = artist.get_alpha()
    return (
        _is_on_paper(ax)
        and artist.get_visible()
        and (alpha is None or np.min(alpha) > FAINT)
        and (not artist.get_clip_on() or _is_whole(ax, artist))
    )


def _is_whole(ax: Axes, artist: Artist) -> bool:
    clip, box = artist.get_clip_box(), ax.get_window_extent()
    beyond = () if clip is None else (np.subtract(clip.min, box.min), np.subtract(box.max, clip.max))
    return all(np.all(side <= 1) for side in beyond) and artist.get_clip_path() is None  # within a pixel


def _has_ink(line: Line2D) -> bool:
    stroke = line.get_linestyle() not in NOTHING and line.get_linewidth() > 0
    return stroke or line.get_marker() not in NOTHING


def _label(line: Line2D, legend: Legend | None) -> str:
    """The line's label, else the text of a legend entry that looks the same, as after `legend(lines, words)`."""
    own = str(line.get_label())
    if legend is None or not own.startswith("_"):
        return own
    texts = (text.get_text() for text in legend.get_texts())
    return next((str(text) for key, text in zip(legend.legend_handles, texts) if _look(key) == _look(line)), own)


def _look(line: Artist | None) -> tuple[str, str, str] | None:
    """Colour, line style and marker, which identify a line in the legend."""
    if not isinstance(line, Line2D):
        return None
    return str(line.get_color()), str(line.get_linestyle()), str(line.get_marker())


def _numbers(data: object) -> np.ndarray:
    return np.ma.filled(np.ma.asarray(data, dtype=np.float64), np.nan)


def _image(ax: Axes, artist: AxesImage | QuadMesh | PolyQuadMesh, bars: list[Colorbar]) -> dict[str, object]:
    values = _numbers(artist.get_array())
    if isinstance(artist, (QuadMesh, PolyQuadMesh)):
        values, x, y, interpolation = _mesh(values, _numbers(artist.get_coordinates()))
    else:
        left, right, bottom, top = map(float, artist.get_extent())
        rows, columns = values.shape[:2]
        first, last = (bottom, top) if artist.origin == "lower" else (top, bottom)
        x = left + (right - left) * (np.arange(columns) + 0.5) / columns
        y = first + (last - first) * (np.arange(rows) + 0.5) / rows
        interpolation = _resolved(ax, artist, rows, columns)
    if artist.get_transform() != ax.transData:  # it is not drawn at its data coordinates
        x, y = np.full_like(x, np.nan), np.full_like(y, np.nan)
    limits, colours = _limits(artist), _colours(artist)
    return {
        "values": values,
        "x": x,
        "y": y,
        "limits": limits,
        "colours": colours,
        "interpolation": interpolation,
        "bars": sum(
            bar.mappable is artist or _limits(bar.mappable) == limits and np.allclose(_colours(bar.mappable), colours)
            for bar in bars
        ),
    }


def _limits(artist: ScalarMappable) -> tuple[float, float]:
    low, high = (np.nan if limit is None else float(limit) for limit in artist.get_clim())
    return low, high


def _colours(artist: ScalarMappable) -> np.ndarray:
    """The colours, on white, of values between the limits. The artist's norm may be non-linear or decreasing."""
    low, high = artist.get_clim()
    shades: ArrayLike = np.linspace(0, 1, SHADES)
    if low is not None and high is not None and low < high:
        shades = artist.norm(np.linspace(low, high, SHADES))
    colours = np.array(artist.get_cmap()(shades), dtype=np.float64)
    faded = artist.get_alpha() if hasattr(artist, "get_alpha") else None
    alpha = colours[:, 3:] * (1 if faded is None else np.min(faded))
    colours[:, :3] = alpha * colours[:, :3] + 1 - alpha
    colours[:, 3] = 1
    return colours


def _mesh(values: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """Values, positions and interpolation of a mesh: one colour per cell, or blended between corners (gouraud)."""
    blended = values.shape[:2] == corners.shape[:2]
    places = corners if blended else (corners[:-1, :-1] + corners[:-1, 1:] + corners[1:, :-1] + corners[1:, 1:]) / 4
    if np.ptp(places[..., 0], axis=0).max() > np.ptp(places[..., 0], axis=1).max():
        values, places = np.swapaxes(values, 0, 1), np.swapaxes(places, 0, 1)  # rows of the array are along x
    x, y = places[:, :, 0], places[:, :, 1]
    if not (np.allclose(x, x[:1]) and np.allclose(y, y[:, :1])):
        x, y = np.full_like(x, np.nan), np.full_like(y, np.nan)  # in a curved grid, a row has no single position
    return values, x[0], y[:, 0], "gouraud" if blended else "nearest"


def _resolved(ax: Axes, artist: AxesImage, rows: int, columns: int) -> str:
    """The interpolation, with "auto" resolved: matplotlib smooths cells smaller than three pixels."""
    name = str(artist.get_interpolation())
    if name not in ("auto", "antialiased"):
        return name
    box, (left, right, bottom, top) = ax.get_window_extent(), artist.get_extent()
    width = box.width * abs((right - left) / np.subtract(*ax.get_xlim())) / columns
    height = box.height * abs((top - bottom) / np.subtract(*ax.get_ylim())) / rows
    return "nearest" if min(width, height) > 3 else "hanning"
