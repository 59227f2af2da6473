"""Statistics for the instructor: sections, and points for each exercise."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from labkit.desk.pages.discrimination import item_rest_correlations
from labkit.desk.pages.distribution import Distribution
from labkit.desk.people.final_score import EXCUSED, FinalScore
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED
from labkit.student.model.course import Course

ENOUGH = 30  # graded submissions that a lab needs before its discrimination is shown


@dataclass
class Section:
    """The students of one section in one lab."""

    students: int = 0
    submitted: int = 0
    scores: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float | None:
        return statistics.fmean(self.scores) if self.scores else None

    @property
    def median(self) -> float | None:
        return statistics.median(self.scores) if self.scores else None


@dataclass(frozen=True)
class Item:
    """The points for one exercise, out of `spread.most`, over all submissions in which it is graded."""

    lab: str
    exercise: str
    spread: Distribution
    waiting: int
    discrimination: float | None = None

    @property
    def full(self) -> int:
        return sum(points >= self.spread.most for points in self.spread.scores)

    @property
    def none(self) -> int:
        return sum(points <= 0 for points in self.spread.scores)

    @property
    def partial(self) -> int:
        return len(self.spread.scores) - self.full - self.none


class Statistics:
    """Collects statistics from every final score. A group's submission counts once, except in sections."""

    def __init__(self, course: Course):
        self.course = course
        self._sections: dict[tuple[str, str], Section] = defaultdict(Section)
        self._points: dict[str, list[Mapping[str, float]]] = defaultdict(list)  # by lab
        self._groups: set[tuple[str, str]] = set()  # groups already counted, by lab

    def add(self, final_score: FinalScore) -> None:
        lab, person = final_score.result.lab, final_score.person
        if lab not in self.course.names:
            return
        self._add_section(final_score, self._sections[lab, person.section if person else ""])
        group = (lab, person.group) if person and person.group else None
        if final_score.status != "graded" or final_score.result.status != "graded" or group in self._groups:
            return
        self._groups |= {group} if group else set()
        self._points[lab].append(final_score.by_exercise)

    def _add_section(self, final_score: FinalScore, section: Section) -> None:
        section.students += 1
        section.submitted += final_score.result.status != NOT_HANDED_IN
        if final_score.final is not None and final_score.status not in (NOT_JUDGED, NOT_HANDED_IN, EXCUSED):
            section.scores.append(final_score.final)

    def sections(self) -> list[tuple[str, str, Section]]:
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
            found = dict(zip(whole, item_rest_correlations([[row[name] for name in whole] for row in rows])))
        return [
            Item(
                lab,
                name,
                Distribution([row[name] for row in rows if name in row], most[lab, name]),
                len(rows) - graded[name],
                found.get(name),
            )
            for name in names
        ]
