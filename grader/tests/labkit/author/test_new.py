"""`labkit new`: your own course, created, built, graded and tested as its README says."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import commands
from readme_steps import add_midrange

from labkit.author.source.new import package_name
from labkit.student.model import project

HERE = {name: value for name, value in os.environ.items() if name not in (project.VARIABLE, "PYTHONPATH")}


@pytest.fixture
def run():
    """Run a command of this environment in a folder, as a user would."""

    def command(folder: Path, *words: object) -> subprocess.CompletedProcess:
        program, *arguments = map(str, words)
        if program == "labkit":
            return commands().run(*arguments, cwd=folder, env=HERE)
        line = [str(Path(sys.executable).with_name(program)), *arguments]
        return subprocess.run(line, cwd=folder, env=HERE, capture_output=True, text=True, timeout=240)

    return command


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A new course, built."""
    folder = tmp_path_factory.mktemp("new") / "my course, 1é"
    for command, where in ((["new", folder.name], folder.parent), (["build"], folder)):
        done = commands().run(*command, cwd=where, env=HERE)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def course(made, tmp_path):
    """A copy of the course that a test may change."""
    return shutil.copytree(made, tmp_path / "course")


def test_every_row_of_its_class_is_right(made, run, tmp_path):
    done = run(made, "labkit", "grade", "examples/class", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = {row["student"]: row for row in json.loads((tmp_path / "results.json").read_text("utf-8"))}
    assert {name: (row["status"], row["score"], row["max_score"]) for name, row in rows.items()} == {
        "ada": ("graded", 4, 4),
        "bob": ("graded", 1, 4),
        "cleo": ("graded", 0, 4),
    }
    assert {check["mistake"] for check in rows["bob"]["checks"] if check["mistake"]} == {"sample-spread"}


@pytest.mark.long("runs the new course's tests; its class is graded in another test")
def test_its_own_tests_pass(made, run):
    tests = run(made, "pytest", "-q", "-p", "no:cacheprovider")
    assert tests.returncode == 0 and "8 passed" in tests.stdout, tests.stdout


@pytest.mark.long("test_cli.py runs labkit doctor on the tiny course, which is made from a new course")
def test_the_doctor_finds_it_sound(made, run):
    doctor = run(made, "labkit", "doctor")
    assert doctor.returncode == 0, doctor.stdout


def test_its_lab_says_which_mistake_was_made(made, run):
    done = run(made, "labkit", "check", "examples/class/bob/01_spread.ipynb")
    assert "dividing by 2" in done.stdout and "By hand: right" in done.stdout, done.stdout + done.stderr


def test_the_mistake_that_its_readme_adds_is_named(judged, handout):
    """The tests' tiny course is made as its README says, with the README's blocks of code."""
    result = judged(handout("01_spread").write("midrange", "def midrange(values):\n    return float(np.mean(values))"))
    named = {each.mistake for check in result.of_exercise("midrange") for each in check.mistakes}
    assert result.max_score == 6 and named == {"mean-instead"}


@pytest.mark.long("repeats the steps that make the tiny course, as commands")
def test_its_readme_adds_an_exercise_and_a_mistake(course, run):
    add_midrange(course)
    assert run(course, "labkit", "build").returncode == 0
    lab = json.loads((course / "labs/01_spread.ipynb").read_text("utf-8"))
    answer = next(cell for cell in lab["cells"] if cell["id"] == "midrange")
    answer["source"] = "def midrange(values):\n    return float(np.mean(values))"
    (course / "class/dora").mkdir(parents=True)
    (course / "class/dora/01_spread.ipynb").write_text(json.dumps(lab))
    done = run(course, "labkit", "grade", "class", "--out", "out")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((course / "out/results.json").read_text("utf-8"))
    checks = [check for check in row["checks"] if check["name"] == "midrange"]
    assert row["max_score"] == 6 and [check["mistake"] for check in checks] == ["mean-instead"]
    assert run(course, "labkit", "doctor").returncode == 0


def test_an_unreadable_mistake_file_is_one_line_and_costs_no_points(course, run):
    source = next(course.glob("src/*/spread"))
    (source / "mistakes.py").write_text("1 / 0\n", "utf-8")
    done = run(course, "labkit", "grade", "examples/class/cleo", "--out", "out")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "mistakes" in done.stderr
    assert "ZeroDivisionError" in done.stderr and not (course / "out/results.json").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path, run):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name, says in (("taken", "not empty"), ("file", "a file with this name")):
        done = run(tmp_path, "labkit", "new", name)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1
    assert [path.name for path in (tmp_path / "taken").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("folder", "package"),
    [("demo", "demo_labs"), ("My Labs", "my_labs"), ("2026 ws", "the_2026_ws_labs"), ("é", "labs"), ("tiny labs", "tiny_labs_course")],
)  # fmt: skip
def test_the_package_is_called_like_the_folder(folder, package):
    assert package_name(folder) == package


WRONG = {
    'package = "': "labkit.toml: ",
    'languages = ["en"]': "it must name the course's package",
    'package = "my_labs"\nlanguage = "en"\n': "language is not known; did you mean languages?",
    'package = "nothing_of_this_name"\n': "cannot be imported",
    'package = "json"\n': "the package json defines no course",
    'package = "json"\nlanguages = "en"\n': "languages has the wrong type",
    'package = "json"\nlocked = [1]\n': "locked has the wrong type",
    'package = "json"\n[folders]\nlabs = 5\n': "folders has the wrong type",
    'package = "json"\n[folders]\nsolution = "x"\n': "folders.solution is not known; did you mean solutions?",
    'package = "json"\n[budgets]\ncell-seconds = 0\n': "budgets.cell-seconds must be a number of at least 0.5",
}


@pytest.mark.parametrize(("text", "says"), WRONG.items(), ids=range(len(WRONG)))
def test_an_error_in_the_manifest_is_one_line(text, says, tmp_path, run):
    (tmp_path / project.MANIFEST).write_text(text)
    done = run(tmp_path, "labkit", "doctor")
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1


def test_a_course_is_named_from_anywhere(made, run, tmp_path):
    done = run(tmp_path, "labkit", "grade", made / "examples/class/cleo", "--out", "out", "--course", made)
    assert done.returncode == 0 and (tmp_path / "out/gradebook.csv").exists()
    done = run(tmp_path, "labkit", "grade", made / "examples/class", "--out", "out", "--course", tmp_path)
    assert done.returncode == 2 and "labkit.toml" in done.stderr and done.stderr.count("\n") == 1
