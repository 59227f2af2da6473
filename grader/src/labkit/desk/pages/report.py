"""report.html: the class report, one file that can be read without a network connection and without scripts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from labkit.desk.pages.panels import MOST_ODD, Answer, Codes, Mistakes, Odd, answers_of, as_data, grouped, reasons
from labkit.desk.pages.render import page, points
from labkit.desk.pages.similarity import Group, Similar
from labkit.desk.pages.statistics import ENOUGH, Scores, Statistics, counts
from labkit.desk.pages.students import file_of
from labkit.desk.people.final_score import FinalScore, Person
from labkit.grade.batch.store import whole
from labkit.grade.judge.results import NOT_HANDED_IN, Result, all_passed
from labkit.student.judging.words import lab_title, load, title
from labkit.student.model.course import Course
from labkit.student.model.project import Project

MOST_GROUPS = 100  # maximum number of groups of similar answers on the page
FIRST_ROWS = 100  # rows of a long table that are shown initially

Find = Callable[[str, str], "Result | None"]  # returns a student's result for a lab


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
    """A student, as known from the roster, and for each lab the final score, the ungraded points and the status."""

    id: str
    person: Person
    labs: dict[str, tuple[float | None, float, str]] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(points or 0 for points, *_ in self.labs.values())

    @property
    def waiting(self) -> float:
        return sum(waiting for _, waiting, _ in self.labs.values())


class Tally:
    """Collects the content of the report from every final score."""

    def __init__(self, course: Course):
        self.course = course
        self.labs: dict[str, Scores] = defaultdict(Scores)
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
                self.odd.append(Odd(number, result.lab, what, why, answers))
            else:
                self.odd_left_out += 1
        row.labs[result.lab if known else ""] = final_score.final, final_score.to_read, final_score.status

    def waiting(self, lab: str) -> int:
        """Count the lab's ungraded written answers."""
        return sum(each.waiting for each in self.exercises.values() if each.lab == lab)

    def _row(self, final_score: FinalScore) -> StudentRow:
        """The student's row. Final scores must be sorted by student."""
        if not self.students or self.students[-1].id != final_score.student:
            self.students.append(StudentRow(final_score.student, final_score.profile))
        return self.students[-1]

    def _add_lab(self, final_score: FinalScore) -> None:
        result = final_score.result
        self.labs[result.lab].add(final_score)
        if not counts(final_score):
            return
        given = dict(result.written_points())
        names = dict.fromkeys(check.exercise for check in result.checks)
        for name in names if result.status != NOT_HANDED_IN else filter(final_score.adjusted, names):
            checks = result.of_exercise(name)
            own = self.exercises.setdefault((result.lab, name), ExerciseTally(result.lab))
            own.of = max(own.of, of := sum(map(result.max_points, checks)) + given.get(name, 0))
            if name in final_score.unread:
                own.waiting += 1
                continue
            points = final_score.by_exercise[name]
            own.count += 1
            own.points += points
            own.right += points >= of if of else all_passed(checks)
            own.missing += all(check.outcome == "missing" for check in checks)


class Report:
    """Collects the final scores, which must be sorted by student, and writes the page at the end."""

    what = "report.html"

    def __init__(self, project: Project, out: Path, lecture: Mapping[str, str], find: Find = lambda student, lab: None):
        self.course, self.path, self.lecture, self.find = project.course, out / "report.html", lecture, find
        self.tally, self.similar = Tally(project.course), Similar(project)
        self.statistics = Statistics(project.course)

    def add(self, final_score: FinalScore) -> None:
        self.tally.add(final_score)
        self.similar.add(final_score)
        self.statistics.add(final_score)

    def finish(self) -> Path:
        """Write the page atomically."""
        course, tally = self.course, self.tally
        load(course)
        labs = [(name, tally.labs[name]) for name in course.names if name in tally.labs]
        order = [(lab.name, exercise.name) for lab in course.labs.values() for exercise in lab.exercises]
        columns = [f"{lab_title(name)} (of\N{NO-BREAK SPACE}{points(lab.most)})#" for name, lab in labs]
        groups = self.similar.groups()
        similar = [*self._with_answers(groups[:MOST_GROUPS])]  # before the page's list of codes is made
        pieces = page(
            "report",
            scripts=("tables.js", "panels.js"),
            course=course.package.replace("_", " ").capitalize(),
            tally=tally,
            labs=labs,
            waiting=sum(tally.waiting(name) for name, _ in labs),
            exercises=[(key, tally.exercises[key]) for key in order if key in tally.exercises],
            mistakes=tally.mistakes.sorted(),
            lecture=self.lecture,
            statistics=self.statistics,
            most={key: each.of for key, each in tally.exercises.items()},
            enough=ENOUGH,
            first_rows=FIRST_ROWS,
            groups=similar,
            groups_left_out=len(groups[MOST_GROUPS:]),
            heads=["Student", *columns, *(["Total#"] if len(labs) > 1 else []), "Ungraded#"],
            people=Markup(
                as_data(
                    [[each.id, each.person.name, each.person.email, each.person.section] for each in tally.students]
                )
            ),
            codes=Markup("\n".join(tally.codes.lines)),
            file_of=file_of,
            title=title,
            lab_title=lab_title,
        )
        with whole(self.path) as file:
            file.writelines(pieces)
        return self.path

    def _with_answers(self, groups: list[Group]) -> Iterator[tuple[Group, list[int], list[Answer]]]:
        """Add to each group its students' indices in the table of students, and each distinct answer."""
        numbers = {each.id: number for number, each in enumerate(self.tally.students)}
        for group in groups:
            found = {student: self.find(student, group.lab) for student in group.students}
            answers: list[Answer] = []
            for exercise in group.exercises:
                codes = {student: result.code.get(exercise, "") for student, result in found.items() if result}
                written = ((self.tally.codes.number(code), numbers[student]) for student, code in codes.items())
                answers += grouped(written, exercise)
            yield group, [numbers[each] for each in group.students], answers
