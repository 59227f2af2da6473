"""Rules for a picture of an array: where a reader sees which value, in which colours, and what explains these.

The rules are independent, so that a picture with one fault breaks one of them. Each asks for the picture of the array first: a picture of
something else breaks them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from labkit.calls.axes import SHARP, Drawing, Image
from labkit.calls.figure_rules.rule import Rule, Values, absent, agrees, rule, values_of
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation

HALF_CELL = 0.75  # whether cell p spans p - 1/2 .. p + 1/2 or p .. p + 1, its centre reads p to within this
SYMMETRIC = 1e-3  # of the distance between the limits
CONTRAST = 0.2  # of the middle of a diverging map with both of its ends, in brightness
OFF_CENTRE = 0.02  # by how much the colour of 0 may be darker than the palest of the map, or paler than the darkest
RIPPLE = 0.05  # by how much brightness may go the wrong way between two neighbouring shades
NEUTRAL = 0.4  # the most that red, green and blue may differ in the middle; the rainbows have 0.49 and more
ENDS_DIFFER = 0.2  # the least that red, green or blue has to differ between the ends, or the sign cannot be seen


@dataclass(frozen=True)
class Scene:
    """A picture that shows the whole array, in one of eight orientations, and what a reader sees of it."""

    values: np.ndarray  # (rows, columns), as asked for
    drawing: Drawing
    image: Image
    orientation: str  # upright, rows (upside down), columns (mirrored), turned (both) or swapped (transposed)
    y: np.ndarray  # the y axis at each row of the picture, from the top
    x: np.ndarray  # the x axis at each column, from the left


def scene_of(observation: Observation, values: Values) -> Scene | None:
    """The picture of the array, or None when there is not just one picture, or it shows something else."""
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
    """The values as rows and columns."""
    return np.atleast_2d(values_of(values, observation))


def scene_rule(values: Values, broken: Callable[[Scene], Finding | None]) -> Rule:
    """A rule from a function that says what is wrong with a picture of these values."""

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
    """One picture shows the array: row 0 on top, column 0 on the left, and the axes count both from 0."""
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
    """The colour limits are symmetric about 0, hold all values, and reach twice the largest, or twice the usual one, at most."""
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
    """Whether the colour limits lie symmetrically about 0."""
    low, high = image.limits
    return low < high and abs(low + high) <= SYMMETRIC * (high - low)


def _climb(image: Image) -> np.ndarray:
    """Brightness, or darkness where the middle is the dark part: it rises to the neutral colour and falls again."""
    brightness = image.brightness
    return brightness * (1 if brightness[len(brightness) // 2] > (brightness[0] + brightness[-1]) / 2 else -1)


def colours_diverge(values: Values) -> Rule:
    """The colour map has a neutral middle and ends of two hues, so that a reader sees the sign."""
    return scene_rule(values, lambda scene: None if diverging(scene.image) else Finding("colour-map"))


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


def is_not_smoothed(values: Values) -> Rule:
    """Every cell has the one colour of its value."""
    return scene_rule(values, _smoothed)


def _smoothed(scene: Scene) -> Finding | None:
    interpolation = scene.image.interpolation
    return None if interpolation in SHARP else Finding("image-smoothed", {"interpolation": interpolation})


def has_colorbar(values: Values) -> Rule:
    """One colour bar says which colour is which value."""
    return scene_rule(values, _unexplained)


def _unexplained(scene: Scene) -> Finding | None:
    if not scene.drawing.colorbars:
        return absent(scene.drawing, Finding("missing-parts", {"missing": [Finding("part-colorbar")]}))
    if not scene.image.bars:
        return Finding("other-colorbar")
    return Finding("many-colorbars", {"count": scene.drawing.colorbars}) if scene.drawing.colorbars > 1 else None
