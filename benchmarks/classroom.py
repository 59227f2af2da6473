"""A class of submissions of lab 01, the same for every tool: most right, one in four with a mistake."""

from __future__ import annotations

import copy
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LAB = "01_build_the_table"
MISTAKE = "def frequencies(d):\n    return 10000.0 ** (-np.arange(d // 2) / d)"
TESTS = {  # what tests/autograder asks of this lab, as cells of asserts for the tools that work so
    "frequencies": """
for d in (4, 32, 10, 66, 128, 400):
    np.testing.assert_allclose(frequencies(d), 10000.0 ** (-np.arange(0, d, 2) / d), rtol=1e-6)
""",
    "sinusoidal_pe": """
def reference_table(T, d):
    angles = np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d)
for T, d in ((64, 32), (10, 6), (1000, 10), (57, 90), (120, 44), (199, 12), (1000, 128), (0, 4), (1, 2), (6, 8)):
    table = sinusoidal_pe(T, d)
    assert table.dtype == np.float32 and table.shape == (T, d)
    np.testing.assert_allclose(table, reference_table(T, d), atol=1e-3)
for T, d in ((8, 7), (8, 0), (-1, 8), (31, 45), (-20, 8)):
    try:
        sinusoidal_pe(T, d)
    except ValueError:
        pass
    else:
        raise AssertionError("no table of this size")
""",
    "by_hand": "assert by_hand == solved['by_hand']",
    "name_the_mistake": "assert name_the_mistake == solved['name_the_mistake']",
}
POINTS = {"frequencies": 2, "sinusoidal_pe": 5, "by_hand": 1, "name_the_mistake": 2}


def read(folder: str) -> dict:
    return json.loads((ROOT / folder / f"{LAB}.ipynb").read_text("utf-8"))


def answers(student: int) -> dict[str, str]:
    """The sources that this student writes into the exercise cells."""
    solved = {cell["id"]: "".join(cell["source"]) for cell in read("solutions")["cells"]}
    written = {name: f"# student {student}\n{solved[name]}" for name in POINTS}
    if student % 4 == 3:
        written["frequencies"] = f"# student {student}\n{MISTAKE}"
    return written


def fill(notebook: dict, student: int) -> str:
    """The text of a notebook with the student's answers in it."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        if cell["id"] in (written := answers(student)):
            cell["source"] = written[cell["id"]]
    return json.dumps(notebook)


def for_labkit(folder: Path, size: int) -> None:
    handed_out = read("labs")
    for student in range(size):
        write(folder / f"student-{student:04}" / f"{LAB}.ipynb", fill(handed_out, student))


def for_nbval(folder: Path, size: int) -> None:
    """With the reference outputs in them, since stock nbval compares a notebook with its own."""
    reference = read("solutions")
    for student in range(size):
        write(folder / f"student_{student:04}.ipynb", fill(reference, student))


def for_nbgrader(folder: Path, size: int) -> None:
    """A course with the lab as its only assignment; the tests are cells at its end."""
    source = with_test_cells(read("labs"))
    write(folder / "source" / "lab" / f"{LAB}.ipynb", json.dumps(source))
    write(folder / "nbgrader_config.py", "c = get_config()\nc.CourseDirectory.course_id = 'bench'\n")
    for student in range(size):
        write(folder / "submitted" / f"student-{student:04}" / "lab" / f"{LAB}.ipynb", fill(source, student))


def with_test_cells(notebook: dict) -> dict:
    solved = {cell["id"]: "".join(cell["source"]) for cell in read("solutions")["cells"]}
    expected = f"solved = {{}}\nexec({solved['by_hand']!r}, solved)\nexec({solved['name_the_mistake']!r}, solved)\n"
    for cell in notebook["cells"]:
        if cell["id"] in POINTS:
            cell["metadata"]["nbgrader"] = nbgrader(cell["id"], solution=True)
    for name, source in TESTS.items():
        prefix = expected if "solved[" in source else ""
        notebook["cells"].append({
            "cell_type": "code", "id": f"test_{name}", "source": prefix + source.strip(),
            "outputs": [], "execution_count": None,
            "metadata": {"nbgrader": nbgrader(f"test_{name}", grade=True, points=POINTS[name])},
        })  # fmt: skip
    return notebook


def nbgrader(name: str, grade: bool = False, solution: bool = False, points: int | None = None) -> dict:
    own = {
        "grade_id": name,
        "grade": grade,
        "solution": solution,
        "locked": not solution,
        "task": False,
        "schema_version": 3,
    }
    return {**own, "points": points} if grade else own


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
