"""The compared tools. Each has code that prepares the class, a command that grades it, and code that reads the verdicts."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import layouts
import peers
from classroom import LAB, ROOT
from peers import command

HERE = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Tool:
    """`prepare` writes a class of a given size to a folder; `command` runs there; `found_right` reads whom the tool found right."""

    name: str
    prepare: Callable[[Path, int], None]
    command: list
    found_right: Callable[[Path], dict[str, bool]]
    lab: str = LAB


LABKIT, NBVAL, SAME_TESTS = "labkit grade", "pytest --nbval -n auto", "floor of the same tests"


def contenders(jobs: int, lab: str = LAB) -> list[Tool]:
    """All tools that can grade the lab, labkit first. Most of them need asserts, which only lab 01 has."""
    if lab != LAB:
        chosen = [tool for tool in contenders(jobs) if tool.name in (LABKIT, NBVAL)]
        chosen = [replace(tool, prepare=partial(tool.prepare, lab=lab), lab=lab) for tool in chosen]
        return [*chosen, same_tests(lab)]
    labkit = f"grade class --out out --jobs {jobs}"
    nbval = "-m pytest --nbval --nbval-current-env -n auto --dist loadscope -q -o addopts= -p no:cacheprovider"
    pictures = f"--nbval-sanitize-with={ROOT / 'solutions/nbval.cfg'}"  # pixels differ between machines
    otter_api = ["python", HERE / "otter_warm.py", "class", "autograder.zip", "out"]
    prairielearn = (
        'for each in class/*; do pytest -q -p no:cacheprovider --rootdir "$each" "$each" || [ $? = 1 ] || exit; done'
    )
    return [
        Tool(LABKIT, layouts.as_handed_in, [BIN / "labkit", *labkit.split()], by_labkit),
        Tool(
            "nbgrader autograde",
            layouts.for_nbgrader,
            command("nbgrader", ["nbgrader", "autograde", "lab"]),
            by_nbgrader,
        ),
        Tool("otter, Python API", layouts.for_otter, command("otter-grader", otter_api), by_otter),
        Tool(
            "pytest-prairielearn-grader",
            layouts.for_prairielearn,
            command("pytest-prairielearn-grader", ["sh", "-c", prairielearn]),
            by_prairielearn,
        ),
        Tool(
            NBVAL,
            layouts.with_outputs,
            [BIN / "python", *nbval.split(), pictures, "--junitxml", "out.xml", "class"],
            by_nbval,
        ),
        same_tests(lab),
    ]


def same_tests(lab: str) -> Tool:
    command = [BIN / "python", HERE / "same_tests.py", lab, "class", "scores.json"]
    return Tool(SAME_TESTS, partial(layouts.as_handed_in, lab=lab), command, by_same_tests, lab=lab)


def by_labkit(folder: Path) -> dict[str, bool]:
    rows = json.loads((folder / "out" / "results.json").read_text("utf-8"))
    return {row["student"]: row["score"] == row["max_score"] > 0 for row in rows if row["status"] == "graded"}


def by_nbgrader(folder: Path) -> dict[str, bool]:
    peers.run("nbgrader", ["nbgrader", "export", "--to", "grades.csv"], folder)
    with open(folder / "grades.csv", newline="") as file:
        return {row["student_id"]: float(row["score"]) == float(row["max_score"]) > 0 for row in csv.DictReader(file)}


def by_otter(folder: Path) -> dict[str, bool]:
    found = {}
    for path in folder.glob("out/*/results.json"):
        tests = [test for test in json.loads(path.read_text("utf-8"))["tests"] if "max_score" in test]
        found[path.parent.name] = sum(test["score"] for test in tests) == sum(test["max_score"] for test in tests) > 0
    return found


def by_prairielearn(folder: Path) -> dict[str, bool]:
    found = {
        path.parent.name: json.loads(path.read_text("utf-8")) for path in folder.glob("class/*/autograder_results.json")
    }
    return {student: each["gradable"] and each["score"] == 1 for student, each in found.items()}


def by_nbval(folder: Path) -> dict[str, bool]:
    """Read nbval's verdicts. A notebook is right if every cell reproduces its stored outputs."""
    found: dict[str, bool] = {}
    for cell in ElementTree.parse(folder / "out.xml").iter("testcase"):
        student = cell.get("classname").split(".")[1]
        found[student] = found.get(student, True) and cell.find("failure") is None and cell.find("error") is None
    return found


def by_same_tests(folder: Path) -> dict[str, bool]:
    passed = json.loads((folder / "scores.json").read_text("utf-8"))
    return {student: bool(each) and all(each) for student, each in passed.items()}
