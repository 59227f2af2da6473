"""The numbers on the class page: ungraded answers are left out of means, and exercises without points show none."""

from dataclasses import replace

import pytest
from desks import LAB, result

from labkit.desk.pages.feedback import feedback
from labkit.desk.pages.report import Report
from labkit.desk.pages.students import StudentPages, as_markdown
from labkit.desk.people.final_score import FinalScore, Reading
from labkit.grade.intake.submission import Submission
from labkit.grade.judge import points
from labkit.grade.judge.results import Check, unjudged
from labkit.student.judging.finding import Finding
from labkit.student.model import project

UNWRITTEN = Check("robust", "rubric", "missing", (Finding("unwritten"),))


def row_of(page: str, exercise: str) -> list[str]:
    """The texts of the cells in an exercise's row, in order."""
    import re

    section = page[page.index('id="exercises"') : page.index('id="mistakes"')]
    row = next(row for row in section.split("<tr>") if f"<code>{exercise}</code>" in row)
    cells = re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in cells]


def page_of(tmp_path, *final_scores: FinalScore) -> str:
    report = Report(project.current(), tmp_path, {})
    for each in final_scores:
        report.add(each)
    return report.finish().read_text("utf-8")


def class_of(*answers: str) -> list[FinalScore]:
    """A class in which each student's written answer is ungraded, missing, or graded with 2 points."""
    made = []
    for number, answer in enumerate(answers):
        own = result(f"s{number:02}")
        if answer == "missing":
            own = replace(own, checks=(*own.checks[:-1], UNWRITTEN))
        made.append(FinalScore(own, readings={"robust": Reading(2)} if answer == "read" else {}))
    return made


@pytest.mark.parametrize(
    ("answers", "cells"),
    [
        (("waits",) * 37 + ("missing",) * 2, ["– 37 awaiting grading", "2", "–", "2", "37"]),
        (("waits", "read", "missing"), ["– 1 awaiting grading", "2", "–", "1", "1"]),
        (("read", "missing"), ["1", "2", "50 %", "1", "0"]),
    ],
)
def test_answers_that_await_grading_have_no_mean(tmp_path, answers, cells):
    page = page_of(tmp_path, *class_of(*answers))
    assert row_of(page, "robust") == ["01 · Spread", "One value too large robust", *cells]
    assert row_of(page, "spread") == ["01 · Spread", "The spread spread", "3", "3", "100 %", "0", "0"]


@pytest.fixture
def no_points(monkeypatch):
    """An exercise with checks that give no points."""
    stated = points.points_by_check
    free = {"spread_as_in_the_lab", "spread_of_drawn_values", "midrange"}

    def without(project, lab):
        of_lab = stated(project, lab)
        return {name: (0 if name in free else points, whose) for name, (points, whose) in of_lab.items()}

    monkeypatch.setattr(points, "points_by_check", without)


def test_an_exercise_without_points_shows_its_checks_passed(tmp_path, no_points):
    page = page_of(tmp_path, *class_of("missing", "missing"))
    assert row_of(page, "spread")[2:5] == ["–", "–", "100 % pass all checks"]
    assert row_of(page, "midrange")[2:5] == ["–", "–", "0 % pass all checks"]


def test_a_student_reads_how_many_checks_of_an_exercise_without_points_pass(no_points):
    found = result().checks
    half = replace(found[1], outcome="failed", findings=(Finding("said", {"text": "off"}),))
    told = feedback(project.current().course, FinalScore(replace(result(), checks=(found[0], half, *found[2:]))))
    parts = {part.exercise: part for part in told.parts}
    assert [parts[name].state for name in ("spread", "midrange")] == ["partly", "wrong"]
    assert (parts["spread"].passed, parts["spread"].checks, parts["spread"].lost_checks) == (1, 2, True)
    text = as_markdown([told], (), "en")
    assert "**The spread**: partly right (1 of 2 checks passed)" in text and "0 of 0" not in text
    assert feedback(project.current().course, FinalScore(result())).parts[0].state == "right"


def test_a_missing_submission_is_one_line_on_the_students_page(tmp_path):
    pages = StudentPages(project.current(), tmp_path)
    absent = unjudged(project.current(), Submission("ada", LAB), "not_handed_in", "no submission for this lab", 1)
    pages.add(FinalScore(absent))
    pages.finish()
    page = (tmp_path / "students/ada.html").read_text("utf-8")
    assert "no submission for this lab" in page and "not written" not in page
    assert "not written" not in (tmp_path / "students/ada.md").read_text("utf-8")
