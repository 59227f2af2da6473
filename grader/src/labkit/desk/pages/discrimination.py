"""Item discrimination: the correlation between the points for an exercise and the points for the rest of the lab.

This is the corrected item-total correlation of classical test theory: Pearson's r between an item and the sum of all others
(Crocker and Algina, Introduction to Classical and Modern Test Theory, 1986).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

SMALL = 1e-9  # points; a smaller standard deviation is a rounding error


def item_rest_correlations(points: ArrayLike) -> list[float | None]:
    """Compute a correlation from -1 to 1 for each column of `points`, which has shape (submissions, exercises).

    It is None if everyone has the same points for the exercise or for the rest of the lab, because it is then undefined.
    """
    table = np.asarray(points, dtype=float)
    if len(table) < 2:
        return [None] * table.shape[1]
    rest = table.sum(axis=1, keepdims=True) - table
    items, rests = table - table.mean(axis=0), rest - rest.mean(axis=0)
    widths = np.sqrt((items**2).mean(axis=0)), np.sqrt((rests**2).mean(axis=0))
    shared = (items * rests).mean(axis=0)
    return [
        float(np.clip(both / (one * other), -1, 1)) if min(one, other) > SMALL else None
        for both, one, other in zip(shared, *widths, strict=True)
    ]
