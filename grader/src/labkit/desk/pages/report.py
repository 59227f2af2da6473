"""report.html: the class report, one file that can be read without a network connection and without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from labkit.desk.pages.answers import Answer, as_data, grouped
from labkit.desk.pages.render import page, points
from labkit.desk.pages.similarity import Group, Similar
from labkit.desk.pages.statistics import ENOUGH, Statistics
from labkit.desk.pages.students import file_of
from labkit.desk.pages.tally import Tally
from labkit.desk.people.final_score import FinalScore
from labkit.grade.batch.store import whole
from labkit.grade.judge.results import Result
from labkit.student.judging.words import lab_title, load, title
from labkit.student.model.project import Project

MOST_GROUPS = 100  # maximum number of groups of similar answers on the page
FIRST_ROWS = 100  # rows of a long table that are shown initially

Find = Callable[[str, str], "Result | None"]  # returns a student's result for a lab


@dataclass(frozen=True)
class SimilarAnswers:
    """A group of students with similar answers: their indices in the table of students, and each distinct answer."""

    lab: str
    exercises: tuple[str, ...]
    students: list[int]
    answers: list[Answer]


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
        similar = [*self._with_answers(groups[:MOST_GROUPS])]
        pieces = page(
            "report.html",
            styles=("base.css", "report.css"),
            scripts=("tables.js", "panels.js"),
            course=course.package.replace("_", " ").capitalize(),
            tally=tally,
            labs=labs,
            waiting=sum(lab.waiting for _, lab in labs),
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
            people=Markup(as_data([[each.id, each.name, each.email, each.section] for each in tally.students])),
            codes=Markup("\n".join(tally.codes.lines)),
            file_of=file_of,
            title=title,
            lab_title=lab_title,
        )
        with whole(self.path) as file:
            file.writelines(pieces)
        return self.path

    def _with_answers(self, groups: list[Group]) -> Iterator[SimilarAnswers]:
        numbers = {each.id: number for number, each in enumerate(self.tally.students)}
        for group in groups:
            found = {student: self.find(student, group.lab) for student in group.students}
            answers: list[Answer] = []
            for exercise in group.exercises:
                codes = {student: result.code.get(exercise, "") for student, result in found.items() if result}
                answers += grouped(
                    ((self.tally.codes.number(code), numbers[student]) for student, code in codes.items()), exercise
                )
            yield SimilarAnswers(group.lab, group.exercises, [numbers[each] for each in group.students], answers)
