"""`labkit new-lab` adds a lab that builds and grades at once; or it prints one line and writes nothing."""

import ast
import json
import shutil

import pytest
from course_copy import CourseCopy
from longer import LONG

from labkit.author.source import new_lab
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


@pytest.fixture
def course(tmp_path):
    return CourseCopy(tmp_path / "course")


@pytest.fixture
def opened(course, monkeypatch):
    """A copy of the course, opened as this process's course."""
    monkeypatch.setattr(project, "_current", project.read(course.folder))
    return course


def files_of(course) -> dict[str, bytes]:
    paths = (path for path in course.folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(course.folder).as_posix(): path.read_bytes() for path in paths}


def test_a_new_lab_builds_and_grades_as_it_is(course, tmp_path):
    before = files_of(course)
    done = course.labkit("new-lab", "third_one")
    assert done.returncode == 0, done.stderr
    after = files_of(course)
    assert sorted(after.keys() - before.keys()) == ADDED
    assert [name for name in before if after[name] != before[name]] == [STATING]
    assert b'"01_spread", "02_levels", "03_third_one")' in after[STATING]
    text = b"".join(after[name] for name in ADDED)
    assert b"blank" not in text.lower() and b"my_labs" not in text
    assert [name for name in ADDED if b"REPLACE" not in after[name]] == ["tests/autograder/third_one/__init__.py"]
    assert all(name in done.stdout for name in ADDED)

    built = course.labkit("build", "3")
    assert built.returncode == 0, built.stderr
    if LONG:
        doctor = course.labkit("doctor")
        assert doctor.returncode == 0, doctor.stdout
    for student, folder in (("ada", "solutions"), ("cleo", "labs")):
        (tmp_path / "class" / student).mkdir(parents=True)
        shutil.copy(course / folder / "03_third_one.ipynb", tmp_path / "class" / student)
    done = course.labkit("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert [(row["lab"], row["status"], row["score"], row["max_score"]) for row in rows] == [
        ("03_third_one", "graded", 1, 1),
        ("03_third_one", "graded", 0, 1),
    ]


def test_a_name_that_cannot_be_used_is_one_line_and_writes_nothing(course):
    (course / "tests/autograder/tables.py").write_text("LIMIT = 1\n")
    before = files_of(course)
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
        done = course.labkit("new-lab", name)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, (name, done.stderr)
        assert files_of(course) == before


def test_without_a_course_or_a_name_it_is_one_line(course, tmp_path):
    (tmp_path / "empty").mkdir()
    for words, says in ((["third", "--course", tmp_path / "empty"], "labkit.toml"), ([], "NAME")):
        done = course.labkit("new-lab", *words)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1
    assert not [*(tmp_path / "empty").iterdir()]


@pytest.mark.parametrize("moves", [0, 1, 2, 3])
def test_when_the_disk_fails_the_course_is_as_it_was(opened, monkeypatch, moves):
    before, left, move = files_of(opened), [None] * moves, shutil.move

    def failing(one, other):
        if not left:
            raise OSError(28, "No space left on device", str(other))
        left.pop()
        return move(one, other)

    monkeypatch.setattr(shutil, "move", failing)
    monkeypatch.setattr(new_lab.os, "replace", failing)
    with pytest.raises(OSError, match="No space left"):
        new_lab.new_lab(project.current(), "third")
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
    found = new_lab._with_lab(source, project.current().course, "03_third")
    assert found == longer
    assert found is None or "03_third" in ast.dump(ast.parse(found))


def test_a_course_that_lists_its_labs_in_another_way_is_left_alone(opened):
    (opened / STATING).write_text(
        "from labkit.student.model.course import open_course\nCOURSE = open_course(__name__, *LABS)\n"
    )
    before = files_of(opened)
    with pytest.raises(UserError, match="src/tiny_labs/__init__.py: list all labs"):
        new_lab.new_lab(project.current(), "third")
    assert files_of(opened) == before


def test_after_lab_99_there_is_no_number_left(opened, monkeypatch):
    monkeypatch.setitem(courses._open, "tiny_labs", courses.Course("tiny_labs", ("01_spread", "99_last")))
    with pytest.raises(UserError, match="at most 99 labs"):
        new_lab.new_lab(project.current(), "third")
