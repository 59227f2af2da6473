"""Read each check's points from a lab's test file, without running the file, and report what is wrong with the file.

Only test files state points. Outcomes depend only on the other code, so changed points do not require grading again.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.student.model.course import Lab
from labkit.student.model.project import Project

if TYPE_CHECKING:
    import pytest

FORM = 'write @points(POINTS, "EXERCISE")'


@dataclass(frozen=True)
class Stated:
    """The points and exercise of each test, by its name without `test_`, and the file's code without the points."""

    points: Mapping[str, tuple[float, str]]
    rest: str


def read(source: str) -> Stated:
    """Read marks of the form @points(POINTS, "EXERCISE"). Errors: SyntaxError or ValueError if the file is not Python."""
    tree = ast.parse(source)
    found: dict[str, tuple[float, str]] = {}
    for test in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for mark in test.decorator_list:
            match mark:
                case ast.Call(
                    func=ast.Name("points") | ast.Attribute(attr="points"),
                    args=[ast.Constant(int() | float() as worth) as points, ast.Constant(str() as exercise)],
                    keywords=[],
                ):
                    found[test.name.removeprefix("test_")] = (worth, exercise)
                    points.value = None
    return Stated(found, ast.dump(tree))


@cache
def stated_in(path: Path) -> Stated:
    return read(path.read_text("utf-8")) if path.exists() else Stated({}, "")


def points_by_check(project: Project, lab: str) -> Mapping[str, tuple[float, str]]:
    """The points and exercise of each of the lab's checks; empty for an unknown lab."""
    return stated_in(project.tests_of(lab)).points


@dataclass(frozen=True)
class LabPoints:
    """A lab's points: those of each check, with its exercise, and those of each written answer."""

    by_check: Mapping[str, tuple[float, str]]
    written: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, project: Project, lab: str) -> LabPoints:
        """Read the points of this lab. An unknown lab has none. Errors: UserError."""
        asked = project.course.labs[lab].exercises if lab in project.course.names else ()
        written = tuple((exercise.name, exercise.points) for exercise in asked if exercise.written)
        return cls(points_by_check(project, lab), written)


def wrong_source(project: Project, path: Path) -> str | None:
    """Return a one-line message if the test file is not Python, or two of its tests have the same name."""
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        return f"{project.below(path)}, line {getattr(error, 'lineno', '?')}: {getattr(error, 'msg', error)}"
    names = Counter(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    )
    twice = [name for name, count in names.items() if count > 1]
    return f"{project.below(path)}: {twice[0]} is defined twice, and only the last one runs" if twice else None


def wrong_marks(project: Project, name: str, tests: Iterable[pytest.Item]) -> Iterator[str]:
    """Report tests without valid points or for unknown exercises, and exercises without a test that gives points."""
    lab, where, checked = project.course.labs[name], project.below(project.tests_of(name)), set()
    asked = {exercise.name for exercise in lab.exercises if not exercise.written}
    points = points_by_check(project, name)
    for test in tests:
        mark, own = test.get_closest_marker("points"), f"{where}: {test.name}"
        stated = points.get(test.name.removeprefix("test_").partition("[")[0])
        match mark and mark.args:
            case None:
                yield f"{own} has no points; {FORM}"
            case (worth, exercise) if (worth, exercise) == stated and worth >= 0:
                checked.add(exercise)
                if exercise not in asked:
                    yield f"{own} gives points for {exercise!r}, {_instead(lab, exercise, asked)}"
            case _:
                yield f"{own} has a malformed points mark; {FORM}"
    stored = project.expected_of(name)
    if any(exercise.graded_only for exercise in lab.exercises) and not stored.exists():
        yield f"{project.below(stored)} is missing: run `labkit build`"
    yield from (f"{where}: no test gives points for the exercise {exercise!r}" for exercise in sorted(asked - checked))


def _instead(lab: Lab, exercise: str, asked: set[str]) -> str:
    if exercise in {each.name for each in lab.exercises}:
        return "which is a written answer, graded by hand"
    close = get_close_matches(exercise, asked, 1)
    return "which is not an exercise of the lab" + (f"; did you mean {close[0]!r}?" if close else "")
