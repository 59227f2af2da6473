"""What the checks are worth stands at the checks, and the README's table says the same."""

import re

import pytest

from encoding_labs import COURSE
from labkit import project
from labkit.grading.worths import worths_of


def worth(lab: str) -> int:
    return sum(points for points, _ in worths_of(lab).values())


@pytest.mark.parametrize("name", COURSE.names)
def test_the_readme_says_what_a_lab_is_worth(name):
    readme = (project.current().root / "README.md").read_text("utf-8")
    (checked, written) = re.search(rf"labs/{name}\.ipynb\).*\| (\d+) \+ (\d+) \|$", readme, re.MULTILINE).groups()
    exercises = COURSE.labs[name].exercises
    assert int(checked) == worth(name) and int(written) == sum(each.points for each in exercises if each.written)


@pytest.mark.parametrize("name", COURSE.names)
def test_points_of_an_exercise_stand_in_one_place(name):
    given = {exercise for _, exercise in worths_of(name).values()}
    assert given == {each.name for each in COURSE.labs[name].exercises if not each.written}
    assert all((each.points > 0) == each.written for each in COURSE.labs[name].exercises)
