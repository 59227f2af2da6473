"""Test the course: solutions get full points, an untouched lab gets none, and the example class gets the points below."""

import json
from pathlib import Path

import pytest
from my_labs import COURSE

from labkit.grade.judge.judge import judge_file
from labkit.student.model import project

HERE = project.current()


@pytest.mark.parametrize("lab", COURSE.names)
def test_the_solution_gets_full_points_and_an_untouched_lab_none(lab):
    solved = judge_file(HERE, HERE.solutions / f"{lab}.ipynb", "solution")
    untouched = judge_file(HERE, HERE.labs / f"{lab}.ipynb", "student")
    assert (solved.status, solved.score) == ("graded", solved.max_score) and solved.max_score > 0
    assert (untouched.status, untouched.score) == ("graded", 0)


# Each student's expected points, and the mistakes that the feedback should name.
CLASS = [("ada", 4, set()), ("bob", 1, {"sample-spread"}), ("cleo", 0, set())]


@pytest.mark.parametrize(("student", "points", "mistakes"), CLASS)
def test_the_example_class(student, points, mistakes):
    result = judge_file(HERE, HERE.examples / student / "01_spread.ipynb", student)
    assert result.score == points
    assert {check.mistake for check in result.checks if check.mistake} == mistakes


def test_generated_files_match_their_sources():
    from labkit.author.source.build import generated

    for lab in COURSE.labs.values():
        for path, text in generated(HERE, lab):
            assert texts(text) == texts((HERE.root / Path(path)).read_text("utf-8")), f"{path}: run `labkit build`"


def texts(content):
    """Return what must match: the source of each cell in a notebook, or the whole content of a data file."""
    read = json.loads(content)
    return [cell["source"] for cell in read["cells"]] if "cells" in read else read
