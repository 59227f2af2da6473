"""Rules for a picture of a table: where a reader sees which value, in which colours, and what tells the reader so.

A rule takes an observation of a figure, and gives a Finding, or None when the picture follows it. The rules are small and
independent, so that a picture with one fault breaks one of them. None of them is of any worth without the table itself: a
picture of something else breaks them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from encoding_labs.tables import Table
from labkit.calls.axes import SHARP, Drawing, Image
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation

SAME = 1e-6  # values are drawn as they are given; this allows for float32
HALF_CELL = 0.75  # whether cell p spans p - 1/2 .. p + 1/2 or p .. p + 1, its centre reads p to within this
SYMMETRIC = 1e-3  # of the distance between the limits
CONTRAST = 0.2  # of the middle of a diverging map with both of its ends, in brightness
OFF_CENTRE = 0.02  # by how much the colour of 0 may be darker than the palest of the map, or paler than the darkest
RIPPLE = 0.05  # by how much brightness may go the wrong way between two neighbouring shades
NEUTRAL = 0.4  # the most that red, green and blue may differ in the middle; the rainbows have 0.49 and more
ENDS_DIFFER = 0.2  # the least that red, green or blue has to differ between the ends, or the sign cannot be seen


@dataclass(frozen=True)
class Scene:
    """A picture that holds the whole table, in one of eight orientations, and what a reader sees of it."""

    table: np.ndarray  # (T, d)
    drawing: Drawing
    image: Image
    orientation: str  # upright, rows (upside down), columns (mirrored), turned (both) or swapped (transposed)
    y: np.ndarray  # the y axis at each row of the picture, from the top
    x: np.ndarray  # the x axis at each column, from the left


def table_of(observation: Observation) -> np.ndarray:
    """The table that was to be drawn, the first argument."""
    table = observation.args[0]
    return np.asarray(table.build() if isinstance(table, Table) else table, dtype=np.float64)


def scene_of(observation: Observation) -> Scene | None:
    """The picture of the table, or None when there is not just one picture, or it holds something else."""
    drawing, table = observation.actual, table_of(observation)
    if not isinstance(drawing, Drawing) or len(drawing.images) != 1:
        return None
    values, y, x = drawing.seen(drawing.images[0])
    orientation = _orientation(values, table)
    return orientation and Scene(table, drawing, drawing.images[0], orientation, y, x)


def _orientation(values: np.ndarray, table: np.ndarray) -> str | None:
    ways = {"upright": table, "rows": table[::-1], "columns": table[:, ::-1], "turned": table[::-1, ::-1]}
    for name, way in ways.items():
        if _same(values, way):
            return name
    return "swapped" if any(_same(values, way.T) for way in ways.values()) else None


def _same(values: np.ndarray, table: np.ndarray) -> bool:
    return values.shape == table.shape and bool((np.abs(values - table) <= SAME).all())


def rule(broken: Callable[[Scene], Finding | None]) -> Callable[[Observation], Finding | None]:
    """Make a rule of a function that says what is wrong with a scene."""

    def judged(observation: Observation) -> Finding | None:
        scene = scene_of(observation)
        return broken(scene) if scene else _no_scene(observation)

    judged.__name__, judged.__doc__ = broken.__name__, broken.__doc__
    return judged


def _no_scene(observation: Observation) -> Finding:
    drawing, table = observation.actual, table_of(observation)
    if not isinstance(drawing, Drawing) or not drawing.images:
        return Finding("none")
    if len(drawing.images) > 1:
        return Finding("many", {"count": len(drawing.images)})
    rows, columns = drawing.seen(drawing.images[0])[0].shape[:2]
    return Finding("other", {"rows": rows, "columns": columns, "T": table.shape[0], "d": table.shape[1]})


@rule
def stands_upright(scene: Scene):
    """Positions are rows, position 0 on top, dimension 0 on the left, and the axes count both from 0."""
    T, d = scene.table.shape
    if scene.orientation == "swapped":
        return Finding("swapped")
    if scene.orientation in ("rows", "turned"):
        return Finding("rows", {"last": T - 1})
    if scene.orientation == "columns":
        return Finding("columns", {"right": d - 1})
    if np.abs(scene.y - np.arange(T)).max() > HALF_CELL or np.abs(scene.x - np.arange(d)).max() > HALF_CELL:
        reads = {"y": scene.y[0], "x": scene.x[0], "y_last": scene.y[-1], "x_last": scene.x[-1]}
        return Finding("numbers", reads)
    return None


def symmetric(image: Image) -> bool:
    """Whether the colour limits lie symmetrically about 0."""
    low, high = image.limits
    return low < high and abs(low + high) <= SYMMETRIC * (high - low)


@rule
def centres_on_zero(scene: Scene):
    """The colour limits are symmetric about 0 and fit the values."""
    (low, high), largest = scene.image.limits, float(np.abs(scene.table).max())
    if not symmetric(scene.image):
        return Finding("limits", {"low": low, "high": high})
    climb = _climb(scene.image)
    if climb.max() - climb[climb.size // 2] > OFF_CENTRE and diverging(scene.image):
        return Finding("off-centre")
    if high < largest * (1 - SYMMETRIC):
        return Finding("clipped", {"high": high, "largest": largest})
    if high > 2 * max(1.0, largest):
        return Finding("washed", {"high": high})
    return None


def _climb(image: Image) -> np.ndarray:
    """Brightness, or darkness where the middle is the dark part: it rises to the neutral colour and falls again."""
    brightness = image.brightness
    return brightness * (1 if brightness[len(brightness) // 2] > (brightness[0] + brightness[-1]) / 2 else -1)


def diverging(image: Image) -> bool:
    """Whether brightness has its extreme at a neutral middle, and the two ends differ in hue."""
    middle, climb = image.colours.shape[0] // 2, _climb(image)
    red_green_blue = image.colours[:, :3]
    return bool(
        climb[middle] - max(climb[0], climb[-1]) >= CONTRAST
        and np.diff(climb[: middle + 1]).min() >= -RIPPLE
        and np.diff(climb[middle:]).max() <= RIPPLE
        and np.ptp(red_green_blue[middle]) <= NEUTRAL
        and np.abs(red_green_blue[0] - red_green_blue[-1]).max() >= ENDS_DIFFER
    )


@rule
def shows_the_sign(scene: Scene):
    """The colour map is a diverging one."""
    return None if diverging(scene.image) else Finding("map")


@rule
def invents_nothing(scene: Scene):
    """Every cell has the one colour of its value."""
    interpolation = scene.image.interpolation
    return None if interpolation in SHARP else Finding("smooth", {"interpolation": interpolation})


def missing_labels(drawing: Drawing, colorbar: bool = False, legend: bool = False) -> list[Finding]:
    """What a new reader would miss."""
    there = {"xlabel": _says_something(drawing.xlabel), "ylabel": _says_something(drawing.ylabel)}
    there |= {"colorbar": drawing.colorbars} if colorbar else {}
    there |= {"legend": drawing.legend} if legend else {}
    return [Finding(f"no-{name}") for name, value in there.items() if not value]


def _says_something(label: str) -> bool:
    return any(character.isalnum() for character in label)


@rule
def tells_a_stranger(scene: Scene):
    """Both axes have a label, and one colour bar says which colour is which value."""
    drawing = scene.drawing
    missing = missing_labels(drawing, colorbar=True)
    if missing:
        return Finding("labels", {"missing": missing})
    if not scene.image.bars:
        return Finding("other-bar")
    if drawing.colorbars > 1:
        return Finding("bars", {"count": drawing.colorbars})
    across, down = drawing.xlabel.lower(), drawing.ylabel.lower()
    if scene.orientation != "swapped" and "posi" in across and "dim" in down:
        return Finding("exchanged", {"xlabel": drawing.xlabel, "ylabel": drawing.ylabel})
    return None


def stays_on_its_axes(observation: Observation) -> Finding | None:
    """Nothing is drawn but on the Axes that was handed in, and a colour bar beside it."""
    drawing = observation.actual
    return Finding("elsewhere") if isinstance(drawing, Drawing) and drawing.elsewhere else None


HEATMAP_RULES = (stays_on_its_axes, stands_upright, centres_on_zero, shows_the_sign, invents_nothing, tells_a_stranger)


def first_broken(observation: Observation, rules: tuple = HEATMAP_RULES) -> Finding | None:
    """The judge of a figure: what the first broken rule says."""
    return next(filter(None, (each(observation) for each in rules)), None)
