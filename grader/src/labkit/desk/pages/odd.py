"""Submissions that an instructor should look at, each with the reason and the student's answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from labkit.desk.pages.answers import Answer, Codes
from labkit.desk.people.final_score import FinalScore
from labkit.grade.judge.results import NOT_HANDED_IN, Result
from labkit.student.model.text import shortened

MOST_ODD = 1_000  # submissions listed with a reason; the rest are only counted


@dataclass
class Odd:
    """A submission to look at, and the reason."""

    student: str
    lab: str
    what: str
    why: str
    number: int = 0  # the student's number
    answers: list[Answer] = field(default_factory=list)


def reasons(final_score: FinalScore) -> Iterator[tuple[str, str]]:
    """Yield the reasons to look at a submission, each as a kind and a detail."""
    result = final_score.result
    if result.status not in ("graded", NOT_HANDED_IN):
        yield result.status.replace("_", " "), result.why() or "no reason is known"
    elif result.status == "graded" and (why := result.why()):
        yield "note" if final_score.score else "no points", why
    if files := result.submission.passed_over:
        others = shortened("; ".join(files), 300)
        yield "files passed over", f"{result.submission.file} was graded instead of {others}"
    for made in final_score.outdated:
        yield "made for an earlier attempt", f"{made}. Delete the row, or confirm it."
    for change in final_score.adjustments:
        yield "changed by hand", str(change)
    if final_score.penalty:
        yield "late", final_score.why_late or f"{final_score.days_late:g} days"


def answers_of(result: Result, codes: Codes) -> Iterator[Answer]:
    """Yield a result's code answers, each with the first message shown to the student."""
    for exercise, code in result.code.items():
        messages = filter(None, (check.message() for check in result.of_exercise(exercise)))
        yield Answer(codes.number(code), [], exercise, shortened(next(messages, ""), 500))
