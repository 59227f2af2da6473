"""A lab's values for a student, in the student's notebook."""

from __future__ import annotations

from labkit.model.course import Course, Exercise, current
from labkit.model.parameters import of_student, values_for

_students: dict[str, str] = {}  # by lab


def parameters(lab: str, student: str = "") -> object:
    """The lab's values that are drawn for the student of this id, in their order; a single one as it is.

    Without an id they are an example. Errors: LookupError.
    """
    course = current()
    name = course.numbered(lab)
    _students[name] = student
    drawn = tuple(values_for(course.labs[name], student).values())
    return drawn if len(drawn) > 1 else drawn[0]


def as_asked(course: Course, exercise: Exercise) -> Exercise:
    """The exercise as it is asked of the student whom this notebook names."""
    if not exercise.rests_on:
        return exercise
    name = course.lab_of(exercise.name)
    lab = of_student(course.labs[name], _students.get(name, ""))
    return next(each for each in lab.exercises if each.name == exercise.name)
