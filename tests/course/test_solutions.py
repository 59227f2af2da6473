"""Grade whole labs: solutions get full points, untouched labs get none, and some changed answers get what they should."""

from importlib import import_module

from handouts import stored_values

from encoding_labs import COURSE
from labkit.grade.judge.points import points_by_check
from labkit.model.course import folder_of
from labkit.student.model import project

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
