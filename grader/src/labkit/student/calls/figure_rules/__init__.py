"""Rules for figures. A check in the notebook combines them: `follows(shows_line(...), is_labelled())`. Each graded test uses one rule.

A rule takes an Observation of an exercise of kind `figure`. It returns a Finding, or None if the figure follows the rule. Rules
read the lines, images, labels, scales, legends and colour bars of the Axes (`labkit.student.calls.axes`), never pixels.
"""

from labkit.student.calls.figure_rules.images import (
    colours_centre_on_zero,
    colours_diverge,
    has_colorbar,
    is_not_smoothed,
    shows_image,
)
from labkit.student.calls.figure_rules.lines import shows_line, shows_lines
from labkit.student.calls.figure_rules.parts import draws_on_its_axes, has_scale, is_labelled
from labkit.student.calls.figure_rules.rule import follows

__all__ = [
    "colours_centre_on_zero",
    "colours_diverge",
    "draws_on_its_axes",
    "follows",
    "has_colorbar",
    "has_scale",
    "is_labelled",
    "is_not_smoothed",
    "shows_image",
    "shows_line",
    "shows_lines",
]
