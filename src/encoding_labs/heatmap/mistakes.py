"""Recognize mistakes in lab 02's figures by what is drawn on the Axes, not by pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.heatmap.curves import curve, curves_of
from encoding_labs.heatmap.pictures import picture_of, table_of
from labkit.student.calls.axes import SHADES, SHARP, Drawing
from labkit.student.calls.figure_rules import missing_parts, runs_through
from labkit.student.calls.image_rules import HALF_CELL, Scene, diverging, symmetric
from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation

ROUNDING = 1e-6  # of float32 values
# The middle colour of the maps that students choose most often; the first is matplotlib's default.
MAPS = {
    "viridis": (0.128, 0.567, 0.551),
    "plasma": (0.798, 0.280, 0.470),
    "inferno": (0.736, 0.216, 0.330),
    "magma": (0.716, 0.215, 0.475),
    "cividis": (0.489, 0.485, 0.471),
    "gray": (0.502, 0.502, 0.502),
    "jet": (0.490, 1.000, 0.478),
}


def scenes(observations: Sequence[Observation]) -> Iterator[Scene]:
    """Yield the pictures that show the table, in any orientation."""
    return filter(None, map(picture_of, observations))


@mistake("low-precision", "read_a_figure")
def _rounded(observations):
    """All entries are right, but rounded to one and the same number of decimals, or stored in float16."""
    arrays = [(each.actual, np.asarray(each.expected)) for each in observations]
    if not all(isinstance(seen, np.ndarray) and seen.shape == right.shape for seen, right in arrays):
        return None
    rounders = [lambda right, digits=digits: np.round(right, digits) for digits in range(1, 6)]
    for rounder in (*rounders, np.float16):
        if all(np.abs(seen - rounder(right).astype(np.float64)).max() < ROUNDING for seen, right in arrays):
            seen, right = arrays[0]
            row, column = np.unravel_index(np.argmax(np.abs(seen - right)), right.shape)
            return {"row": int(row), "column": int(column), "seen": float(seen[row, column])}
    return None


@mistake("axes-swapped", "draw_heatmap")
def _axes_swapped(observations):
    for scene in scenes(observations):
        if scene.orientation == "swapped":
            T, d = scene.values.shape
            return {"T": T, "d": d, "rows": scene.y.size, "columns": scene.x.size}
    return None


@mistake("axes-swapped", "draw_columns")
def _rows_or_exchanged(observations):
    for observation in observations:
        if not isinstance(observation.actual, Drawing):
            continue
        table = table_of(observation)
        T, d = table.shape
        for chosen in observation.args[1]:
            if curve(observation, chosen):
                continue
            ways = [(table[:, chosen], np.arange(T))]  # x and y exchanged
            ways += [(np.arange(d), table[chosen])] if chosen < T else []  # a row in place of the column
            for line in (*curves_of(observation), *observation.actual.lines):
                if any(runs_through(line, *way, observation) for way in ways):
                    return {"chosen": chosen, "points": line.x.size, "T": T}
    return None


@mistake("positions-from-one", "draw_columns")
def _positions_from_one(observations):
    for observation in observations:
        if not isinstance(observation.actual, Drawing):
            continue
        table = table_of(observation)
        later = np.arange(1, len(table) + 1)
        for chosen in observation.args[1]:
            if any(runs_through(line, later, table[:, chosen], observation) for line in observation.actual.lines):
                return {"chosen": chosen, "last": len(table)}
    return None


@mistake("origin-flipped", "draw_heatmap")
def _origin_flipped(observations):
    for scene in scenes(observations):
        T = scene.values.shape[0]
        upside_down = scene.orientation in ("rows", "turned")
        counts_upward = T > 1 and scene.orientation == "upright" and _counts_from_the_bottom(scene.y)
        if upside_down or counts_upward:
            return {"row": T - 1 if upside_down else 0, "reading": scene.y[0]}
    return None


def _counts_from_the_bottom(readings: np.ndarray) -> bool:
    """Whether the y axis reads 0 at the lowest row, because the extent does not match the picture."""
    return bool(np.abs(readings[::-1] - np.arange(readings.size)).max() <= HALF_CELL)


@mistake("asymmetric-limits", "draw_heatmap")
def _asymmetric_limits(observations):
    for scene in scenes(observations):
        low, high = scene.image.limits
        if low < high and not symmetric(scene.image):
            return {"T": scene.values.shape[0], "low": low, "high": high, "middle": (low + high) / 2}
    return None


@mistake("sequential-colormap", "draw_heatmap")
def _sequential_colormap(observations):
    for scene in scenes(observations):
        if not diverging(scene.image):
            low, middle, high = scene.image.brightness[[0, SHADES // 2, -1]]
            return None if _map_of(scene) else {"low": low, "middle": middle, "high": high}
    return None


@mistake("sequential-colormap/known", "draw_heatmap")
def _a_known_colormap(observations):
    wrong = (scene for scene in scenes(observations) if not diverging(scene.image))
    first = next(wrong, None)
    return {"name": _map_of(first)} if first and _map_of(first) else None


def _map_of(scene: Scene) -> str | None:
    """The name of matplotlib's colour map that has this colour in the middle."""
    middle = scene.image.colours[SHADES // 2, :3]
    return next((name for name, colour in MAPS.items() if np.abs(middle - colour).max() < 0.01), None)


@mistake("smoothed", "draw_heatmap")
def _smoothed(observations):
    for scene in scenes(observations):
        if scene.image.interpolation not in SHARP:
            return {"T": scene.values.shape[0], "name": scene.image.interpolation}
    return None


@mistake("unlabelled", "draw_heatmap")
def _unlabelled(observations):
    here = (scene.drawing for scene in scenes(observations) if not scene.drawing.elsewhere)
    missing = [missing_parts(drawing, "xlabel", "ylabel", "colorbar") for drawing in here]
    return {"missing": missing[0]} if missing and missing[0] else None


@mistake("unlabelled", "draw_columns")
def _unlabelled_lines(observations):
    drawings = [observation.actual for observation in observations if isinstance(observation.actual, Drawing)]
    missing = [
        missing_parts(drawing, "xlabel", "ylabel", "legend")
        for drawing in drawings
        if drawing.lines and not drawing.elsewhere
    ]
    return {"missing": missing[0]} if missing and missing[0] else None
