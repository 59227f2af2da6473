"""Rules for a heatmap of the table passed as the first argument: labkit's image rules, plus rules for labels."""

from __future__ import annotations

import numpy as np

from encoding_labs.tables import Table
from labkit.student.calls.figure_rules import draws_on_its_axes, follows, is_labelled
from labkit.student.calls.image_rules import (
    Scene,
    colours_centre_on_zero,
    colours_diverge,
    has_colorbar,
    is_not_smoothed,
    scene_of,
    scene_rule,
    shows_image,
)
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation


def table_of(observation: Observation) -> np.ndarray:
    """The table to draw, which is the first argument."""
    table = observation.args[0]
    return np.asarray(table.build() if isinstance(table, Table) else table, dtype=np.float64)


def picture_of(observation: Observation) -> Scene | None:
    """Find the picture of the table. Returns None unless there is exactly one picture and it shows the table."""
    return scene_of(observation, table_of(observation))


def first(pe, *_):
    """The values to draw, which are the first argument."""
    return pe


stands_upright = shows_image(first)
centres_on_zero = colours_centre_on_zero(first, usual=1.0)
shows_the_sign = colours_diverge(first)
invents_nothing = is_not_smoothed(first)


def _exchanged(scene: Scene) -> Finding | None:
    """Report axis labels that are swapped."""
    across, down = scene.drawing.xlabel.lower(), scene.drawing.ylabel.lower()
    if scene.orientation != "swapped" and "posi" in across and "dim" in down:
        return Finding("exchanged", {"xlabel": scene.drawing.xlabel, "ylabel": scene.drawing.ylabel})
    return None


tells_a_stranger = follows(
    scene_rule(first, lambda _: None),  # labels count only if the picture shows the table
    is_labelled("xlabel", "ylabel", "colorbar"),
    has_colorbar(first),
    scene_rule(first, _exchanged),
)

HEATMAP_RULES = (draws_on_its_axes, stands_upright, centres_on_zero, shows_the_sign, invents_nothing, tells_a_stranger)
