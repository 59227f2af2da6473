"""Statistics for the instructor: the distribution of scores, sections, and points for each exercise with their discrimination.

Discrimination is the corrected item-total correlation of classical test theory: Pearson's r between the points for an exercise
and those for the rest of the lab (Crocker and Algina, Introduction to Classical and Modern Test Theory, 1986).
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from labkit.desk.people.final_score import EXCUSED, FinalScore
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED
from labkit.student.model.course import Course

BARS = 16  # maximum number of bars in a picture
ENOUGH = 30  # graded submissions that a lab needs before its discrimination is shown
SMALL = 9  # decimals of points; smaller differences are rounding errors


@dataclass(frozen=True)
class Bar:
    """The number of scores from `low` up to but excluding `high`. The last bar includes both."""

    low: float
    high: float
    count: int


@dataclass
class Scores:
    """Scores out of `most` points. In a lab they are final scores, with the statuses of all submissions."""

    scores: list[float] = field(default_factory=list)
    most: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)

    def add(self, final_score: FinalScore) -> None:
        self.statuses[final_score.result.status] += 1
        self.most = max(self.most, final_score.max_score)
        if counts(final_score):
            self.scores.append(final_score.final)

    @property
    def submitted(self) -> int:
        return self.statuses.total() - self.statuses[NOT_HANDED_IN]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.scores)

    @property
    def median(self) -> float:
        return statistics.median(self.scores)

    def bars(self) -> list[Bar]:
        """Return a bar for each point or, if that is too many, for every few points. The last bar includes full points."""
        width = ceil((self.most + 1) / BARS)
        number = int(self.most // width) + 1
        counts = Counter(min(int(max(score, 0) // width), number - 1) for score in self.scores)
        return [Bar(each * width, min((each + 1) * width, self.most), counts[each]) for each in range(number)]

    def middle_half(self) -> tuple[float, float] | None:
        """The first and third quartile; None for fewer than four scores."""
        if len(self.scores) < 4:
            return None
        low, _, high = statistics.quantiles(self.scores, n=4, method="inclusive")
        return low, high

    @property
    def full(self) -> int:
        return sum(score >= self.most for score in self.scores)

    @property
    def none(self) -> int:
        return sum(score <= 0 for score in self.scores)


def counts(final_score: FinalScore) -> bool:
    """Whether there is a score to count."""
    return final_score.status not in (NOT_JUDGED, NOT_HANDED_IN, EXCUSED)


@dataclass(frozen=True)
class Item:
    """The points for one exercise, over all submissions in which it is graded."""

    lab: str
    exercise: str
    points: Scores
    waiting: int
    discrimination: float | None


class Statistics:
    """Collects statistics from every final score. A group's submission counts once, except in sections."""

    def __init__(self, course: Course):
        self.course = course
        self._sections: dict[tuple[str, str], Scores] = defaultdict(Scores)
        self._points: dict[str, list[Mapping[str, float]]] = defaultdict(list)  # by lab
        self._groups: set[tuple[str, str]] = set()  # groups already counted, by lab

    def add(self, final_score: FinalScore) -> None:
        lab, person = final_score.result.lab, final_score.profile
        if lab not in self.course.names:
            return
        self._sections[lab, person.section].add(final_score)
        group = (lab, person.group) if person.group else None
        if final_score.status != "graded" or final_score.result.status != "graded" or group in self._groups:
            return
        self._groups |= {group} if group else set()
        self._points[lab].append(final_score.by_exercise)

    def sections(self) -> list[tuple[str, str, Scores]]:
        """The sections by lab and name; empty if the roster has none."""
        if not any(name for _, name in self._sections):
            return []
        order = sorted(self._sections, key=lambda key: (self.course.names.index(key[0]), key[1]))
        return [(lab, name, self._sections[lab, name]) for lab, name in order]

    def items(self, most: Mapping[tuple[str, str], float]) -> list[Item]:
        """The statistics of each exercise that has points, in lab order. `most` has the maximum points by lab and exercise."""
        return [item for lab in self.course.names if lab in self._points for item in self._items_of(lab, most)]

    def _items_of(self, lab: str, most: Mapping[tuple[str, str], float]) -> list[Item]:
        rows = self._points[lab]
        names = [each.name for each in self.course.labs[lab].exercises if most.get((lab, each.name))]
        graded = Counter(name for row in rows for name in row)
        whole = [name for name in names if graded[name] == len(rows)]
        found: dict[str, float | None] = {}
        if len(rows) >= ENOUGH and whole:
            table = [[row[name] for name in whole] for row in rows]
            found = {name: item_rest_correlation(table, place) for place, name in enumerate(whole)}
        points = {name: Scores([row[name] for row in rows if name in row], most[lab, name]) for name in names}
        return [Item(lab, name, points[name], len(rows) - graded[name], found.get(name)) for name in names]


def item_rest_correlation(table: Sequence[Sequence[float]], place: int) -> float | None:
    """Compute a correlation from -1 to 1 for the exercise in one column. The table has a row of points for each submission.

    It is None if everyone has the same points for the exercise or for the rest of the lab, because it is then undefined.
    """
    item = [round(row[place], SMALL) for row in table]
    rest = [round(sum(row) - row[place], SMALL) for row in table]
    try:
        return statistics.correlation(item, rest)
    except statistics.StatisticsError:
        return None
