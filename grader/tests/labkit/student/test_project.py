"""A project: the attributes that functions can use, and what is left of it after pickling for another process."""

import pickle
from dataclasses import replace

from labkit.student.model import course, project


def test_a_project_opens_its_own_course():
    here = project.current()
    assert here.course is course.current()
    assert replace(here).course is here.course


def test_a_project_travels_without_its_course():
    here = project.current()
    here.course.mistakes  # modules, which cannot be pickled
    there = pickle.loads(pickle.dumps(here))
    assert there == here and "course" not in vars(there)
    assert there.course is here.course


def test_projects_with_other_folders_are_other_keys():
    here = project.current()
    other = replace(here, autograder=here.root / "elsewhere")
    assert {here: 1, other: 2} == {replace(here): 1, replace(other): 2}
