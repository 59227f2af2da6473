"""Write results.json and gradebook.csv in one pass, because a class may be larger than memory.

The gradebook has the same columns all term, one for each exercise of the course. A cell contains the points, NOT_WRITTEN (which
counts as 0 points), TO_READ (for an ungraded written answer), or nothing if the exercise belongs to another lab. If points were
changed by hand, cells and scores show the changed points, and the columns BY_HAND show the changes and the reasons.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from labkit.desk.pages.feedback import texts_of
from labkit.desk.people.final_score import FinalScore, final_text
from labkit.grade.batch.store import whole
from labkit.grade.judge.results import NOT_HANDED_IN, Result, facts_of
from labkit.student.judging.words import load
from labkit.student.model.course import Course
from labkit.student.model.text import for_a_cell, in_points, printable, shortened

NOT_WRITTEN, TO_READ = "not written", "to read"

Columns = dict[str, Callable[[FinalScore], object]]  # what each column shows, by its name


def harmless(text: str) -> str:
    """Make text safe for spreadsheets and terminals."""
    return printable(for_a_cell(text))


HEAD: Columns = {
    "student": lambda each: harmless(each.result.student),
    "lab": lambda each: harmless(each.result.lab),
    "status": lambda each: each.result.status,
    "score": lambda each: in_points(each.score),
    "max_score": lambda each: in_points(each.max_score),
    "to_read": lambda each: in_points(each.to_read),
    "penalty": lambda each: in_points(each.penalty),
    "final": lambda each: final_text(each.final),
    "reason": lambda each: harmless(shortened(each.result.why(), 500)),
}
TAIL: Columns = {
    "file": lambda each: harmless(each.result.submission.file),
    "passed_over": lambda each: harmless("; ".join(each.result.submission.passed_over)),
    "by": lambda each: harmless(each.result.submission.source),
    "submitted_at": lambda each: each.result.submission.submitted_at or "",
    "attempt": lambda each: each.result.submission.attempt,
}
PERSON: Columns = {  # with a roster
    "name": lambda each: harmless(each.profile.name),
    "email": lambda each: harmless(each.profile.email),
    "section": lambda each: harmless(each.profile.section),
    "in_roster": lambda each: "yes" if each.person else "no",
}
GROUP: Columns = {  # with groups in the roster
    "group": lambda each: harmless(each.profile.group),
}
BY_HAND: Columns = {  # if points were changed by hand
    "adjusted": lambda each: in_points(each.moved) if each.adjustments else "",
    "adjustments": lambda each: harmless("; ".join(map(str, each.adjustments))),
}


def write_reports(
    course: Course,
    final_scores: Iterable[FinalScore],
    out: Path,
    *collectors: Callable[[FinalScore], None],
    further: Iterable[Columns] = (),
) -> list[Path]:
    """Write results.json and gradebook.csv, each atomically. Returns their paths.

    Each final score is read once and passed to all `collectors`. The gradebook ends with the `further` columns.
    """
    load(course)
    of_exercises = {name: partial(_cell, course.lab_of(name), name) for name in course.exercises}
    columns: Columns = {**HEAD, **of_exercises, **TAIL}
    for own in further:
        columns |= own
    paths = [out / "results.json", out / "gradebook.csv"]
    with whole(paths[0]) as everything, whole(paths[1]) as book:
        rows, before = csv.writer(book, lineterminator="\n"), "[\n "
        rows.writerow(columns)
        for final_score in final_scores:
            everything.write(before + _in_lines(as_json(final_score.result)))
            before = ",\n "
            rows.writerow([cell(final_score) for cell in columns.values()])
            for add in collectors:
                add(final_score)
        everything.write("\n]\n" if before == ",\n " else "[]\n")
    return paths


def _in_lines(result: dict) -> str:
    """Write the result as JSON, with a line for each check. The json module's own indentation takes ten times as long."""
    whole, *checks = (json.dumps(each, ensure_ascii=False) for each in (result | {"checks": []}, *result["checks"]))
    lines = ",\n  ".join(checks)
    return whole.removesuffix("]}") + (f"\n  {lines}]}}" if checks else "]}")


def as_json(result: Result) -> dict:
    """The result's row in results.json: its facts, with the words of the student's page before the checks."""
    facts = facts_of(result)
    checks = facts.pop("checks")
    return {**facts, "feedback": texts_of(result), "checks": checks}


def _cell(lab: str, exercise: str, final_score: FinalScore) -> str:
    """The points for one exercise, or NOT_WRITTEN or TO_READ; "" if the exercise belongs to another lab."""
    result = final_score.result
    if result.lab != lab:
        return ""
    if exercise in final_score.readings or final_score.adjusted(exercise):
        return in_points(final_score.points(exercise))
    checks = result.of_exercise(exercise)
    if result.status == NOT_HANDED_IN or checks and all(check.outcome == "missing" for check in checks):
        return NOT_WRITTEN
    if any(check.outcome == "manual" for check in checks):
        return TO_READ
    return in_points(final_score.points(exercise))
