"""Write results.json and gradebook.csv in one pass, because a class may be larger than memory.

The gradebook has the same columns all term, one for each exercise of the course. A cell contains the points, NOT_WRITTEN (which
counts as 0 points), TO_READ (for an ungraded written answer), or nothing if the exercise belongs to another lab. If points were
changed by hand, cells and scores show the changed points, and the columns BY_HAND show the changes and the reasons.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from labkit.desk.pages.feedback import texts_of
from labkit.desk.people.final_score import FinalScore, final_text
from labkit.grade.batch.store import whole
from labkit.grade.judge.records import facts_of
from labkit.grade.judge.results import NOT_HANDED_IN, Result
from labkit.student.judging.words import load
from labkit.student.model.course import Course
from labkit.student.model.text import for_a_cell, in_points, printable, shortened

HEAD = ("student", "lab", "status", "score", "max_score", "to_read", "penalty", "final", "reason")
TAIL = ("file", "passed_over", "by", "submitted_at", "attempt")
PERSON = ("name", "email", "section", "in_roster")  # columns added by a roster
GROUP = ("group",)  # columns added if the roster has groups
BY_HAND = ("adjusted", "adjustments")  # columns added if points were changed by hand
NOT_WRITTEN, TO_READ = "not written", "to read"


def write_reports(
    course: Course,
    final_scores: Iterable[FinalScore],
    out: Path,
    *collectors: Callable[[FinalScore], None],
    with_people: bool = False,
    with_groups: bool = False,
    with_adjustments: bool = False,
) -> list[Path]:
    """Write results.json and gradebook.csv, each atomically. Returns their paths.

    Each final score is read once and passed to all `collectors`. `with_people` means that there is a roster.
    """
    load(course)
    parts = (with_people, _person, PERSON), (with_groups, _group, GROUP), (with_adjustments, _by_hand, BY_HAND)
    further = [cells for wanted, cells, _ in parts if wanted]
    heads = [head for wanted, _, own in parts if wanted for head in own]
    paths = [out / "results.json", out / "gradebook.csv"]
    with whole(paths[0]) as everything, whole(paths[1]) as book:
        rows, before = csv.writer(book, lineterminator="\n"), "[\n "
        rows.writerow([*HEAD, *course.exercises, *TAIL, *heads])
        for final_score in final_scores:
            everything.write(before + _in_lines(as_json(final_score.result)))
            before = ",\n "
            own = (cell for cells in further for cell in cells(final_score))
            rows.writerow([*gradebook_row(course, final_score), *own])
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


def gradebook_row(course: Course, final_score: FinalScore) -> Iterator[object]:
    """Yield a row: the columns of HEAD, a cell for each exercise of the course, and the columns of TAIL."""
    result, reason = final_score.result, final_score.result.why()
    yield from (_harmless(result.student), _harmless(result.lab), result.status)
    yield from map(in_points, (final_score.score, final_score.max_score, final_score.to_read, final_score.penalty))
    yield final_text(final_score.final)
    yield _harmless(shortened(reason, 500))
    for lab in course.labs.values():
        yield from (_cell(final_score, exercise.name) if lab.name == result.lab else "" for exercise in lab.exercises)
    own = result.submission
    others = _harmless("; ".join(own.passed_over))
    yield from (_harmless(own.file), others, _harmless(own.source), own.submitted_at or "", own.attempt)


def _cell(final_score: FinalScore, exercise: str) -> str:
    """The points for one exercise of the submission's lab, or NOT_WRITTEN or TO_READ."""
    result = final_score.result
    if exercise in final_score.readings or final_score.adjusted(exercise):
        return in_points(final_score.points(exercise))
    checks = result.of_exercise(exercise)
    if result.status == NOT_HANDED_IN or checks and all(check.outcome == "missing" for check in checks):
        return NOT_WRITTEN
    if any(check.outcome == "manual" for check in checks):
        return TO_READ
    return in_points(final_score.points(exercise))


def _by_hand(final_score: FinalScore) -> list[str]:
    """The sum of all adjustments, and a list of them with their reasons."""
    changes = final_score.adjustments
    moved = in_points(final_score.moved) if changes else ""
    return [moved, _harmless("; ".join(map(str, changes)))]


def _person(final_score: FinalScore) -> list[str]:
    person = final_score.person
    if person is None:
        return ["", "", "", "no"]
    return [*(_harmless(each) for each in (person.name, person.email, person.section)), "yes"]


def _group(final_score: FinalScore) -> list[str]:
    return [_harmless(final_score.person.group) if final_score.person else ""]


def _harmless(text: str) -> str:
    """Make text safe for spreadsheets and terminals."""
    return printable(for_a_cell(text))
