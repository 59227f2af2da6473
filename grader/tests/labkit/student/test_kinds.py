"""Kinds of exercises: a course's own kind of answer, and exercises without a check in the notebook."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from course_copy import CourseCopy

from labkit.student.calls import calling
from labkit.student.calls.calling import call_answer, read_reply, reply
from labkit.student.calls.wire import Malformed
from labkit.student.judging.observation import Raised
from labkit.student.model.course import Exercise, Probe


@pytest.fixture
def words(monkeypatch):
    """A kind of answer that is called with a text and returns words, which are compared as a set."""
    monkeypatch.setattr(calling, "KINDS", dict(calling.KINDS))

    def read(plain, inputs):
        if not isinstance(plain, list) or not all(isinstance(word, str) for word in plain):
            raise Malformed("no words")
        return set(plain)

    calling.add_kind("words", lambda answer, inputs: list(answer(*inputs)), read)
    return Exercise("longest", kind="words", probes=(Probe(("a to the",)),))


def given(exercise: Exercise, answer) -> object:
    probe = exercise.probes[0]
    value = call_answer({exercise.name: answer}, exercise.name, exercise.kind, probe.inputs())
    return calling.received(exercise, probe, read_reply(reply(value)))


def test_an_added_kind_is_called_in_the_kernel_and_read_outside(words):
    assert given(words, lambda text: text.split()) == {"a", "to", "the"}
    assert given(words, lambda text: [1]) == Raised("Malformed", "no words")
    assert given(words, lambda text: 1 / 0).error == "ZeroDivisionError"


def test_an_answer_that_changes_its_argument_changes_only_a_copy():
    values = np.array([3.0, 1.0])
    assert call_answer({"last": lambda values: values.sort() or values[-1]}, "last", "function", (values,)) == 3
    assert values.tolist() == [3, 1]


LAB, WRONG = "01_spread", "def midrange(values):\n    return sum(values) / len(values)"
CHECKED = """
import {package}.spread
from labkit.student.notebook import check, cheat_sheet
check("midrange", namespace={{"midrange": min}})
check("by_hand", namespace={{"by_hand": [1.0, 1.63]}})
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The course with midrange graded only, built."""
    copy = CourseCopy(tmp_path_factory.mktemp("graded-only") / "course")
    copy.change(
        "src/tiny_labs/spread/exercises.py",
        'Exercise(name="midrange", ',
        'Exercise(name="midrange", graded_only=True, ',
    )
    done = copy.labkit("build")
    assert done.returncode == 0, done.stderr
    return copy


def test_students_get_neither_its_values_nor_its_mistakes(course):
    students, graders = (
        json.loads((course / path / "spread/expected.json").read_text("utf-8"))
        for path in ("src/tiny_labs", "tests/autograder")
    )
    assert [name for name in students if "midrange" in name] == []
    assert [*graders] == ["midrange", "midrange: mistakes"]


def test_its_check_says_that_it_is_graded_only_and_it_is_not_counted(course):
    surroundings = {**os.environ, "PYTHONPATH": str(course / "src"), "LABKIT_COURSE": str(course / ".")}
    command = [sys.executable, "-c", CHECKED.format(package="tiny_labs")]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=120)
    said = " ".join(done.stdout.split())
    assert said.startswith("… midrange: this exercise has no check here."), done.stderr
    assert "▸ 1 of 2 checks in this lab have passed so far." in said


def test_its_mistakes_are_named_when_it_is_graded(course, handout):
    handout(LAB, solved=True).write("midrange", WRONG).save(course / f"class/ada/{LAB}.ipynb")
    done = course.labkit("grade", "class", "--out", "out")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((course / "out/results.json").read_text("utf-8"))
    (lost,) = [check for check in row["checks"] if check["outcome"] == "failed" and check["max_points"]]
    assert (lost["exercise"], lost["mistake"]) == ("midrange", "mean-instead")
    assert lost["message"].endswith("which is their mean. Does every value count for the midrange?")
    assert "which is their mean." in (course / "out/students/ada.html").read_text("utf-8")


def test_missing_reference_values_are_reported_before_grading(course, handout):
    path = course / "tests/autograder/spread/expected.json"
    content = path.read_bytes()
    path.unlink()
    try:
        handout(LAB).save(course / f"class/ada/{LAB}.ipynb")
        done = course.labkit("grade", "class", "--out", "other")
        assert (done.returncode, done.stdout) == (2, "")
        assert "tests/autograder/spread/expected.json is missing: run `labkit build`" in done.stderr
    finally:
        path.write_bytes(content)
