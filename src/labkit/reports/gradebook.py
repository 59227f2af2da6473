"""results.json and gradebook.csv, written in one pass over the results: a class may be larger than memory should be."""

from __future__ import annotations

import csv
import json
import textwrap
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from labkit import course
from labkit.desk.standing import Standing
from labkit.grading.cache import whole
from labkit.grading.results import Check, Result
from labkit.judging.finding import Finding
from labkit.judging.words import say
from labkit.text import FORMULA_STARTS, in_points, printable, shortened


def write_reports(
    standings: Iterable[Standing], graded: Collection[str], out: Path, hear: Callable[[Standing], None]
) -> list[Path]:
    """Write both files, each whole or not at all; return their paths. `graded` are the names of the labs of the results.

    Each standing is read once, and `hear` is told it as well.
    """
    paths = [out / "results.json", out / "gradebook.csv"]
    labs = course.current().labs.values()
    exercises = [exercise.name for lab in labs if lab.name in graded for exercise in lab.exercises]
    with whole(paths[0]) as everything, whole(paths[1]) as book:
        rows, before = csv.writer(book, lineterminator="\n"), "[\n"
        rows.writerow(
            ["student", "lab", "status", "score", "max_score", "penalty", "final", *exercises, "file", "passed_over"]
        )
        for standing in standings:
            text = json.dumps(as_json(standing.result), indent=1, ensure_ascii=False)
            everything.write(before + textwrap.indent(text, " "))
            before = ",\n"
            rows.writerow(gradebook_row(standing, exercises))
            hear(standing)
        everything.write("\n]\n" if before == ",\n" else "[]\n")
    return paths


def as_json(result: Result, language: str = "en") -> dict:
    """A result as results.json holds it: with points, and in words."""
    names = ("seed", "file", "submitted_at", "attempt", "language", "passed_over", "written")
    return {
        **{name: getattr(result, name) for name in ("student", "lab", "status")},
        "reason": result.why(language),
        **{name: getattr(result, name) for name in ("score", "max_score", *names)},
        "checks": [_check(result, check, language) for check in result.checks],
    }


def _check(result: Result, check: Check, language: str) -> dict:
    def shown(fact: object) -> object:
        """A number, a short text, or a list of them."""
        if isinstance(fact, list):
            return [shown(each) for each in fact[:20]]
        fact = say(check.exercise, fact, language) if isinstance(fact, Finding) else fact
        return shortened(fact) if isinstance(fact, str) else fact

    numbers = [{name: shown(fact) for name, fact in each.facts.items()} for each in check.mistakes]
    return {
        "exercise": check.exercise,
        "name": check.name,
        "points": result.points(check),
        "max_points": result.max_points(check),
        "outcome": check.outcome,
        "message": check.message(language),
        "mistake": check.mistake,
        "mistakes": [{"id": each.mistake, "numbers": own} for each, own in zip(check.mistakes, numbers)],
    }


def gradebook_row(standing: Standing, exercises: Iterable[str]) -> list[object]:
    """One row per student and lab: status, score, the points of each exercise where there are any, and which file.

    What was read counts in score and max_score; the penalty, in points, is taken off for `final` alone.
    """
    result = standing.result
    read = sum(points for name, points in result.written_points() if name in standing.readings)
    head = [_harmless(result.student), _harmless(result.lab), result.status]
    scores = [in_points(each) for each in (standing.score, result.max_score + read, standing.penalty, standing.final)]
    points = [_points(standing, name) for name in exercises]
    return [*head, *scores, *points, _harmless(result.file), _harmless("; ".join(result.passed_over))]


def _points(standing: Standing, exercise: str) -> float | str:
    """The points of one exercise; empty where it is not in the lab or waits for a person to read it."""
    if exercise in standing.readings:
        return standing.readings[exercise].points
    result = standing.result
    checks = [check for check in result.of_exercise(exercise) if result.max_points(check)]
    return sum(map(result.points, checks)) if checks else ""


def _harmless(text: str) -> str:
    """Text that neither a spreadsheet nor a terminal obeys."""
    return printable("'" + text if text.startswith(FORMULA_STARTS) else text)
