"""Collect the content of the class report from every final score."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from labkit.desk.pages.answers import Codes
from labkit.desk.pages.distribution import Distribution
from labkit.desk.pages.mistakes import Mistakes
from labkit.desk.pages.odd import MOST_ODD, Odd, answers_of, reasons
from labkit.desk.people.final_score import EXCUSED, FinalScore, Person
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED, all_passed
from labkit.student.model.course import Course


@dataclass
class LabTally:
    """One lab: its scores and statuses."""

    scores: list[float] = field(default_factory=list)
    most: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    waiting: int = 0  # ungraded written answers

    def spread(self) -> Distribution:
        return Distribution(self.scores, self.most)

    @property
    def handed_in(self) -> int:
        return self.statuses.total() - self.statuses[NOT_HANDED_IN]

    def odd(self) -> list[str]:
        """Count the statuses other than graded."""
        return [f"{n} {status.replace('_', ' ')}" for status, n in self.statuses.items() if n and status != "graded"]


@dataclass
class ExerciseTally:
    """The number of answers to one exercise, and their points."""

    lab: str
    points: float = 0.0
    of: float = 0.0
    count: int = 0
    right: int = 0  # answers with all points or, in an exercise without points, with all checks passed
    missing: int = 0
    waiting: int = 0  # ungraded answers, which are not counted in any other field

    @property
    def is_whole(self) -> bool:
        """Whether the numbers are complete: there are answers, and all are graded."""
        return bool(self.count) and not self.waiting


@dataclass
class StudentRow:
    """A student, and for each lab the final score, the maximum, the ungraded points and the status."""

    id: str
    name: str
    section: str
    email: str = ""
    labs: dict[str, tuple[float | None, float, float, str]] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(points or 0 for points, *_ in self.labs.values())

    @property
    def waiting(self) -> float:
        return sum(waiting for _, _, waiting, _ in self.labs.values())


class Tally:
    def __init__(self, course: Course):
        self.course = course
        self.labs: dict[str, LabTally] = defaultdict(LabTally)
        self.exercises: dict[tuple[str, str], ExerciseTally] = {}
        self.codes = Codes()
        self.mistakes = Mistakes(self.codes)
        self.odd: list[Odd] = []
        self.odd_left_out = 0
        self.students: list[StudentRow] = []
        self.submissions = 0

    def add(self, final_score: FinalScore) -> None:
        result = final_score.result
        self.submissions += result.status != NOT_HANDED_IN
        known = result.lab in self.course.names
        if known:
            self._add_lab(final_score)
        row = self._row(final_score)
        number = len(self.students) - 1
        self.mistakes.add(result, number)
        for what, why in reasons(final_score):
            if len(self.odd) < MOST_ODD:
                answers = [*answers_of(result, self.codes)]
                self.odd.append(Odd(result.student, result.lab, what, why, number, answers))
            else:
                self.odd_left_out += 1
        row.labs[result.lab if known else ""] = (
            final_score.final,
            final_score.max_score,
            final_score.to_read,
            final_score.status,
        )

    def _row(self, final_score: FinalScore) -> StudentRow:
        """The student's row. Final scores must be sorted by student."""
        person, id = final_score.person or Person(final_score.result.student), final_score.result.student
        if not self.students or self.students[-1].id != id:
            self.students.append(StudentRow(id, person.name, person.section, person.email))
        return self.students[-1]

    def _add_lab(self, final_score: FinalScore) -> None:
        result = final_score.result
        lab = self.labs[result.lab]
        lab.statuses[result.status] += 1
        lab.most = max(lab.most, final_score.max_score)
        if final_score.status in (NOT_JUDGED, NOT_HANDED_IN, EXCUSED):  # there is no score to count
            return
        lab.scores.append(final_score.final)
        given = dict(result.written_points())
        names = dict.fromkeys(check.exercise for check in result.checks)
        for name in names if result.status != NOT_HANDED_IN else filter(final_score.adjusted, names):
            checks = result.of_exercise(name)
            own = self.exercises.setdefault((result.lab, name), ExerciseTally(result.lab))
            own.of = max(own.of, of := sum(map(result.max_points, checks)) + given.get(name, 0))
            if name in final_score.unread:
                own.waiting += 1
                lab.waiting += 1
                continue
            points = final_score.by_exercise[name]
            own.count += 1
            own.points += points
            own.right += points >= of if of else all_passed(checks)
            own.missing += all(check.outcome == "missing" for check in checks)
