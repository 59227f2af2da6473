"""Folders of results as grading leaves them, made without kernels."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from labkit.desk.pages.gradebook import BY_HAND, write_reports
from labkit.desk.people import adjustments, manual, score_store
from labkit.desk.people.final_score import FinalScore, Person
from labkit.desk.people.late import Policy
from labkit.grade.batch import store
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Check, Result, unjudged
from labkit.student.judging.finding import Finding
from labkit.student.model import project

LAB, NEXT = "01_spread", "02_levels"
ADJUSTMENTS = "student,lab,exercise,add,set,reason,excused\n"
WORTH = 2  # points for robust, lab 01's written answer


def result(student: str = "ada", lab: str = LAB, text: str = "It grows.", submitted_at: str | None = None) -> Result:
    """A result with 3 of 5 points in lab 01, or 2 of 4 in lab 02, and an ungraded written answer."""
    written, right, wrong = {
        LAB: ("robust", ("spread", "spread_as_in_the_lab", "spread_of_drawn_values"), ("midrange", "midrange")),
        NEXT: (
            "meaning",
            ("levels", "levels_as_in_the_lab", "levels_of_drawn_values"),
            ("draw_levels", "the_line_goes_through_the_values"),
        ),
    }[lab]
    said = Finding("said", {"text": "not quite: <b>see</b> =1+1"})
    checks = (
        *(Check(right[0], name, "passed") for name in right[1:]),
        Check(*wrong, "failed", (said,)),
        Check(written, "rubric", "manual", (Finding("to-read", {"points": WORTH}),)),
    )
    when = submitted_at and seconds(submitted_at)
    submission = Submission(student, lab, file=f"{student}/{lab}.ipynb", submitted=when, attempt=1)
    return Result.of(project.current(), submission, "graded", None, 1, checks, {written: text})


EMPTY, GONE = "the file is empty", "no submission for this lab"


def refused(student: str, status: str = "unreadable", why: str = EMPTY, lab: str = LAB, **facts: object) -> Result:
    """A result without a grading: of an unreadable file or a machine fault."""
    return unjudged(project.current(), Submission(student, lab, **facts), status, why, 1)


def absent(student: str, lab: str = LAB) -> Result:
    return refused(student, "not_handed_in", GONE, lab)


def seconds(written: str) -> float:
    """An ISO 8601 time in seconds since 1970."""
    return datetime.fromisoformat(written).timestamp()


def submitted(result: Result, **facts: object) -> Result:
    """The result of a submission with some facts changed."""
    return replace(result, submission=replace(result.submission, **facts))


def leave(
    out: Path, results: Iterable[Result], policy: Policy = Policy(), whose: Callable = lambda name: None
) -> list[FinalScore]:
    """Write everything that grading writes, using manual.csv and adjustments.csv. Returns the final scores, as they are stored."""
    out.mkdir(exist_ok=True)
    digests, given, lines = (
        score_store.digests(out),
        manual.read(project.current().course, out / manual.NAME),
        adjustments.read(project.current(), out / adjustments.NAME),
    )
    own = [
        FinalScore(
            each,
            whose(each.student),
            manual.readings_of(each, given),
            given=adjustments.given_to(project.current().course, each, lines),
        )
        for each in sorted(results, key=lambda each: (each.student, each.lab))
    ]
    last = score_store.earlier(out)
    seen = {(each.student, each.lab): each.seen for each in last.final_scores} if last else {}
    final_scores = [*policy.applied_to(adjustments.marked(own, seen))]
    write_reports(project.current().course, final_scores, out, further=[BY_HAND] if lines else [])
    score_store.write(out, score_store.Run(1, **digests), final_scores, {})
    return [each.without_texts() for each in final_scores]


def roster(**people: Mapping) -> Callable[[str], Person | None]:
    """Make a roster that finds people by folder name."""
    known = {name: Person(**facts) for name, facts in people.items()}
    return known.get


def by_hand(folder, *rows: str) -> None:
    """Write adjustments.csv."""
    folder.mkdir(exist_ok=True)
    (folder / "adjustments.csv").write_text(ADJUSTMENTS + "".join(f"{row}\n" for row in rows))


def keep_code(out: Path, code: Mapping[str, Mapping[str, str]], lab: str = LAB, what: str = "code") -> None:
    """Store students' code by student and exercise beside the results, as grading does; or other facts."""
    last = score_store.kept(out)
    keys = {(who, lab): f"{number}" for number, who in enumerate(code)}
    score_store.write(out, last.run, last.final_scores, keys)
    facts = [json.dumps({"key": f"{number}", what: each}) + "\n" for number, each in enumerate(code.values())]
    (out / store.NAME).write_text("".join(facts))


def words(nodes: list) -> str:
    """The text that these nodes show on the page for grading written answers."""
    texts = [node if isinstance(node, str) else "\n" if node[0] == "br" else words(node[2:]) for node in nodes]
    return "".join(texts)


def cells(path: Path) -> list[list[str]]:
    """The rows of a CSV file."""
    return list(csv.reader(path.open(encoding="utf-8-sig", newline="")))
