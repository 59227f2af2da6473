"""A class with hostile text in every field of its results and instructors' additions, to attack the HTML pages."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.desk.people.desk import Comments
from labkit.desk.people.final_score import FinalScore, Mark, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Check, Result, unjudged
from labkit.student.judging.finding import Finding
from labkit.student.model import course, project

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
