"""Test the points and files that grading uses: each graded test states its points."""

import re

import pytest
from lab_words import cell

from encoding_labs import COURSE
from labkit.grade.batch import store
from labkit.grade.judge import points as points_of_checks
from labkit.grade.judge.points import points_by_check
from labkit.student.model import project


@pytest.mark.parametrize("name", COURSE.names)
def test_points_of_an_exercise_are_in_one_place(name):
    given = {exercise for _, exercise in points_by_check(project.current(), name).values()}
    assert given == {each.name for each in COURSE.labs[name].exercises if not each.written}
    assert all((each.points > 0) == each.written for each in COURSE.labs[name].exercises)


@pytest.mark.parametrize("name", COURSE.names)
def test_an_exercise_is_an_extra_if_its_checks_have_no_points(name):
    earns = {exercise for points, exercise in points_by_check(project.current(), name).values() if points}
    assert all(each.extra == (each.name not in earns) for each in COURSE.labs[name].exercises if not each.written)


@pytest.mark.parametrize("name", COURSE.names)
def test_an_exercise_is_useful_if_the_lab_says_so(name):
    """The cheat sheet opens without exercises that are useful, and the words below their headings tell students which."""
    said = {
        each.name: re.search(r"●[●○]{2} · (\w+)", cell(name, f"{each.name}_task"))[1]
        for each in COURSE.labs[name].exercises
    }
    assert {each.name for each in COURSE.labs[name].exercises if each.useful} == {
        exercise for exercise, importance in said.items() if importance == "useful"
    }


@pytest.mark.parametrize("name", COURSE.names)
def test_every_test_has_its_points_read(name):
    source = project.current().tests_of(name).read_text("utf-8")
    assert len(points_of_checks.read(source).points) == source.count("\ndef test_")


@pytest.mark.parametrize("name", COURSE.names)
def test_other_machines_get_all_that_grading_imports(name):
    """Cluster workers and autograder zips get only `autograder_files()`. If it left out an imported file, grading would fail there but not here."""
    sent = {*project.current().autograder_files()}
    assert {*store.tests_of(project.current(), name)} <= sent
