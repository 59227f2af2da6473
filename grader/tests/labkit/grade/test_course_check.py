"""A course error is printed in one line before grading starts, and never gives a student zero points."""

import os
import subprocess
import sys

import pytest
from course_copy import CourseCopy

LAB = "01_spread"
TESTS = "tests/autograder/spread/test_submission.py"
A_TEST = "def test_by_hand("


@pytest.fixture
def course(tmp_path, handout):
    handout(LAB, solved=True).save(tmp_path / "course" / "class" / "ada" / f"{LAB}.ipynb")
    return CourseCopy(tmp_path / "course")


def refused(course, says: str, times: int = 1) -> None:
    """Assert that grading is refused, even if a student's file is unreadable."""
    (course / "class" / "eve").mkdir()
    (course / "class" / "eve" / f"{LAB}.ipynb").write_text("my answers are in the mail")
    for _ in range(times):
        done = course.labkit("grade", "class", "--out", "out")
        told = [line for line in done.stderr.splitlines() if not line.startswith("[")]
        assert done.returncode == 2 and len(told) == 1 and says in told[0], done.stderr + done.stdout
        assert done.stdout == "" and not (course / "out" / "gradebook.csv").exists()


SLIPS = {
    "no Python": ((TESTS, A_TEST, "def test_by_hand(:\n"), "spread/test_submission.py, line "),
    "an import that fails": ((TESTS, "import pytest\n", "import pytest\nimport nothing_of_this_name\n"), "nothing_of_this_name"),
    "marks of another form": ((TESTS, '@points(1, "by_hand")', '@points(points=1, exercise="by_hand")'), "malformed points mark"),
    "a misspelt exercise": ((TESTS, '@points(1, "by_hand")', '@points(1, "by_hnd")'), "did you mean 'by_hand'?"),
    "points for a written answer": ((TESTS, '@points(1, "by_hand")', '@points(1, "robust")'), "graded by hand"),
    "a check without points": ((TESTS, '@points(1, "by_hand")\n', ""), "test_by_hand has no points"),
    "a check that fails itself": ((TESTS, A_TEST, A_TEST.replace("by_hand", "mine") + 'answer):\n    answer.by_hand()["x"][0]\n\n\n@points(1, "by_hand")\n' + A_TEST), "the solution does not pass its own checks of by_hand"),
    "a lab that is a dict": (("src/tiny_labs/spread/exercises.py", "LAB = Lab(", "LAB = dict("), "LAB is a dict; define the lab's exercises there as a Lab"),
    "an environment with another course's lab": (("src/tiny_labs/spread/__init__.py", 'warm=("numpy",)', 'warm=("numpy",), labs=("09_x",)'), "ENVIRONMENT names the lab '09_x', which the course does not have"),
    "two tests of one name": ((TESTS, A_TEST, A_TEST + 'answer):\n    pass\n\n\n@points(1, "by_hand")\n' + A_TEST), "test_by_hand is defined twice"),
    "a solution that is wrong": ((f"solutions/{LAB}.ipynb", "distances**2", "distances**4"), "the solution does not pass its own checks of spread"),
}  # fmt: skip


@pytest.mark.parametrize(("slip", "says"), SLIPS.values(), ids=SLIPS)
def test_a_course_error_is_one_line_before_grading(course, slip, says):
    course.change(*slip)
    refused(
        course, says, times=2 if "solution" in says else 1
    )  # the solution's record is kept and its message repeated


@pytest.mark.parametrize(
    "part",
    [
        TESTS,
        "tests/autograder/levels/__init__.py",
        f"labs/{LAB}.ipynb",
        "solutions/02_levels.ipynb",
        "src/tiny_labs/levels/expected.json",
    ],
)
def test_a_missing_part_is_named(course, part):
    (course / part).unlink()
    refused(course, f"{part} is missing")


def test_a_reference_imports_from_beside_it_and_from_beside_the_labs(course):
    """A reference may import such modules in `labkit build` and in grading."""
    (course / "tests/autograder/spread/counted.py").write_text("from statistics import pstdev\n")
    (course / "tests/autograder/shared.py").write_text("from .levels.reference import levels\n")
    reference = "tests/autograder/spread/reference.py"
    course.change(
        reference,
        "import statistics\n",
        "import statistics\n\nfrom ..shared import levels\nfrom .counted import pstdev\n",
    )
    course.change(
        reference,
        "    return statistics.pstdev(values)",
        "    assert len(levels(values)) > 0\n    return pstdev(values)",
    )
    course.change(reference, "BY_HAND = ", "assert levels((2, 1)).tolist() == [1, 2]\nBY_HAND = ")
    built = course.labkit("build", "1")
    assert built.returncode == 0, built.stderr
    done = course.labkit("grade", "class", "--out", "out")
    assert done.returncode == 0 and "6/6" in done.stdout, done.stderr


def test_tests_outside_a_labs_folder_are_reported(course):
    (course / "tests/autograder/spread").rename(course / "tests/autograder/spred")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "labkit.grade.judge.plugin"]
    environment = {**os.environ, "LABKIT_COURSE": str(course.folder)}
    done = subprocess.run(
        [*command, "tests/autograder/spred"],
        cwd=course.folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (
        done.returncode
        and "tests/autograder/spred/test_submission.py: no lab has a folder named 'spred'" in done.stdout
    )


def test_a_lab_without_its_own_mistakes_is_graded_like_the_others(course):
    (course / "src/tiny_labs/levels/mistakes.py").unlink()
    done = course.labkit("grade", "class", "--out", "out")
    assert done.returncode == 0 and "6/6" in done.stdout, done.stderr


PYTEST = """
import unittest

@points(1, "spread")
def test_quietly(answer, capsys):
    print(answer.spread((2.0, 4.0)))
    assert capsys.readouterr().out


class TestMore(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def given(self, answer):
        self.answer = answer

    @points(1, "spread")
    def test_in_a_class(self):
        expect(self.answer.spread).passes_the_check()
"""


def test_fixtures_and_test_cases_of_pytest_are_graded(course):
    (course / TESTS).write_text((course / TESTS).read_text() + PYTEST)
    done = course.labkit("grade", "class", "--out", "out")
    assert done.returncode == 0 and "8/8" in done.stdout, done.stderr
