"""Draw a lab's parameters for each student, using only the student's id, so that the values can be drawn again later."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from labkit.model.course import Exercise, Lab, Parameter, Probe

CELL = "parameters"  # the id of the cell with the values: `d, base = parameters("05")`


def values_for(lab: Lab, student: str) -> dict[str, object]:
    """Draw the value of each parameter for a student, by name. Without a student, each has its first choice."""
    id = unicodedata.normalize("NFC", student).strip().casefold()

    def place(parameter: Parameter) -> int:
        text = f"{lab.name}/{parameter.name}/{id}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()) % len(parameter.choices) if id else 0

    return {each.name: each.choices[place(each)] for each in lab.parameters}


def of_student(lab: Lab, student: str) -> Lab:
    """The lab with this student's drawn values. Exercises that depend on them are checked against the matching right values."""
    if not lab.parameters:
        return lab
    values = values_for(lab, student)
    return replace(lab, student=student, exercises=tuple(_with(each, values) for each in lab.exercises))


def _with(exercise: Exercise, values: dict[str, object]) -> Exercise:
    if not exercise.rests_on:
        return exercise
    return replace(exercise, probes=(Probe(tuple(values[name] for name in exercise.rests_on)),))


def all_probes(lab: Lab, exercise: Exercise) -> Iterator[Probe]:
    """Make a probe for each combination of the values that an exercise depends on."""
    choices = {each.name: each.choices for each in lab.parameters}
    return map(Probe, product(*(choices[name] for name in exercise.rests_on)))


def stated(source: str, lab: Lab, student: str) -> str:
    """Write the cell with the parameters for a student: the call gets the student's id, and a comment shows the values."""
    call, end, rest = source.rstrip().rpartition(")")
    return f"{call}, {student!r}{end}{rest}  # {', '.join(values_in_words(lab, student))}"


def values_in_words(lab: Lab, student: str) -> list[str]:
    """A student's values as text, such as d = 16."""
    return [f"{name} = {value!r}" for name, value in values_for(lab, student).items()]
