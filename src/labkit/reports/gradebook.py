"""results.json and gradebook.csv."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from labkit import course
from labkit.grading.cache import write_whole
from labkit.grading.results import Result

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that starts so


def write_reports(results: Sequence[Result], out: Path) -> list[Path]:
    """Write both files, each whole or not at all; return their paths."""
    paths = [out / "results.json", out / "gradebook.csv"]
    write_whole(paths[0], results_json(results))
    write_whole(paths[1], gradebook(results))
    return paths


def results_json(results: Iterable[Result]) -> Iterator[str]:
    """A list of results in JSON, piece by piece: a class may be larger than memory should be."""
    before = "["
    for result in results:
        yield before + "\n" + textwrap.indent(json.dumps(result.as_json(), indent=1, ensure_ascii=False), " ")
        before = ","
    yield "\n]\n"


def gradebook(results: Sequence[Result]) -> Iterator[str]:
    """One row per student and lab: status, score, the points of each exercise where a check gave any, and which file."""
    graded = {result.lab for result in results}
    exercises = [
        exercise.name for lab in course.current().labs.values() if lab.name in graded for exercise in lab.exercises
    ]
    yield _row("student", "lab", "status", "score", "max_score", *exercises, "file", "passed_over")
    for result in results:
        points = [_points(result, name) for name in exercises]
        head = [_harmless(result.student), _harmless(result.lab), result.status, result.score, result.max_score]
        yield _row(*head, *points, _harmless(result.file), _harmless("; ".join(result.passed_over)))


def _row(*fields: object) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(fields)
    return line.getvalue()


def _points(result: Result, exercise: str) -> float | str:
    """The points of one exercise; empty where it is not in the lab or waits for a person to read it."""
    checks = [check for check in result.of_exercise(exercise) if check.max_points]
    return sum(check.points for check in checks) if checks else ""


def _harmless(text: str) -> str:
    return "'" + text if text.startswith(FORMULA_STARTS) else text
