"""Measure how long labkit takes to grade a class again: unchanged, and after changing the points of one test."""

from __future__ import annotations

import json
import re
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

import layouts
from classroom import LAB, POINTS, ROOT
from measure import measure

from labkit.student.model.course import folder_of

UNUSED = shutil.ignore_patterns(".*", "benchmarks", "docs", "*.egg-info", "graded")
MARK = re.compile(r'@points\(2, "sinusoidal_pe"\)')
GRADE = "from labkit.cli import main; main()"


def again(place: Path, size: int, rounds: int, jobs: int) -> dict:
    """Measure in a copy of the project, because the tests are edited. All runs use the same results folder."""
    project, folder = place / "project", place / "class-and-results"
    shutil.copytree(ROOT, project, ignore=UNUSED)
    layouts.as_handed_in(folder, size)
    command = ["env", f"PYTHONPATH={project / 'src'}", sys.executable, "-c", GRADE]
    command += ["grade", "class", "--out", "out", "--jobs", jobs]
    costs: dict[str, list[dict]] = {"first": [], "unchanged": [], "points changed": []}

    def grade(name: str, points: int) -> None:
        cost = measure(command, folder, folder / "log")
        check(folder, size, points)
        costs[name].append(asdict(cost))
        print(f"labkit again, {name}: {cost}", flush=True)

    tests = project / "tests" / "autograder" / folder_of(LAB) / "test_submission.py"
    source, points = tests.read_text("utf-8"), 2
    grade("first", points)
    for _ in range(rounds):
        grade("unchanged", points)
        points += 1
        tests.write_text(with_points(source, points), "utf-8")
        grade("points changed", points)
    return {"size": size, "jobs": jobs, "costs": costs}


def with_points(source: str, points: int) -> str:
    """Change the points of the 2-point test of `sinusoidal_pe`. Errors: RuntimeError unless there is exactly one."""
    changed, count = MARK.subn(f'@points({points}, "sinusoidal_pe")', source)
    if count != 1:
        raise RuntimeError(f"{count} tests of the table are worth 2 points; this benchmark changes one")
    return changed


def check(folder: Path, size: int, points: int) -> None:
    """Check that everyone was graded with these points for the changed test. Errors: RuntimeError."""
    rows = json.loads((folder / "out" / "results.json").read_text("utf-8"))
    most, expected = {row["max_score"] for row in rows}, sum(POINTS.values()) - 2 + points
    if len(rows) != size or most != {expected}:
        raise RuntimeError(f"graded {len(rows)} of {size}; the maximum score is {most}, not {expected}")
