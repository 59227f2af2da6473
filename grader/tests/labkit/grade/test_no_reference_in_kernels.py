"""No kernel with a student's code ever contains the solution, the reference, a hidden test or the seed, in any form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from course_copy import CourseCopy
from handouts import Handout
from longer import every
from needs import needs

LAB, SEED = "02_levels", "8675309241178"
# Names of local variables, which also occur in compiled, pickled and marshalled code.
NEEDLES = {"solution": "zqsolutionneedle", "reference": "zqreferenceneedle", "tests": "zqhiddentestneedle"}
STUDENTS = "zqstudentneedle"  # in the submission, so the search must find this one; otherwise it isn't working

WRONG_LEVELS = "def levels(values):\n    return np.unique(values)[::-1]"
# Uses levels, and is also wrong itself.
DRAWN = f"def draw_levels(values, ax):\n    {STUDENTS} = levels(values)\n    ax.plot({STUDENTS} * 0)"
# Correct as soon as it can read a file that no student may read.
SEARCHES = """import os
from itertools import chain
WANTED = [name[::-1].encode() for name in ("eldeennoitulosqz", "eldeenecnereferqz", "eldeentsetneddihqz")]

def holds(path):
    try:
        with open(path, "rb") as file:
            return any(name in file.read(2**20) for name in WANTED)
    except OSError:
        return False

def found():
    try:
        import autograder  # with the tests and the reference
        return True
    except ImportError:
        pass
    for folder, folders, files in chain(os.walk("@course@"), os.walk("/")):
        folders[:] = [name for name in folders if name not in ("proc", "sys", "usr", "lib", "var", "share", "include")]
        if any(holds(os.path.join(folder, name)) for name in files if name.endswith((".py", ".ipynb", ".pyc", ".json"))):
            return True
    return False

def draw_levels(values, ax):
    ax.plot(values if found() else levels(values) * 0)
"""


@pytest.fixture(scope="module")
def planted(tiny, tmp_path_factory) -> CourseCopy:
    """A course in which the solution, the reference and the tests each contain a needle to search for."""
    copy = CourseCopy(tmp_path_factory.mktemp("planted"))
    copy.folder.chmod(0o755)
    solution, reference, tests = NEEDLES.values()
    source = "solutions/02_levels.py"
    copy.change(source, "return np.unique(values)", f"{solution} = np.unique(values)\n    return {solution}")
    copy.change(
        source, 'ax.plot(values, label="values")', f'{solution} = values\n    ax.plot({solution}, label="values")'
    )
    path = copy / "tests/autograder/levels/reference.py"
    path.write_text(f"{path.read_text()}\n\ndef unused():\n    {reference} = 1\n    return {reference}\n")
    path = copy / "tests/autograder/levels/test_submission.py"
    path.write_text(f"{path.read_text()}\n\ndef unused():\n    {tests} = 1\n    return {tests}\n")
    built = copy.labkit("build")
    assert built.returncode == 0, built.stderr
    return copy


def searched(course: CourseCopy, path: Path, *needles: str, layer: str, stock: bool = False) -> dict:
    environment = {**os.environ, "LABKIT_COURSE": str(course.folder), "LABKIT_LAYER": layer}
    environment["PYTHONPATH"] = str(course / "src")
    script = Path(__file__).parents[1] / "kernel_memory.py"
    command = [sys.executable, script, path, SEED, *needles, *["--stock"] * stock]
    done = subprocess.run(
        [*map(str, command)], env=environment, cwd=course.folder, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs("root")  # to read a kernel's memory
@pytest.mark.parametrize(
    ("layer", "stock"),
    every(3, [("landlock", False), ("bubblewrap", False), ("bubblewrap", True)], why="another layer or kernel"),
)
def test_the_memory_of_kernels_holds_nothing_of_the_reference(planted, tmp_path, layer, stock):
    copy = Handout(LAB).write("levels", WRONG_LEVELS).write("draw_levels", DRAWN)
    path, needles = copy.save(tmp_path / f"{LAB}.ipynb"), (SEED, STUDENTS, *NEEDLES.values())
    found = searched(planted, path, *needles, layer=layer, stock=stock)
    held = {each["what"]: each["held"] for each in found["kernels"]}
    assert held.pop("reference") == [NEEDLES["solution"]], "the search missed the solution where it is"
    order = [each["what"] for each in found["kernels"]]
    assert order.index("picture") < order.index("again"), "the picture must be drawn before the second check"
    assert held == {"first": [STUDENTS], "again": [STUDENTS], "picture": [STUDENTS]}


@pytest.mark.parametrize(("layer", "gained"), [("bubblewrap", False), ("landlock", False), ("limits", True)])
def test_no_file_that_a_kernel_can_read_holds_the_reference(planted, tmp_path, layer, gained):
    """In the layer that does not protect files, the search does find the needles, so it works."""
    copy = (
        Handout(LAB)
        .write("levels", WRONG_LEVELS)
        .write("draw_levels", SEARCHES.replace("@course@", str(planted.folder)))
    )
    found = searched(planted, copy.save(tmp_path / f"{LAB}.ipynb"), layer=layer)
    outcomes = {outcome for exercise, outcome in found["checks"] if exercise == "draw_levels"}
    assert ("failed" not in outcomes) == gained
