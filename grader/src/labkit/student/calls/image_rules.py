"""Rules for a picture of an array: orientation, axis readings, colours and colour bar.

The rules are independent, so a picture with one fault breaks only one of them. Each rule first looks for a picture of the
array; a picture of something else breaks them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from labkit.student.calls.axes import SHARP, Drawing, Image
from labkit.student.calls.figure_rules import Rule, Values, absent, agrees, rule, values_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation

HALF_CELL = 0.75  # tolerance for a cell's centre: cell p may span p - 1/2 .. p + 1/2 or p .. p + 1
SYMMETRIC = 1e-3  # tolerance, as a fraction of the distance between the limits
CONTRAST = 0.2  # minimum difference in brightness between the middle of a diverging map and each end
OFF_CENTRE = 0.02  # how far the colour of 0 may be from the palest or darkest colour of the map, in brightness
RIPPLE = 0.05  # how much brightness may go the wrong way between two neighbouring shades
NEUTRAL = 0.4  # maximum difference between red, green and blue in the middle; rainbow maps have at least 0.49
ENDS_DIFFER = 0.2  # minimum difference in red, green or blue between the two ends; with less, the sign is invisible


@dataclass(frozen=True)
class Scene:
    """A picture of the whole array, in one of eight orientations, with its axis readings."""

    values: np.ndarray  # (rows, columns), the array that the rule asks for
    drawing: Drawing
    image: Image
    orientation: str  # upright, rows (upside down), columns (mirrored), turned (both) or swapped (transposed)
    y: np.ndarray  # the y axis reading of each row of the picture, from the top
    x: np.ndarray  # the x axis reading of each column, from the left


def scene_of(observation: Observation, values: Values) -> Scene | None:
    """Find the picture of the array; None if the figure shows something else, or does not have exactly one picture."""
    drawing, asked = observation.actual, table_of(values, observation)
    if not isinstance(drawing, Drawing) or len(drawing.images) != 1:
        return None
    seen, y, x = drawing.seen(drawing.images[0])
    ways = {"upright": asked, "rows": asked[::-1], "columns": asked[:, ::-1], "turned": asked[::-1, ::-1]}
    orientation = next((name for name, way in ways.items() if agrees(seen, way, observation)), None)
    if orientation is None and any(agrees(seen, way.T, observation) for way in ways.values()):
        orientation = "swapped"
    return Scene(asked, drawing, drawing.images[0], orientation, y, x) if orientation else None


def table_of(values: Values, observation: Observation) -> np.ndarray:
    """The values as an array of rows and columns."""
    return np.atleast_2d(values_of(values, observation))


def scene_rule(values: Values, broken: Callable[[Scene], Finding | None]) -> Rule:
    """Make a rule from a function that finds what is wrong with a picture of these values."""

    def look(observation: Observation, drawing: Drawing) -> Finding | None:
        scene = scene_of(observation, values)
        return broken(scene) if scene else _no_scene(drawing, table_of(values, observation))

    return rule(look)


def _no_scene(drawing: Drawing, asked: np.ndarray) -> Finding:
    if not drawing.images:
        return absent(drawing, Finding("no-image"))
    if len(drawing.images) > 1:
        return Finding("many-images", {"count": len(drawing.images)})
    rows, columns = drawing.seen(drawing.images[0])[0].shape[:2]
    facts = {"rows": rows, "columns": columns, "asked_rows": asked.shape[0], "asked_columns": asked.shape[1]}
    return Finding("other-image", facts)


def shows_image(values: Values) -> Rule:
    """Require one picture of the array, with row 0 on top and column 0 on the left, and axes that count both from 0."""
    return scene_rule(values, _not_upright)


def _not_upright(scene: Scene) -> Finding | None:
    rows, columns = scene.values.shape
    match scene.orientation:
        case "swapped":
            return Finding("image-swapped")
        case "rows" | "turned":
            return Finding("image-upside-down", {"last": rows - 1})
        case "columns":
            return Finding("image-mirrored", {"right": columns - 1})
    if np.abs(scene.y - np.arange(rows)).max() > HALF_CELL or np.abs(scene.x - np.arange(columns)).max() > HALF_CELL:
        reads = {"y": scene.y[0], "x": scene.x[0], "y_last": scene.y[-1], "x_last": scene.x[-1]}
        return Finding("image-numbers", reads)
    return None


def colours_centre_on_zero(values: Values, usual: float = 0.0) -> Rule:
    """Require colour limits that are symmetric about 0 and include all values.

    The upper limit may be at most twice the largest value, or twice `usual` if that is larger.
    """
    return scene_rule(values, lambda scene: _off_zero(scene, usual))


def _off_zero(scene: Scene, usual: float) -> Finding | None:
    (low, high), largest = scene.image.limits, float(np.abs(scene.values).max())
    if not symmetric(scene.image):
        return Finding("colour-limits", {"low": low, "high": high})
    climb = _climb(scene.image)
    if climb.max() - climb[climb.size // 2] > OFF_CENTRE and diverging(scene.image):
        return Finding("colours-off-centre")
    if high < largest * (1 - SYMMETRIC):
        return Finding("colours-clipped", {"high": high, "largest": largest})
    if high > 2 * max(usual, largest):
        return Finding("colours-washed-out", {"high": high, "largest": largest})
    return None


def symmetric(image: Image) -> bool:
    """Whether the colour limits are symmetric about 0."""
    low, high = image.limits
    return low < high and abs(low + high) <= SYMMETRIC * (high - low)


def _climb(image: Image) -> np.ndarray:
    """Brightness along the colour map, negated if the middle is dark, so that it rises to the middle and falls again."""
    brightness = image.brightness
    return brightness * (1 if brightness[len(brightness) // 2] > (brightness[0] + brightness[-1]) / 2 else -1)


def colours_diverge(values: Values) -> Rule:
    """Require a colour map with a neutral middle and two ends of different hues, so that the sign is visible."""
    return scene_rule(values, lambda scene: None if diverging(scene.image) else Finding("colour-map"))


def diverging(image: Image) -> bool:
    """Whether the colour map is brightest or darkest at a neutral middle, and its two ends differ in hue."""
    middle, climb = image.colours.shape[0] // 2, _climb(image)
    red_green_blue = image.colours[:, :3]
    return bool(
        climb[middle] - max(climb[0], climb[-1]) >= CONTRAST
        and np.diff(climb[: middle + 1]).min() >= -RIPPLE
        and np.diff(climb[middle:]).max() <= RIPPLE
        and np.ptp(red_green_blue[middle]) <= NEUTRAL
        and np.abs(red_green_blue[0] - red_green_blue[-1]).max() >= ENDS_DIFFER
    )


def is_not_smoothed(values: Values) -> Rule:
    """Require one uniform colour in each cell."""
    return scene_rule(values, _smoothed)


def _smoothed(scene: Scene) -> Finding | None:
    interpolation = scene.image.interpolation
    return None if interpolation in SHARP else Finding("image-smoothed", {"interpolation": interpolation})


def has_colorbar(values: Values) -> Rule:
    """Require exactly one colour bar, which belongs to the picture."""
    return scene_rule(values, _unexplained)


def _unexplained(scene: Scene) -> Finding | None:
    if not scene.drawing.colorbars:
        return absent(scene.drawing, Finding("missing-parts", {"missing": [Finding("part-colorbar")]}))
    if not scene.image.bars:
        return Finding("other-colorbar")
    return Finding("many-colorbars", {"count": scene.drawing.colorbars}) if scene.drawing.colorbars > 1 else None
