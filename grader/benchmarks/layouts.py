"""Write the same class to disk in the layout that each tool expects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import peers
from classroom import LAB, POINTS, answers, checks, filled, read, students

OTTER_TEST = """
from otter.test_files import test_case

OK_FORMAT = False
name = {name!r}
points = {points}

@test_case()
def judge(env):
    exec({source!r}, dict(env))
"""
NBGRADER_CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "bench"
c.CourseDirectory.autograded_directory = "out"
"""

PRAIRIELEARN_HEAD = """
from functools import partial

import numpy as np
import pytest
from pytest_prairielearn_grader import ConfigObject
from pytest_prairielearn_grader.json_utils import from_json

autograder_config = ConfigObject(
    student_code_pattern="student_code*.ipynb", notebook_cell_tag="#grade", builtin_whitelist=["any", "all"], sandbox_timeout=60.0
)


def call(sandbox, name, *sizes):
    answer = sandbox.query_function_raw(name, *sizes, query_timeout=60.0)
    if answer["status"] == "exception":
        raise {"ValueError": ValueError}.get(answer["exception_name"], RuntimeError)(answer["exception_message"])
    return from_json(answer["value"])
"""
PRAIRIELEARN_TEST = """

@pytest.mark.grading_data(name={name!r}, points={points})
def test_{name}(module_sandbox):
    names = {{"np": np, {name!r}: {answer}}}
    exec({source!r}, names)
"""


def as_handed_in(folder: Path, size: int, lab: str = LAB) -> None:
    """Write class/STUDENT/LAB.ipynb without outputs, for labkit, otter and the floor."""
    for student, notebook in _notebooks(read("labs", lab), size, lab):
        write(folder / "class" / student / f"{lab}.ipynb", notebook)


def with_outputs(folder: Path, size: int, lab: str = LAB) -> None:
    """Write class/STUDENT.ipynb with the solution's outputs, because stock nbval compares a notebook with its stored outputs."""
    for student, notebook in _notebooks(read("solutions", lab), size, lab):
        write(folder / "class" / f"{student}.ipynb", notebook)


def for_otter(folder: Path, size: int) -> None:
    """Write the class as submitted, with otter's autograder zip next to it."""
    as_handed_in(folder, size)
    for name, source in checks().items():
        write(folder / "tests" / f"{name}.py", OTTER_TEST.format(name=name, points=POINTS[name], source=source.strip()))
    peers.run("otter-grader", ["otter", "generate", "--tests-dir", "tests"], folder)


def for_nbgrader(folder: Path, size: int) -> None:
    """Write a course with the lab as its only assignment. The tests are cells at the end of the notebook."""
    source = _with_test_cells(read("labs"))
    write(folder / "source" / "lab" / f"{LAB}.ipynb", json.dumps(source))
    write(folder / "nbgrader_config.py", NBGRADER_CONFIG)
    for student, notebook in _notebooks(source, size):
        write(folder / "submitted" / student / "lab" / f"{LAB}.ipynb", notebook)
    peers.run("nbgrader", ["nbgrader", "generate_assignment", "lab"], folder)


def for_prairielearn(folder: Path, size: int) -> None:
    """Write a folder of tests for each student, as in PrairieLearn's container. The tool reads only marked cells of the notebook."""
    lab = read("labs")
    lab["cells"] = [cell for cell in lab["cells"] if cell["id"] in POINTS]
    tests = [PRAIRIELEARN_HEAD]
    for name, source in checks().items():
        ask = (
            "module_sandbox.query({0!r}, query_timeout=60.0)"
            if name == "by_hand"
            else "partial(call, module_sandbox, {0!r})"
        )
        source = source.replace("(0, 4), ", "").strip()  # a table without rows would arrive without its shape
        tests.append(PRAIRIELEARN_TEST.format(name=name, points=POINTS[name], answer=ask.format(name), source=source))
    for student, right in students(size).items():
        written = {name: f"#grade\n{source}" for name, source in answers(student, right).items()}
        place = folder / "class" / student
        write(place / "test_lab.py", "".join(tests).lstrip())
        write(place / "test_lab" / "student_code.ipynb", filled(lab, written))
        write(place / "test_lab" / "leading_code.py", "import numpy as np\n")


def _notebooks(notebook: dict, size: int, lab: str = LAB) -> Iterator[tuple[str, str]]:
    for student, right in students(size, lab).items():
        yield student, filled(notebook, answers(student, right, lab))


def _with_test_cells(notebook: dict) -> dict:
    for cell in notebook["cells"]:
        if cell["id"] in POINTS:
            cell["metadata"]["nbgrader"] = _role(cell["id"], solution=True)
    for name, source in checks().items():
        role = _role(f"test_{name}", grade=True, points=POINTS[name])
        test = {"cell_type": "code", "id": f"test_{name}", "source": source.strip(), "metadata": {"nbgrader": role}}
        notebook["cells"].append({**test, "outputs": [], "execution_count": None})
    return notebook


def _role(name: str, **what: object) -> dict:
    solution = what.get("solution", False)
    rest = {"grade": False, "solution": solution, "locked": not solution, "task": False, "schema_version": 3}
    return {"grade_id": name, **rest, **what}


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
