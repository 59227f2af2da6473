"""Read each check's points from a lab's test file, without running the file, and separate the points from the other code.

Only test files state points. Outcomes depend only on the other code, so changed points do not require grading again.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from labkit.student.model.project import Project


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
