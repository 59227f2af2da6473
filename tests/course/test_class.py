"""Grade whole labs and examples/class: solutions get full points, untouched labs none, and every submission the expected outcome."""

import csv
import json
import shutil
from importlib import import_module
from pathlib import Path

import pytest
from class_of_examples import MADE
from handouts import stored_values

from encoding_labs import COURSE
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import OUTCOMES, STATUSES
from labkit.model.course import folder_of
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


LAB = "01_build_the_table"


def test_the_solution_gets_full_points(judged, handout, name):
    """Also tests that labkit reads the same points from the tests' source as pytest does from their marks."""
    result = judged(handout(name, solved=True))
    tests = vars(import_module(f"autograder.{folder_of(name)}.test_submission")).values()
    marks = [mark for test in tests for mark in getattr(test, "pytestmark", ()) if mark.name == "points"]
    assert (result.status, result.reason) == ("graded", None)
    worth = sum(points for points, _ in points_by_check(project.current(), name).values())
    assert result.score == result.max_score == worth == sum(mark.args[0] for mark in marks) > 0
    assert {check.outcome for check in result.checks} <= {"passed", "manual"}, [
        c for c in result.checks if c.outcome == "failed"
    ]


def test_the_untouched_lab_gets_no_points(judged, handout, name):
    result = judged(handout(name))
    assert result.status == "graded" and result.score == 0 < result.max_score
    assert {check.outcome for check in result.checks} == {"missing"}


def test_the_answer_to_lab_01_cannot_be_imported(judged, handout):
    copy = handout(LAB).write("sinusoidal_pe", "from minimodel.positional.sinusoidal import sinusoidal_pe")
    assert judged(copy).score == 0


def test_reading_the_stored_values_earns_nothing(judged, handout, name):
    """A submission can read the expected results of the calls that the lab checks, but returning them earns no points."""
    copy = handout(name)
    for exercise in COURSE.labs[name].exercises:
        if exercise.kind == "function":
            copy.write(exercise.name, stored_values(name, exercise.name))
    assert judged(copy).score == 0
