"""The discovery in lab 02: a picture with fewer pixel lines than rows shows waves that the table doesn't have."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.heatmap.figures import SINE
from encoding_labs.tables import Table
from labkit.notebook import show
from labkit.student.notebook.language import translated as _

LONG = 4000  # positions of the long table
LINES = 544  # pixel lines of the picture, each for 7.35 positions
CORNER = 400, 4  # positions and dimensions in the upper left corner
WAVELENGTHS = 2 * np.pi * 10000.0 ** (np.arange(16) / 16)  # at d = 32


def stripes(draw_heatmap: Callable) -> None:
    """Show the student's heatmap of 4,000 positions, its corner enlarged, and column 0 as read line by line."""
    figure, ax = long_picture(draw_heatmap)
    T, d = CORNER
    places, pixels = pixels_of(figure, ax, T, d)
    ax.add_patch(plt.Rectangle((-0.5, -0.5), d, T, fill=False, ec="black", lw=2))
    corner, curve = figure.add_axes([0.61, 0.11, 0.15, 0.8]), figure.add_axes([0.81, 0.11, 0.17, 0.8])
    _draw_corner(corner, places, pixels)
    corner.set_title(_("Its corner, enlarged"))
    values = Table(LONG, 32).build()[rows_at(places), 0]
    curve.plot(values, places, ".-", color=SINE)
    curve.set(title=_("Column 0"), xlabel=_("value"), ylim=corner.get_ylim(), yticklabels=[], xticks=(-1, 0, 1))
    alt = _(
        "Left, the table for 4,000 positions and 32 dimensions, as your function draws it. A box marks positions 0 to 400 and "
        "dimensions 0 to 3. Middle, that corner with its pixels enlarged: {seen}. Right, the values of column 0 at these lines of "
        "pixels: {waves} waves between positions 0 and 400.",
        seen=_seen(pixels),
        waves=waves(values),
    )
    show(figure, alt=alt)


def waves(values: np.ndarray) -> int:
    """How often the values rise above 0."""
    return np.count_nonzero((values[:-1] <= 0) & (values[1:] > 0))


def _seen(pixels: np.ndarray) -> str:
    """Say how many waves of colour columns 0 and 2 show, from red to blue, if the colour changes at all."""
    tints = pixels[..., 0].astype(float) - pixels[..., 2]
    low, high = np.percentile(tints, (5, 95), axis=0)  # at an edge, smoothing adds a colour
    counts = [waves(tint) if apart > 51 else 0 for tint, apart in zip((tints - (low + high) / 2).T, high - low)]
    return _("{first} waves of colour in column 0, {other} in column 2", first=counts[0], other=counts[2])


def frames() -> None:
    """Show the hands of pairs 0 and 1 at eight consecutive pixel lines, like frames of a film."""
    figure, axes = plt.subplots(2, 1, figsize=(8.4, 2.9))
    around = np.linspace(0, 1, 60)
    for k, ax in enumerate(axes):
        turns = LONG / LINES / WAVELENGTHS[k]  # turns from one pixel line to the next
        seen = turns - round(turns)
        for line in range(8):
            hand = turns * line
            _arc(ax, line, around, 1, color="0.45", lw=1)
            _arc(ax, line, hand - seen * around * (line > 0), 0.62, color=SINE, lw=4, solid_capstyle="butt")
            for turned, style in (
                (hand - seen, {"color": "0.45", "ls": ":", "lw": 1.5}),
                (hand, {"color": "black", "lw": 3}),
            ):
                _arc(ax, line, np.array([turned, turned]) if line else np.zeros(2), np.array([0, 1]), **style)
        way = _("forwards") if seen > 0 else _("backwards")
        ax.set_title(
            _(
                "Pair {k} makes {turns:.2f} turns from one line of pixels to the next: you see {seen:.2f} {way}",
                k=k,
                turns=turns,
                seen=abs(seen),
                way=way,
            )
        )
        ax.set(xlim=(-1.1, 18.6), ylim=(-1.1, 1.1), aspect="equal")
        ax.axis("off")
    show(
        figure,
        alt=_(
            "Two rows of eight clocks, one for each of the first eight lines of pixels. Above, the hand of pair 0: from"
            " one clock to the next it makes 1.17 turns, and an arc marks the 0.17 that it seems to make, clockwise. "
            "Below, the hand of pair 1: it makes 0.66 of a turn clockwise, and an arc marks the 0.34 that it seems to "
            "make, anticlockwise."
        ),
    )


def _arc(ax: plt.Axes, clock: int, turned: np.ndarray, radius: float | np.ndarray, **style: object) -> None:
    """Draw a line on a clock. Its points have the angles `turned`, in turns clockwise from 12, and a radius up to 1."""
    angle = 2 * np.pi * turned
    ax.plot(2.5 * clock + radius * np.sin(angle), radius * np.cos(angle), **style)


def corners(draw_heatmap: Callable) -> None:
    """Show the same corner three times: from the table, from the sharp picture and from the smoothed picture."""
    (T, d), seen = CORNER, {}
    for name, smoothed in ((_("Sharp picture"), False), (_("Smoothed picture"), True)):
        long, ax = long_picture(draw_heatmap, smoothed)
        seen[name] = pixels_of(long, ax, T, d)
        plt.close(long)
    figure, (left, *others) = plt.subplots(1, 3, figsize=(9, 5.6), sharey=True)
    draw_heatmap(Table(LONG, 32).build()[:T, :d], left)
    for bar in [image.colorbar for image in left.images if image.colorbar]:
        bar.remove()  # matplotlib 3.8, the version in browsers, keeps a colour bar if only its Axes are removed
    for ax in set(figure.axes) - {left, *others}:
        ax.remove()
    left.set(aspect="auto", ylim=(T - 0.5, -0.5), title=_("The table itself"), xticks=range(d))
    left.grid(False)
    for ax, (name, (places, pixels)) in zip(others, seen.items()):
        _draw_corner(ax, places, pixels)
        ax.set(title=name, ylabel="")
    told = ". ".join(f"{name}: {_seen(pixels)}" for name, (_places, pixels) in seen.items())
    alt = _(
        "Positions 0 to 400 and dimensions 0 to 3 of one table, as your function draws them, three times. Left, the table itself, which "
        "has 64 waves in column 0 and 36 in column 2. Beside it, what the picture of 4,000 positions shows there. {told}.",
        told=told,
    )
    show(figure, alt=alt)


def long_picture(draw_heatmap: Callable, smoothed: bool = False) -> tuple[plt.Figure, plt.Axes]:
    """Draw the long table in exactly LINES pixel lines."""
    rows = 2 * plt.rcParams["figure.dpi"]  # `show` draws with twice the figure's dpi
    height = 1.25 * LINES / rows
    figure = plt.figure(figsize=(10, height), layout="none")
    ax = figure.add_axes([0.085, 0.11, 0.41, 0.8])
    draw_heatmap(Table(LONG, 32).build(), ax)
    ax.set(aspect="auto", title=_("4,000 positions"))
    ax.grid(False)
    for image in ax.images if smoothed else ():
        image.set(interpolation="hanning", interpolation_stage="data")
    return figure, ax


def pixels_of(figure: plt.Figure, ax: plt.Axes, T: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Read the screen pixels that show the first T positions and d dimensions.

    Returns the position of each pixel line, and an array of colours from 0 to 255, shape (lines, dimensions, 3).
    """
    dpi = figure.dpi
    figure.set_dpi(2 * dpi)
    figure.canvas.draw()
    screen = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    lines = np.arange(len(screen))
    to_data = ax.transData.inverted()
    places = to_data.transform(np.stack([0 * lines, len(screen) - lines - 0.5], axis=1))[:, 1]
    chosen = np.flatnonzero((places > -0.5) & (places < T - 0.5))
    chosen = chosen[np.argsort(places[chosen])]
    across = ax.transData.transform(np.stack([np.arange(d), np.zeros(d)], axis=1))[:, 0]
    found = places[chosen], screen[np.ix_(chosen, across.astype(int))].copy()
    figure.set_dpi(dpi)
    return found


def rows_at(places: np.ndarray) -> np.ndarray:
    """The rows of the table shown by pixel lines at these positions."""
    return np.clip(np.round(places).astype(int), 0, LONG - 1)


def _draw_corner(ax: plt.Axes, places: np.ndarray, pixels: np.ndarray) -> None:
    """Draw each pixel as a wide rectangle at its position."""
    half = (places[1] - places[0]) / 2
    ax.imshow(pixels, extent=(-0.5, pixels.shape[1] - 0.5, places[-1] + half, places[0] - half), aspect="auto")
    ax.set(xlabel=_("dimension"), ylabel=_("position"), ylim=(CORNER[0] - 0.5, -0.5), xticks=range(CORNER[1]))
    ax.grid(False)
