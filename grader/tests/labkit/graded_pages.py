"""A graded submission of lab 02 for reports, and the pages of a class."""

from dataclasses import replace
from pathlib import Path

from labkit.desk.pages.report import Report
from labkit.desk.pages.students import StudentPages
from labkit.desk.people.desk import Comments
from labkit.desk.people.final_score import FinalScore
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Check, Result
from labkit.student.judging.finding import Finding
from labkit.student.model import project

LAB, EXERCISE, MISTAKE = "02_levels", "levels", "as-they-come"
WHOSE = {*Submission.__dataclass_fields__}
NAMED = Finding(MISTAKE, {"values": [3.0, 1.0], "first": 3.0, "last": 1.0}, named=True)


def result(student: str = "ada", *more: Check, **facts: object) -> Result:
    checks = (
        Check(EXERCISE, "levels_as_in_the_lab", "failed", (NAMED,)),
        Check(EXERCISE, "levels_of_drawn_values", "failed", (NAMED,)),
        Check(EXERCISE, "reference_outputs", "failed", (Finding("outputs-differ"),)),
        *more,
        Check("meaning", "rubric", "manual", (Finding("to-read", {"points": 1}),)),
    )
    submission = Submission(student, **{"lab": LAB} | {name: facts.pop(name) for name in WHOSE & facts.keys()})
    return replace(
        Result.of(project.current(), submission, "graded", None, 1, checks, {"meaning": "What occurs."}), **facts
    )


def report_of(out: Path, *final_scores: FinalScore, **more: object) -> str:
    """The class report."""
    report = Report(project.current(), out, {}, **more)
    for each in final_scores:
        report.add(each)
    return report.finish().read_text("utf-8")


def pages(out: Path, final_scores, comments=Comments(), lecture=None) -> list[Path]:
    report, own = Report(project.current(), out, lecture or {}), StudentPages(project.current(), out, comments)
    for final_score in final_scores:
        report.add(final_score)
        own.add(final_score)
    return [report.finish(), *sorted(own.finish().glob("*.html"))]
