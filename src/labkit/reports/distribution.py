"""How the scores of a lab are spread: bars for a picture, and the same in words."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from labkit.reports.pages import points

BARS = 12  # at most


@dataclass(frozen=True)
class Bar:
    """How many scores lie from `low` up to, not including, `high`; the last bar includes it."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Distribution:
    """Scores out of `most` points."""

    scores: Sequence[float]
    most: float

    @property
    def median(self) -> float:
        return statistics.median(self.scores)

    def bars(self) -> list[Bar]:
        """A bar for each point where there are few, each as wide as another."""
        width = max(1, -(-self.most // BARS)) if self.most else 1
        number = max(1, int(-(-self.most // width)))
        counts = Counter(min(int(score // width), number - 1) for score in self.scores)
        return [Bar(each * width, min((each + 1) * width, self.most), counts[each]) for each in range(number)]

    def words(self) -> str:
        """What the picture shows."""
        number = len(self.scores)
        nothing = sum(score <= 0 for score in self.scores)
        everything = sum(score >= self.most for score in self.scores)
        said = f"Median {points(self.median)} of {points(self.most)}"
        if number >= 4:
            low, _, high = statistics.quantiles(self.scores, n=4, method="inclusive")
            said += f"; the middle half lies between {points(low)} and {points(high)}"
        return f"{said}. {everything} of {number} have every point, {nothing} have none."
