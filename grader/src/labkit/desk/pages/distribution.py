"""The distribution of a lab's scores: bars for a picture, and a description in words."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from labkit.desk.pages.render import points

BARS = 16  # maximum number of bars


@dataclass(frozen=True)
class Bar:
    """The number of scores from `low` up to but excluding `high`. The last bar includes both."""

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
        """Return a bar for each point or, if that is too many, for every few points. The last bar includes full points."""
        width = ceil((self.most + 1) / BARS)
        number = int(self.most // width) + 1
        counts = Counter(min(int(max(score, 0) // width), number - 1) for score in self.scores)
        return [Bar(each * width, min((each + 1) * width, self.most), counts[each]) for each in range(number)]

    def words(self) -> str:
        """Describe the picture in words."""
        number = len(self.scores)
        description = f"Median {points(self.median)} of {points(self.most)}"
        if number >= 4:
            low, _, high = statistics.quantiles(self.scores, n=4, method="inclusive")
            description += f"; the middle half is between {points(low)} and {points(high)}"
        everything, nothing = sum(score >= self.most for score in self.scores), sum(score <= 0 for score in self.scores)
        return f"{description}. Full scores: {everything} of {number}. Scores of 0: {nothing}."
