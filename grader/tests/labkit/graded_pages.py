"""The pages of a class: a graded submission of lab 02, and a class with hostile text in every field, to attack the HTML pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from labkit.desk.pages.report import Report
from labkit.desk.pages.students import StudentPages
from labkit.desk.people.desk import Comments
from labkit.desk.people.final_score import FinalScore, Mark, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Check, Result, unjudged
from labkit.student.judging.finding import Finding
from labkit.student.model import course, project

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


PAYLOADS = (
    "<script>document.title='obeyed'</script>",
    "</script><script>document.title='obeyed'</script>",
    "</style><img src=x onerror=\"document.title='obeyed'\">",
    "\"' onmouseover='document.title=1' autofocus onfocus='document.title=`obeyed`",
    "javascript:document.title='obeyed'",
    "[press](javascript:document.title='obeyed')",
    "{{ 7 * 7 }}{% raw %}{{ cycler.__init__.__globals__ }}",
    "</title></table><iframe srcdoc='<script>parent.document.title=1</script>'>",
    "<a href=http://example.org/>out</a><link rel=stylesheet href=http://example.org/x.css>",
    "a\u202eb\u2066c\u200fd\x00e\x1b[2Jf\ud800",
    "../../../etc/passwd",
    "-->]]>&lt;&#60;script&#62;",
)


def hostile_class(lab: str, exercise: str, mistake: str) -> Iterator[FinalScore]:
    """Yield final scores, sorted by student, with a payload in every field that has text.

    There are three for each payload: for a known lab, for an unknown lab, and for a submission that was not graded.
    """
    for number, text in enumerate(sorted(PAYLOADS)):
        found = (
            Finding(mistake, {"values": [text], "first": text, "last": text}, named=True),
            Finding("said", {"text": text}),
        )
        reason, more = Finding("said", {"text": text}), {"file": text, "passed_over": (text, text), "language": text}
        written = next(each.name for each in course.current().labs[lab].exercises if each.written)
        checks = (
            Check(exercise, text, "failed", (*found, Finding(text, {text: text}, named=True))),
            Check(exercise, "reference_outputs", "failed", found[1:]),
            Check(text, text, "error", found),
            Check(written, "rubric", "manual"),
        )
        student = f"{number:02d} {text}"
        person = Person(text, f"{text} {number}", text, text)
        added = dict(person=person, readings={written: Mark(0.5, text), text: Mark(0, text)}, why_late=text)
        yield FinalScore(
            Result.of(
                project.current(),
                Submission(student, lab, **more),
                "graded",
                reason,
                1,
                checks,
                {written: text, text: text},
                code={exercise: text, text: f"def f():\n    {text}"},
            ),
            **added,
            penalty=0.5,
        )
        yield FinalScore(
            Result.of(project.current(), Submission(student, text, **more), text, reason, 1, checks, {text: text})
        )
        yield FinalScore(unjudged(project.current(), Submission(f"{student}!", lab), "not_judged", text, 1))


def hostile_comments(exercise: str, mistake: str) -> Comments:
    return Comments({(exercise, mistake): "\n".join(PAYLOADS)})
