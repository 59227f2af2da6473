"""report.html: the page about a class. It is one file, which needs neither network nor script to be read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from labkit.desk.final_score import FinalScore
from labkit.grading.cache import whole
from labkit.judging.words import lab_title, load, title
from labkit.model.project import Project
from labkit.reports.pages import page, points
from labkit.reports.similarity import Similar
from labkit.reports.statistics import ENOUGH, Statistics
from labkit.reports.students import file_of
from labkit.reports.tally import Tally

MOST_GROUPS = 100  # of answers that are alike


class Report:
    """Hears every final score once, sorted by student, and writes the page at the end."""

    what = "report.html"

    def __init__(self, project: Project, out: Path, lecture: Mapping[str, str]):
        self.course, self.path, self.lecture = project.course, out / "report.html", lecture
        self.tally, self.similar = Tally(project.course), Similar(project)
        self.statistics = Statistics(project.course)

    def hear(self, final_score: FinalScore) -> None:
        self.tally.hear(final_score)
        self.similar.hear(final_score)
        self.statistics.hear(final_score)

    def finish(self) -> Path:
        """The page, whole or not at all."""
        course, tally = self.course, self.tally
        load(course)
        labs = [(name, tally.labs[name]) for name in course.names if name in tally.labs]
        order = [(lab.name, exercise.name) for lab in course.labs.values() for exercise in lab.exercises]
        columns = [f"{lab_title(name)} (of\N{NO-BREAK SPACE}{points(lab.most)})#" for name, lab in labs]
        groups = self.similar.groups()
        pieces = page(
            "report.html",
            styles=("base.css", "report.css"),
            script="report.js",
            course=course.package.replace("_", " ").capitalize(),
            tally=tally,
            labs=labs,
            waiting=sum(lab.waiting for _, lab in labs),
            exercises=[(key, tally.exercises[key]) for key in order if key in tally.exercises],
            mistakes=tally.mistakes(),
            lecture=self.lecture,
            statistics=self.statistics,
            most={key: each.of for key, each in tally.exercises.items()},
            enough=ENOUGH,
            groups=groups[:MOST_GROUPS],
            groups_left_out=len(groups[MOST_GROUPS:]),
            heads=["Student", *columns, *(["Total#"] if len(labs) > 1 else []), "To read#"],
            file_of=file_of,
            title=title,
            lab_title=lab_title,
        )
        with whole(self.path) as file:
            file.writelines(pieces)
        return self.path
