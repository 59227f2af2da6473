"""What each check is worth, read from the tests without running them: a change of points alone needs no kernel."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from labkit import project
from labkit.grading.results import Result


def reworth(result: Result) -> Result:
    """The result with the points that the lab's tests give today for the outcomes that were found."""
    worths = _worths_of(result.lab)
    checks = []
    for check in result.checks:
        worth = worths.get(check.name.partition("[")[0])  # a parametrized test's case is named in brackets
        if worth is not None:
            earned = worth if check.outcome == "passed" else 0
            check = replace(check, points=earned, max_points=worth)
        checks.append(check)
    return replace(result, checks=tuple(checks))


@cache
def _worths_of(lab: str) -> dict[str, float]:
    path = project.AUTOGRADER / f"test_{lab}.py"
    return worths(path.read_text("utf-8")) if path.exists() else {}


def worths(source: str) -> dict[str, float]:
    """The points of each test that has a mark @points(POINTS, EXERCISE), without the test_ of its name."""
    return {name.removeprefix("test_"): constant.value for name, constant in _marks(ast.parse(source))}


def all_but_worths(source: str) -> str:
    """The code without the points in those marks: two sources that are equal so give the same outcomes."""
    tree = ast.parse(source)
    for _, constant in _marks(tree):
        constant.value = None
    return ast.dump(tree)


def _marks(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    for test in tree.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            for mark in test.decorator_list:
                match mark:
                    case ast.Call(
                        func=ast.Name("points") | ast.Attribute(attr="points"),
                        args=[ast.Constant(int() | float()) as points, ast.Constant(str())],
                    ):
                        yield test.name, points
