"""The same class on disk, as each tool wants to find it."""

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


def as_handed_in(folder: Path, size: int) -> None:
    """class/STUDENT/LAB.ipynb, without outputs: for labkit, otter and the floors."""
    for student, notebook in _notebooks(read("labs"), size):
        write(folder / "class" / student / f"{LAB}.ipynb", notebook)


def with_outputs(folder: Path, size: int) -> None:
    """class/STUDENT.ipynb with the reference outputs in them, since stock nbval compares a notebook with its own."""
    for student, notebook in _notebooks(read("solutions"), size):
        write(folder / "class" / f"{student}.ipynb", notebook)


def for_otter(folder: Path, size: int) -> None:
    """As handed in, and the autograder's zip beside the class."""
    as_handed_in(folder, size)
    for name, source in checks().items():
        write(folder / "tests" / f"{name}.py", OTTER_TEST.format(name=name, points=POINTS[name], source=source.strip()))
    peers.run("otter-grader", ["otter", "generate", "--tests-dir", "tests"], folder)


def for_nbgrader(folder: Path, size: int) -> None:
    """A course whose only assignment is the lab; the tests are cells at its end."""
    source = _with_test_cells(read("labs"))
    write(folder / "source" / "lab" / f"{LAB}.ipynb", json.dumps(source))
    write(folder / "nbgrader_config.py", NBGRADER_CONFIG)
    for student, notebook in _notebooks(source, size):
        write(folder / "submitted" / student / "lab" / f"{LAB}.ipynb", notebook)
    peers.run("nbgrader", ["nbgrader", "generate_assignment", "lab"], folder)


def _notebooks(notebook: dict, size: int) -> Iterator[tuple[str, str]]:
    for student, right in students(size).items():
        yield student, filled(notebook, answers(student, right))


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
