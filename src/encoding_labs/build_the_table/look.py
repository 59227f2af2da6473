"""Draw the figure that `look` shows for a table: the table, the speeds of its pairs, and its errors."""

from __future__ import annotations

import numpy as np

from labkit.student.judging.observation import Observation
from labkit.student.notebook.language import in_language


def draw_difference(observation: Observation, language: str = "en"):
    """Draw the table, the speeds and the errors side by side. Returns the figure and its alt text."""
    import matplotlib.pyplot as plt

    def _(text: str, **facts: object) -> str:
        return in_language(text, language, **facts)

    expected = observation.expected
    actual = np.nan_to_num(observation.actual.astype(np.float64), posinf=0, neginf=0)
    rule = observation.exercise.tolerance
    error = np.abs(actual - expected)
    wrong = error > rule.absolute + rule.per_position * np.arange(len(error))[:, None]
    own, asked = _speeds(actual), _speeds(expected)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 4.4))
    most = max(1.0, float(np.abs(actual).max()))
    shared = {"aspect": "auto", "interpolation": "nearest"}
    image = left.imshow(actual, cmap="RdBu_r", vmin=-most, vmax=most, **shared)
    figure.colorbar(image, ax=left, label=_("value")).ax.locator_params(nbins=4)
    middle.plot(asked, "-", color="0.5", lw=5, label=_("correct"))
    middle.plot(own, "o", label=_("yours"))
    middle.set(xlabel=_("pair k"), ylabel=_("radians per position"), title=_("How fast each pair turns"))
    middle.set_yscale("symlog", linthresh=float(asked[asked > 0].min(initial=1.0)))
    middle.legend()
    image = right.imshow(error, cmap="Greys", vmin=0, **shared)
    figure.colorbar(image, ax=right, label=_("size of the difference")).ax.locator_params(nbins=4)
    for ax, title in ((left, _("Your table")), (right, _("Where it differs"))):
        ax.set(xlabel=_("dimension"), ylabel=_("position"), title=title)
        ax.grid(False)
    words = _(
        "Three panels. Left: your table at {size} as a heatmap. Middle: the angle by which each of its pairs turns "
        "from position 0 to 1, next to the correct angles; they differ in {pairs} of {all} pairs. Right: the size of "
        "the difference in each cell; it is beyond the tolerance in {wrong} of {cells} cells, first in row {row}.",
        size=observation.actual.shape,
        pairs=int((np.abs(own - asked) > 1e-5 + 1e-3 * np.abs(asked)).sum()),
        all=len(own),
        wrong=int(wrong.sum()),
        cells=wrong.size,
        row=int(np.flatnonzero(wrong.any(axis=1))[0]) if wrong.any() else "–",
    )
    return figure, words


def _speeds(table: np.ndarray) -> np.ndarray:
    """The angle by which each pair turns from row 0 to row 1, in radians, whatever the pair's length."""
    hands = table[:2, 1::2] + 1j * table[:2, 0::2]
    return np.angle(hands[-1] * hands[0].conj())
