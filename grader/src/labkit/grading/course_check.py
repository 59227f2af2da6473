"""Is a lab fit for judging? Looked at before anybody is graded: a slip in the course is not the class's."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from labkit import course, project
from labkit.authoring import lock
from labkit.course import CourseError
from labkit.grading.results import Result
from labkit.grading.worths import worths_of
from labkit.intake.choose import Chosen, digest_of
from labkit.intake.discover import Entry

if TYPE_CHECKING:
    import pytest

FORM = 'it is written @points(POINTS, "EXERCISE")'


def wrong_parts(names: Iterable[str]) -> Iterator[str]:
    """Files that a lab needs and that are not there, or are no tests. Nothing of the course is imported for this."""
    here = project.current()
    for path in lock.changed():
        yield f"{here.below(path)} is not as it was locked: restore it, or run `labkit lock` if it was changed on purpose"
    for name in names:
        parts = (
            (here.autograder / f"test_{name}.py", "write it: it holds the lab's checks"),
            (here.labs / f"{name}.ipynb", "run `labkit build`"),
            (here.solutions / f"{name}.ipynb", "run `labkit build`"),
            (course.current().expected_of(name), "run `labkit build`"),
        )
        for path, mend in parts:
            if not path.exists():
                yield f"{project.current().below(path)} is missing: {mend}"
            elif path.suffix == ".py" and (wrong := wrong_source(path)):
                yield wrong


def wrong_source(path: Path) -> str | None:
    """Where a file of tests is not Python, which pytest says in a page; or a test that another of its name replaces."""
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        return f"{project.current().below(path)}, line {getattr(error, 'lineno', '?')}: {getattr(error, 'msg', error)}"
    names = Counter(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    )
    twice = [name for name, count in names.items() if count > 1]
    return (
        f"{project.current().below(path)}: {twice[0]} is there twice, and only the last one is run" if twice else None
    )


def wrong_marks(name: str, tests: Iterable[pytest.Item]) -> Iterator[str]:
    """Tests of a lab that give no points, or give them to no exercise, and exercises that no test gives points for."""
    asked = {exercise.name for exercise in course.current().labs[name].exercises if not exercise.written}
    where, checked = project.current().below(project.current().autograder / f"test_{name}.py"), set()
    for test in tests:
        mark, own = test.get_closest_marker("points"), f"{where}: {test.name}"
        stated = worths_of(name).get(test.name.removeprefix("test_").partition("[")[0])
        match mark and mark.args:
            case None:
                yield f"{own} has no points; {FORM}"
            case (worth, exercise) if (worth, exercise) == stated and worth >= 0:
                checked.add(exercise)
                if exercise not in asked:
                    yield f"{own} gives points for {exercise!r}, {_instead(name, exercise, asked)}"
            case _:
                yield f"{own} has points of another form; {FORM}"
    yield from (f"{where}: no test gives points for the exercise {exercise!r}" for exercise in sorted(asked - checked))


def _instead(name: str, exercise: str, asked: set[str]) -> str:
    if exercise in {each.name for each in course.current().labs[name].exercises}:
        return "which is written and read by a person"
    close = get_close_matches(exercise, asked, 1)
    return "which is no exercise of the lab" + (f"; did you mean {close[0]!r}?" if close else "")


def solution_of(lab: str) -> Chosen:
    """The lab's own solution, as a submission: what it does not get, nobody can."""
    path = project.current().solutions / f"{lab}.ipynb"
    return Chosen("", lab, Entry("", path, path.name), digest_of(path.read_bytes()))


def must_be_right(result: Result) -> None:
    """Errors: CourseError when a solution loses points, which every submission would lose as well."""
    wrong = next((check for check in result.checks if check.outcome not in ("passed", "manual")), None)
    if result.status not in ("graded", "not_judged"):
        raise CourseError(f"{result.lab}: the solution cannot be judged within these budgets: {result.why()}")
    if wrong and result.status == "graded":
        said = f"{wrong.name} says: {wrong.message()}" if wrong.findings else f"{wrong.name} is {wrong.outcome}"
        raise CourseError(f"{result.lab}: the solution does not pass its own checks of {wrong.exercise}; {said}")
