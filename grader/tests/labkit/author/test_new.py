"""`labkit new` makes a course that builds and grades as its README says, and `labkit new-lab` adds a lab to a course."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import commands
from course_copy import CourseCopy
from longer import LONG

from labkit.author.source import new
from labkit.student.model import course as courses
from labkit.student.model import project
from labkit.student.model.errors import UserError

ADDED = [
    "solutions/03_third_one.py",
    "src/tiny_labs/third_one/__init__.py",
    "src/tiny_labs/third_one/exercises.py",
    "src/tiny_labs/third_one/words.en.toml",
    "tests/autograder/third_one/__init__.py",
    "tests/autograder/third_one/reference.py",
    "tests/autograder/third_one/test_submission.py",
]
STATING = "src/tiny_labs/__init__.py"
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


def test_the_mistake_that_its_readme_adds_is_named(judged, handout):
    """The tests' tiny course is made as its README says, with the README's blocks of code."""
    result = judged(handout("01_spread").write("midrange", "def midrange(values):\n    return float(np.mean(values))"))
    named = {each.mistake for check in result.of_exercise("midrange") for each in check.mistakes}
    assert result.max_score == 6 and named == {"mean-instead"}


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
    assert new.package_name(folder) == package


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


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """A copy of the tests' course, opened as this process's course."""
    copy = CourseCopy(tmp_path / "copy")
    monkeypatch.setattr(project, "_current", project.read(copy.folder))
    return copy


def files_of(course) -> dict[str, bytes]:
    paths = (path for path in course.folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(course.folder).as_posix(): path.read_bytes() for path in paths}


def test_a_new_lab_builds_and_grades_as_it_is(opened, tmp_path):
    before = files_of(opened)
    done = opened.labkit("new-lab", "third_one")
    assert done.returncode == 0, done.stderr
    after = files_of(opened)
    assert sorted(after.keys() - before.keys()) == ADDED
    assert [name for name in before if after[name] != before[name]] == [STATING]
    assert b'"01_spread", "02_levels", "03_third_one")' in after[STATING]
    text = b"".join(after[name] for name in ADDED)
    assert b"blank" not in text.lower() and b"my_labs" not in text
    assert [name for name in ADDED if b"REPLACE" not in after[name]] == ["tests/autograder/third_one/__init__.py"]
    assert all(name in done.stdout for name in ADDED)

    built = opened.labkit("build", "3")
    assert built.returncode == 0, built.stderr
    if LONG:
        doctor = opened.labkit("doctor")
        assert doctor.returncode == 0, doctor.stdout
    for student, folder in (("ada", "solutions"), ("cleo", "labs")):
        (tmp_path / "class" / student).mkdir(parents=True)
        shutil.copy(opened / folder / "03_third_one.ipynb", tmp_path / "class" / student)
    done = opened.labkit("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert [(row["lab"], row["status"], row["score"], row["max_score"]) for row in rows] == [
        ("03_third_one", "graded", 1, 1),
        ("03_third_one", "graded", 0, 1),
    ]


def test_a_lab_name_that_cannot_be_used_is_one_line_and_writes_nothing(opened):
    (opened / "tests/autograder/tables.py").write_text("LIMIT = 1\n")
    before = files_of(opened)
    for name, says in {
        "Third": "cannot be a lab's name",
        "third-one": "cannot be a lab's name",
        "../third": "cannot be a lab's name",
        "": "cannot be a lab's name",
        "t" * 41: "cannot be a lab's name",
        "é": "cannot be a lab's name",
        "03_third": "leave out the number",
        "class": "is a reserved name",
        "samples": "is a reserved name",
        "spread": "src/tiny_labs/spread already exists",
        "tables": "tests/autograder/tables.py already exists",
    }.items():
        done = opened.labkit("new-lab", name)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, (name, done.stderr)
        assert files_of(opened) == before


@pytest.mark.parametrize("moves", [0, 1, 2, 3])
def test_when_the_disk_fails_the_course_is_as_it_was(opened, monkeypatch, moves):
    before, left, move = files_of(opened), [None] * moves, shutil.move

    def failing(one, other):
        if not left:
            raise OSError(28, "No space left on device", str(other))
        left.pop()
        return move(one, other)

    monkeypatch.setattr(shutil, "move", failing)
    monkeypatch.setattr(new.os, "replace", failing)
    with pytest.raises(OSError, match="No space left"):
        new.new_lab(project.current(), "third")
    assert files_of(opened) == before and not left
    assert not list(opened.folder.rglob("*third*"))


LISTED = {
    'open_course(__name__, "01_spread", "02_levels")': 'open_course(__name__, "01_spread", "02_levels", "03_third")',
    'x.open_course(\n    __name__,\n    "01_spread",\n    "02_levels",  # é\n)\n': 'x.open_course(\n    __name__,\n    "01_spread",\n    "02_levels",\n    "03_third",  # é\n)\n',
    'é = open_course(__name__, "01_spread",\n  "02_levels")': 'é = open_course(__name__, "01_spread",\n  "02_levels",\n  "03_third")',
    "open_course(__name__, *LABS)": None,
    'open_course(__name__, "01_spread")': None,
    'open_course(__name__, "01_spread", names="02_levels")': None,
    "COURSE = None": None,
}  # fmt: skip


@pytest.mark.parametrize(("source", "longer"), LISTED.items(), ids=range(len(LISTED)))
def test_the_labs_are_listed_as_they_were_and_the_new_one_last(source, longer):
    found = new._with_lab(source, project.current().course, "03_third")
    assert found == longer
    assert found is None or "03_third" in ast.dump(ast.parse(found))


def test_a_course_that_lists_its_labs_in_another_way_is_left_alone(opened):
    (opened / STATING).write_text(
        "from labkit.student.model.course import open_course\nCOURSE = open_course(__name__, *LABS)\n"
    )
    before = files_of(opened)
    with pytest.raises(UserError, match="src/tiny_labs/__init__.py: list all labs"):
        new.new_lab(project.current(), "third")
    assert files_of(opened) == before


def test_after_lab_99_there_is_no_number_left(opened, monkeypatch):
    monkeypatch.setitem(courses._open, "tiny_labs", courses.Course("tiny_labs", ("01_spread", "99_last")))
    with pytest.raises(UserError, match="at most 99 labs"):
        new.new_lab(project.current(), "third")
