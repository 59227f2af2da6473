"""What each check is worth, read from the tests without running them: a change of points alone needs no kernel."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from labkit import course, project
from labkit.grading.results import Check, Result


def reworth(result: Result) -> Result:
    """The result with the points that the lab's tests give today for the outcomes that were found."""
    worths = _worths_of(result.lab)
    checks = []
    for check in result.checks:
        worth, _ = worths.get(
            check.name.partition("[")[0], (None, "")
        )  # a parametrized test's case is named in brackets
        if worth is not None:
            earned = worth if check.outcome == "passed" else 0
            check = replace(check, points=earned, max_points=worth)
        checks.append(check)
    return replace(result, checks=tuple(checks))


def unjudged(student: str, lab: str, status: str, reason: str, seed: int) -> Result:
    """The row of a submission that could not be judged: where its lab is known, no points out of the lab's."""
    asked, most = course.current().labs[lab].exercises if lab in course.current().names else (), Counter()
    for worth, exercise in _worths_of(lab).values():
        most[exercise] += worth
    checks = (Check(each.name, "not_judged", 0, most[each.name], "error", reason) for each in asked)
    return Result(student, lab, status, reason, seed, checks=tuple(checks))


@cache
def _worths_of(lab: str) -> dict[str, tuple[float, str]]:
    path = project.current().autograder / f"test_{lab}.py"
    return worths(path.read_text("utf-8")) if path.exists() else {}


def worths(source: str) -> dict[str, tuple[float, str]]:
    """The points and the exercise of each test that has a mark @points(POINTS, EXERCISE), without the test_ of its name."""
    return {
        name.removeprefix("test_"): (points.value, exercise) for name, points, exercise in _marks(ast.parse(source))
    }


def all_but_worths(source: str) -> str:
    """The code without the points in those marks: two sources that are equal so give the same outcomes."""
    tree = ast.parse(source)
    for _, points, _ in _marks(tree):
        points.value = None
    return ast.dump(tree)


def _marks(tree: ast.Module) -> Iterator[tuple[str, ast.Constant, str]]:
    for test in tree.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            for mark in test.decorator_list:
                match mark:
                    case ast.Call(
                        func=ast.Name("points") | ast.Attribute(attr="points"),
                        args=[ast.Constant(int() | float()) as points, ast.Constant(str() as exercise)],
                    ):
                        yield test.name, points, exercise
