"""The autograder's tests agree with the course: every exercise's points are given out, none twice."""

import ast
from collections import Counter

import pytest

from encoding_labs import COURSE
from labkit.grading.judge import autograder_of


@pytest.mark.parametrize("name", list(COURSE.labs))
def test_the_checks_of_an_exercise_add_up_to_its_points(name):
    given = Counter()
    for node in ast.walk(ast.parse(autograder_of(COURSE.labs[name]).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "points":
                    worth, exercise = (argument.value for argument in mark.args)
                    given[exercise] += worth
    assert given == {exercise.name: exercise.points for exercise in COURSE.labs[name].exercises if not exercise.written}
