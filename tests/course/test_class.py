"""Grade examples/class with `labkit grade`: every submission gets a row with the expected outcome."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from class_of_examples import MADE

from labkit.grade.judge.results import OUTCOMES, STATUSES
from labkit.student.model import project

CLASS = project.current().root / "examples" / "class"


@pytest.fixture(scope="module")
def graded(once, labkit) -> Path:
    """The folder with the results of `labkit grade`, and its output in the file `said`. Grades once for all test workers."""

    def grade(folder: Path) -> None:
        done = labkit("grade", CLASS, "--out", folder / "out", "--cell-seconds", "4")
        assert done.returncode == 0, done.stderr
        (folder / "out" / "said").write_text(json.dumps([done.stdout, done.stderr]))

    return once("class", grade) / "out"


@pytest.fixture(scope="module")
def results(graded):
    return json.loads((graded / "results.json").read_text("utf-8"))


def test_every_submission_has_a_row(results):
    assert [row["student"] for row in results] == sorted(example.student for example in MADE)
    assert len(MADE) >= 14 and len({example.lab for example in MADE}) >= 4


def test_each_example_has_its_intended_outcome(results):
    rows, faults = {row["student"]: row for row in results}, {}
    for example in MADE:
        row = rows[example.student]
        lost = row["max_score"] - row["score"]
        found = [
            row["status"] == example.status,
            bool(row["reason"]) == (row["status"] != "graded" or row["score"] == 0),
            lost == example.lost if example.lost is not None else row["score"] == 0,
            {check["mistake"] for check in row["checks"]} - {None} == set(example.mistakes),
        ]
        if not all(found):
            faults[example.student] = row["status"], row["reason"], lost, [check["mistake"] for check in row["checks"]]
    assert faults == {}


def test_the_fields_are_those_of_the_contract(results):
    for row in results:
        head = ["student", "lab", "status", "reason", "score", "max_score", "seed", "file", "by"]
        head += ["submitted_at", "late", "attempt", "language", "passed_over", "written", "feedback", "checks"]
        assert list(row) == head and row["file"].startswith(row["student"] + "/")
        assert row["status"] in STATUSES and row["seed"] == 1
        assert row["score"] == sum(check["points"] for check in row["checks"])
        for check in row["checks"]:
            head = ["exercise", "name", "points", "max_points", "outcome", "message", "mistake", "mistakes"]
            assert list(check) == head and check["mistake"] == next((each["id"] for each in check["mistakes"]), None)
            assert check["outcome"] in OUTCOMES and 0 <= check["points"] <= check["max_points"]


def test_the_gradebook_has_the_same_rows(graded, results):
    with open(graded / "gradebook.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["student"], row["lab"], row["status"], float(row["score"])) for row in rows] == [
        (row["student"], row["lab"], row["status"], row["score"]) for row in results
    ]


def test_progress_and_summary_are_printed(graded):
    stdout, stderr = json.loads((graded / "said").read_text())
    assert f"[{len(MADE)}/{len(MADE)}]" in stderr and " left" in stderr
    assert str(graded / "results.json") in stdout and str(graded / "gradebook.csv") in stdout
    assert "Traceback" not in stdout + stderr


def test_grading_again_gives_the_same_bytes_without_running_anything(graded, labkit, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    before = (graded / "results.json").read_bytes()
    again = labkit("grade", CLASS, "--out", tmp_path / "out", "--cell-seconds", "4", "--resume")
    assert again.returncode == 0 and (tmp_path / "out" / "results.json").read_bytes() == before
