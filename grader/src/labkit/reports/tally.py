"""What a page about a class is made of. It hears every final score once, and keeps of each what the page shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from labkit.desk.final_score import EXCUSED, FinalScore
from labkit.judge.results import NOT_HANDED_IN, NOT_JUDGED, Result, all_passed
from labkit.judging.finding import Finding
from labkit.judging.words import say
from labkit.model.course import Course
from labkit.model.text import shortened
from labkit.reports.distribution import Distribution

MOST_ODD = 1_000  # submissions that are listed with a reason; of more it is said how many


@dataclass
class LabTally:
    """One lab: its scores, and how its submissions ended."""

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
        """How many ended otherwise than graded, and how."""
        return [f"{n} {status.replace('_', ' ')}" for status, n in self.statuses.items() if n and status != "graded"]


@dataclass
class ExerciseTally:
    """One exercise. An answer that awaits grading counts in `waiting` alone; `right` have all points, or pass all checks."""

    lab: str
    points: float = 0.0
    of: float = 0.0
    count: int = 0
    right: int = 0
    missing: int = 0
    waiting: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether its numbers are those of the class: somebody answered, and no answer awaits grading."""
        return bool(self.count) and not self.waiting


@dataclass
class MistakeTally:
    """One mistake of one exercise: how many made it, and what the first of them saw."""

    exercise: str
    lab: str
    mistake: str
    example: str
    count: int = 0


@dataclass(frozen=True)
class Odd:
    """A submission to look at, and why."""

    student: str
    lab: str
    what: str
    why: str


@dataclass
class StudentRow:
    """A student: id, name, and for each lab the points, out of how many, and how many of them wait for a reader."""

    id: str
    name: str
    section: str
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
        self._mistakes: dict[tuple[str, str], MistakeTally] = {}
        self.odd: list[Odd] = []
        self.odd_left_out = 0
        self.students: list[StudentRow] = []
        self.submissions = 0

    def hear(self, final_score: FinalScore) -> None:
        result = final_score.result
        self.submissions += result.status != NOT_HANDED_IN
        known = result.lab in self.course.names
        if known:
            self._hear_lab(final_score)
        self._hear_mistakes(result)
        for odd in _odd(final_score):
            if len(self.odd) < MOST_ODD:
                self.odd.append(odd)
            else:
                self.odd_left_out += 1
        self._row(final_score).labs[result.lab if known else ""] = (
            final_score.final,
            final_score.max_score,
            final_score.to_read,
            final_score.status,
        )

    def mistakes(self) -> list[MistakeTally]:
        """What was made most comes first."""
        return sorted(self._mistakes.values(), key=lambda each: (-each.count, each.lab, each.exercise, each.mistake))

    def _row(self, final_score: FinalScore) -> StudentRow:
        """The student's; final scores come sorted by student."""
        person, id = final_score.person, final_score.result.student
        if not self.students or self.students[-1].id != id:
            self.students.append(StudentRow(id, person.name if person else "", person.section if person else ""))
        return self.students[-1]

    def _hear_lab(self, final_score: FinalScore) -> None:
        result = final_score.result
        lab = self.labs[result.lab]
        lab.statuses[result.status] += 1
        lab.most = max(lab.most, final_score.max_score)
        if final_score.status in (NOT_JUDGED, NOT_HANDED_IN, EXCUSED):  # not a grading result
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

    def _hear_mistakes(self, result: Result) -> None:
        made: dict[tuple[str, str], Finding] = {}
        for check in result.checks:
            for finding in check.mistakes:
                made.setdefault((check.exercise, finding.mistake), finding)
        for (exercise, mistake), finding in made.items():
            if (exercise, mistake) not in self._mistakes:
                example = shortened(say(exercise, finding), 500)
                self._mistakes[exercise, mistake] = MistakeTally(exercise, result.lab, mistake, example)
            self._mistakes[exercise, mistake].count += 1


def _odd(final_score: FinalScore) -> Iterator[Odd]:
    """Each reason that there is to look at it."""
    result = final_score.result
    whose = result.student, result.lab
    if result.status not in ("graded", NOT_HANDED_IN):
        yield Odd(*whose, result.status.replace("_", " "), result.why() or "no reason is known")
    elif result.status == "graded" and (why := result.why()):
        yield Odd(*whose, "note" if final_score.score else "no points", why)
    if files := result.submission.passed_over:
        others = shortened("; ".join(files), 300)
        yield Odd(*whose, "files passed over", f"{result.submission.file} was graded, and not {others}")
    for change in final_score.adjustments:
        yield Odd(*whose, "changed by hand", str(change))
    if final_score.penalty:
        yield Odd(*whose, "late", final_score.why_late or f"{final_score.days_late:g} days")
