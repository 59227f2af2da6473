"""The autograder's tests agree with the course: every exercise's points are given out, none twice."""

import ast
from collections import Counter

import pytest

from labkit import project
from labkit.exercise import labs
from labkit.grading.judge import autograder_of


@pytest.mark.parametrize("name", list(labs()))
def test_the_checks_of_an_exercise_add_up_to_its_points(name):
    given = Counter()
    for node in ast.walk(ast.parse(autograder_of(labs()[name]).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "points":
                    worth, exercise = (argument.value for argument in mark.args)
                    given[exercise] += worth
    assert given == {exercise.name: exercise.points for exercise in labs()[name].exercises if not exercise.written}


def test_labkit_never_imports_a_solution_or_a_reference():
    for path in (project.SOURCE / "labkit").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(module.split(".")[0] in ("reference", "solutions", "mistaken") for module in modules), path


# A lab's own definitions (course/heatmap.py, ...) name their judges, so they may import what judges need.
ORDER = [
    "course",
    "compare",
    "observation",
    "mistakes",
    "check",
    "notebooks",
    "assemble",
    "kernel",
    "answers",
    "grading",
    "reports",
    "cli",
]


def test_data_flow_one_way():
    """Nothing earlier in the line imports anything later; minimodel imports nothing of labkit."""
    for path in (project.SOURCE / "minimodel").rglob("*.py"):
        assert "labkit" not in {name.split(".")[0] for name in imports(path)}
    for path in (project.SOURCE / "labkit").rglob("*.py"):
        room, *rest = path.relative_to(project.SOURCE / "labkit").with_suffix("").parts
        if room in ORDER and not (room == "course" and rest != ["__init__"]):
            later = ORDER[ORDER.index(room) + 1 :]
            assert not [
                name for name in imports(path, top=True) if name.startswith("labkit.") and name.split(".")[1] in later
            ], path


def imports(path, top: bool = False) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    nodes = tree.body if top else ast.walk(tree)
    return [
        name
        for node in nodes
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
