"""Define the example class in examples/class: how to make each submission, and what grading must report for it.

The submissions are made from the released labs, so they change when a lab changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from labkit.student.model import project

TABLE, HEATMAP, ROTATION, DECAY, BASE, ORDER, PRECISION, LOOK_BACK = (
    "01_build_the_table",
    "02_heatmap",
    "03_rotation_proof",
    "04_dot_product_decay",
    "05_base_sweep",
    "06_order_for_attention",
    "07_precision_and_cost",
    "08_look_back",
)


@dataclass(frozen=True)
class Example:
    """One submission, with the mistakes that grading should name. `lost` is the points it should lose; None means all of them."""

    student: str
    lab: str
    what: str
    lost: float | None = 0
    mistakes: tuple[str, ...] = ()
    status: str = "graded"
    file: str | None = None  # the file's name, if the student renamed it
    answers: dict[str, str] | None = None  # code that replaces the solution's answers, by exercise; None: replace none
    edit: object = None  # a function that changes the list of cells
    raw: str | None = None  # the file's whole content, if it is not a notebook


def build_class(folder: Path, examples: Iterable[Example] | None = None, handed_out: Path | None = None) -> None:
    """Write all submissions, or only `examples`, to folder/<student>/. `handed_out` is a folder of labs to use in place of labs/."""
    for example in MADE if examples is None else examples:
        path = folder / example.student / (example.file or f"{example.lab}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            example.raw if example.raw is not None else _notebook(example, handed_out or project.current().labs),
            "utf-8",
        )


def _notebook(example: Example, handed_out: Path) -> str:
    notebook = json.loads((handed_out / f"{example.lab}.ipynb").read_text("utf-8"))
    solved = {
        cell["id"]: cell
        for cell in json.loads((project.current().solutions / f"{example.lab}.ipynb").read_text("utf-8"))["cells"]
    }
    answers = example.answers if example.answers is not None else {}
    for cell in notebook["cells"]:
        name = cell["metadata"].get("labkit", {}).get("exercise")
        if name in answers:
            cell["source"] = answers[name]
        elif name and answers.get("others") != "untouched":
            cell["source"] = solved[name]["source"]
    if example.edit:
        notebook["cells"] = example.edit(notebook["cells"])
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def without_checks(cells: list[dict]) -> list[dict]:
    return [cell for cell in cells if not cell["id"].startswith("check_")]


def without_marks(cells: list[dict]) -> list[dict]:
    """Copy the cells with new ids and without metadata, as some notebook services do."""
    return [{**cell, "id": f"cell-{number:03}", "metadata": {}} for number, cell in enumerate(cells)]


def duplicated(name: str):
    """Make an edit that repeats the named cell below itself, as if the student had copied it by accident."""

    def edit(cells: list[dict]) -> list[dict]:
        again = [{**cell, "id": f"{cell['id']}-copy"} for cell in cells if cell["id"] == name]
        place = next(number for number, cell in enumerate(cells) if cell["id"] == name) + 1
        return cells[:place] + again + cells[place:]

    return edit


def with_helper(before: str, source: str):
    def edit(cells: list[dict]) -> list[dict]:
        helper = {
            "cell_type": "code",
            "id": "my-helper",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        place = next(number for number, cell in enumerate(cells) if cell["id"] == before)
        return [*cells[:place], helper, *cells[place:]]

    return edit


LOOPS = """def sinusoidal_pe(T, d):
    if T < 0 or d < 2 or d % 2 == 1:
        raise ValueError("no such table")
    rows = []
    for p in range(T):
        row = []
        for w in frequencies(d):
            row += [np.sin(p * w), np.cos(p * w)]
        rows.append(row)
    return np.array(rows, dtype="float32").reshape(T, d)"""

COMPLEX = """def sinusoidal_pe(T, d):
    if d % 2 or d <= 0:
        raise ValueError("d must be even")
    if T < 0:
        raise ValueError("T must not be negative")
    print("building", T, "by", d)
    phase = np.exp(1j * np.outer(np.arange(T), frequencies(d)))
    return np.stack([phase.imag, phase.real], axis=2).reshape(T, d).astype(np.float32)"""

HELPED = """def sinusoidal_pe(T, d):
    refuse(T, d)
    return interleave(np.outer(np.arange(T), frequencies(d))).astype(np.float32)"""

HELPER = """def refuse(T, d):
    if T < 0 or d <= 0 or d % 2 != 0:
        raise ValueError("size")

def interleave(angles):
    both = np.empty((len(angles), 2 * angles.shape[1]))
    both[:, ::2] = np.sin(angles)
    both[:, 1::2] = np.cos(angles)
    return both"""

BROKEN_SWAP = """def sinusoidal_pe(T, d):
    if T < 0 or d <= 0 or d % 2:
        raise ValueError("size")
    a = np.arange(T)[:, None] * frequencies(d)
    return np.stack([np.cos(a), np.sin(a)], axis=2).reshape(T, d).astype(np.float32)"""

ONE_BASED = """def sinusoidal_pe(T, d):
    if T < 0 or d <= 0 or d % 2:
        raise ValueError("size")
    a = np.arange(1, T + 1)[:, None] * frequencies(d)
    return np.stack([np.sin(a), np.cos(a)], axis=2).reshape(T, d).astype(np.float32)"""

UPSIDE_DOWN = """def draw_heatmap(pe, ax):
    picture = ax.imshow(pe, cmap="coolwarm", vmin=-1, vmax=1, origin="lower", aspect="auto")
    ax.set_xlabel("dimension")
    ax.set_ylabel("position")
    plt.colorbar(picture, ax=ax)"""

TRANSPOSED = """def shift_matrix(k, d):
    R = np.zeros((d, d))
    for i in range(d // 2):
        a = k / 10000 ** (2 * i / d)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    return R"""

LOOKS_AHEAD = """def look_back(pe, offset, gain):
    T, d = pe.shape
    queries = np.empty((T, d))
    for k in range(d // 2):
        a = offset / 10000 ** (2 * k / d)
        queries[:, 2 * k] = pe[:, 2 * k] * np.cos(a) + pe[:, 2 * k + 1] * np.sin(a)
        queries[:, 2 * k + 1] = pe[:, 2 * k + 1] * np.cos(a) - pe[:, 2 * k] * np.sin(a)
    e = np.exp(gain * queries @ pe.T)
    return e / e.sum(axis=1, keepdims=True)"""

ONE_FLOAT32_PHASE = """def double(rows, omega):
    angle = np.float32(len(rows)) * omega.astype(np.float32)
    z = rows[:, 0::2] + 1j * rows[:, 1::2]
    turned = z * np.exp(-1j * angle)
    new = np.stack([turned.real, turned.imag], axis=-1).reshape(rows.shape)
    return np.concatenate([rows, new])"""

ERRORS_OF_COLUMNS = """def float32_error(positions, d):
    p, k = positions[:, None], np.arange(d // 2)
    near = p.astype(np.float32) * (10000 ** (-2 * k / d)).astype(np.float32)
    far = p * 10000.0 ** (-2 * k / d)
    off = np.hstack([np.sin(near) - np.sin(far), np.cos(near) - np.cos(far)])
    return np.abs(off).max(axis=0)"""

MADE = (
    Example("student-01", TABLE, "the table with loops and lists", answers={"sinusoidal_pe": LOOPS}),
    Example("student-02", TABLE, "complex exponentials, and a print in the answer", answers={"sinusoidal_pe": COMPLEX}),
    Example(
        "student-03", TABLE, "sine and cosine swapped", 4, ("swapped-sin-cos",), answers={"sinusoidal_pe": BROKEN_SWAP}
    ),
    Example(
        "student-04",
        TABLE,
        "the exponent is k/d",
        2,
        ("exponent-k-over-d",),
        answers={"frequencies": "def frequencies(d):\n    return 10000.0 ** (-np.arange(d // 2) / d)"},
    ),
    Example(
        "student-05",
        TABLE,
        "half done: only the frequencies and the numbers computed by hand",
        8,
        answers={
            "others": "untouched",
            "frequencies": "def frequencies(d):\n    k = np.arange(d / 2)\n    return np.exp(-2 * k / d * np.log(10000))",
            "by_hand": "by_hand = np.array([0.1411, -0.99, 0.03, 0.9996])",
        },
    ),
    Example("student-06", TABLE, "untouched", None, answers={"others": "untouched"}),
    Example(
        "student-07",
        TABLE,
        "an endless loop",
        5,
        status="timed_out",
        answers={
            "sinusoidal_pe": "def sinusoidal_pe(T, d):\n    p = 0\n    while p < T:\n        p = p * 1\n    return p"
        },
    ),
    Example("student-08", TABLE, "ends the kernel", 1, status="crashed", answers={"by_hand": "import os\nos._exit(0)"}),
    Example(
        "student-09",
        TABLE,
        "not a notebook",
        None,
        status="unreadable",
        raw="Dear teacher,\nmy dog ate the notebook.\n",
    ),
    Example(
        "student-10",
        TABLE,
        "renamed, check cells deleted, positions from 1",
        4,
        ("positions-from-one",),
        file="homework FINAL (2).ipynb",
        answers={"sinusoidal_pe": ONE_BASED},
        edit=without_checks,
    ),
    Example("student-11", TABLE, "a duplicated cell", edit=duplicated("sinusoidal_pe")),
    Example(
        "student-12",
        TABLE,
        "the answer calls a function from another cell",
        answers={"sinusoidal_pe": HELPED},
        edit=with_helper("sinusoidal_pe", HELPER),
    ),
    Example("student-13", TABLE, "a copy that lost every id and all metadata", edit=without_marks),
    Example("student-14", HEATMAP, "right"),
    Example("student-15", ROTATION, "right"),
    Example("student-16", DECAY, "right"),
    Example("student-17", BASE, "right"),
    Example(
        "student-18",
        DECAY,
        "a JSON file that is not a notebook",
        None,
        status="unreadable",
        raw='{"answer": 42}\n',
    ),
    Example(
        "student-19",
        TABLE,
        "a notebook from another course",
        None,
        status="not_a_lab",
        file="week3.ipynb",
        raw=json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}) + "\n",
    ),
    Example(
        "student-20", HEATMAP, "position 0 at the bottom", 1, ("origin-flipped",), answers={"draw_heatmap": UPSIDE_DOWN}
    ),
    Example(
        "student-21",
        ROTATION,
        "the rotation turns the wrong way, also where it is used to test tables",
        3,
        ("rotation-transposed",),
        answers={"shift_matrix": TRANSPOSED},
    ),
    Example(
        "student-22",
        DECAY,
        "divided by d",
        2,
        ("over-normalised",),
        answers={"similarity": "def similarity(pe, anchor):\n    return pe @ pe[anchor] / pe.shape[1]"},
    ),
    Example(
        "student-23",
        BASE,
        "the base from the rule of thumb T / 2 pi",
        1,
        ("longest-wavelength",),
        answers={
            "base_for_length": "def base_for_length(T, d):\n    if d == 2 or T < 2 * np.pi:\n        raise ValueError\n"
            "    return T / (2 * np.pi)"
        },
    ),
    Example("student-24", ORDER, "right"),
    Example(
        "student-25",
        LOOK_BACK,
        "a head that looks ahead",
        2,
        ("looks-forward",),
        answers={"look_back": LOOKS_AHEAD},
    ),
    Example("student-26", LOOK_BACK, "right"),
    Example("student-36", PRECISION, "right"),
    Example(
        "student-37",
        PRECISION,
        "turns by float32 angles",
        3,
        ("float32-phase",),
        answers={"double": ONE_FLOAT32_PHASE},
    ),
    Example(
        "student-38",
        PRECISION,
        "half done, with an error for each column instead of each row",
        None,
        answers={"others": "untouched", "float32_error": ERRORS_OF_COLUMNS},
        mistakes=("wrong-axis",),
    ),
)
