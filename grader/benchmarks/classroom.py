"""The class that every tool grades: submissions of lab 01, one in four with the same mistake.

In other labs, all answers are right. Most tools grade only lab 01, because they need asserts, which we wrote only for that lab.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAB = "01_build_the_table"
LABS = sorted(path.stem for path in (ROOT / "labs").glob("*.ipynb"))
POINTS = {"frequencies": 2, "sinusoidal_pe": 5, "by_hand": 1, "name_the_mistake": 2}
MISTAKE = "def frequencies(d):\n    return 10000.0 ** (-np.arange(d // 2) / d)"


def students(size: int, lab: str = LAB) -> dict[str, bool]:
    """The students by name, with True if all their answers are right."""
    return {f"student-{number:04}": lab != LAB or number % 4 != 3 for number in range(size)}


def answers(student: str, right: bool, lab: str = LAB) -> dict[str, str]:
    """The code that a student writes into the exercise cells."""
    written = dict(_solved(lab)) if right else {**_solved(lab), "frequencies": MISTAKE}
    return {name: f"# {student}\n{source}" for name, source in written.items()}


def filled(notebook: dict, written: dict[str, str]) -> str:
    """Write these answers into a notebook's exercise cells. Returns the notebook's text."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        cell["source"] = written.get(cell["id"], cell["source"])
    return json.dumps(notebook)


def read(folder: str, lab: str = LAB) -> dict:
    """Read a lab's notebook from `labs` or `solutions`."""
    return json.loads((ROOT / folder / f"{lab}.ipynb").read_text("utf-8"))


@cache
def _solved(lab: str) -> dict[str, str]:
    """The solution's code for each exercise."""
    cells = [cell for cell in read("solutions", lab)["cells"] if cell["cell_type"] == "code"]
    asked = {cell["id"] for cell in cells if cell["metadata"].get("labkit", {}).get("exercise")}
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["id"] in asked}


def checks() -> dict[str, str]:
    """Asserts like the tests in tests/autograder, for tools that run tests in the same process as the answers."""
    numbers = _solved(LAB)["by_hand"].partition("=")[2].strip()
    return {**FUNCTIONS, "by_hand": f"assert by_hand == {numbers}"}


FUNCTIONS = {
    "frequencies": """
for d in (4, 32, 10, 66, 128, 400):
    np.testing.assert_allclose(frequencies(d), 10000.0 ** (-np.arange(0, d, 2) / d), rtol=1e-6)
""",
    "sinusoidal_pe": """
for T, d in ((64, 32), (10, 6), (1000, 10), (57, 90), (120, 44), (199, 12), (1000, 128), (0, 4), (1, 2), (6, 8)):
    angles = np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    table, expected = sinusoidal_pe(T, d), np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d)
    assert table.dtype == np.float32 and table.shape == (T, d)
    np.testing.assert_allclose(table, expected, atol=1e-3)
for T, d in ((8, 7), (8, 0), (-1, 8), (31, 45), (-20, 8)):
    try:
        sinusoidal_pe(T, d)
    except ValueError:
        pass
    else:
        raise AssertionError(f"({T}, {d}) is no size of a table")
""",
    "name_the_mistake": """
for T, d in ((24, 16), (8, 6), (31, 40), (17, 22)):
    angles = np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    def weave(sines, cosines):
        return np.stack([sines, cosines], axis=-1).reshape(T, d)
    sines, cosines, later = np.sin(angles), np.cos(angles), angles + angles[1]
    whole = np.arange(T)[:, None] * np.ones(d // 2)
    tables = {
        "columns-unwritten": weave(sines, 0 * cosines),
        "degrees": weave(np.sin(np.deg2rad(angles)), np.cos(np.deg2rad(angles))),
        "frequencies-reversed": weave(sines[:, ::-1], cosines[:, ::-1]),
        "halves-layout": np.hstack([sines, cosines]),
        "integer-division": weave(np.sin(whole), np.cos(whole)),
        "positions-from-one": weave(np.sin(later), np.cos(later)),
        "same-function-twice": weave(sines, sines),
        "swapped-sin-cos": weave(cosines, sines),
    }
    letters = dict(zip("ABCDEFGH", tables))
    assert name_the_mistake({letter: tables[name] for letter, name in letters.items()}) == letters
""",
}
