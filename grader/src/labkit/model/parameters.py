"""Values per student: a lab's public parameters, drawn from the student's id alone, so that anybody can draw them again."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from labkit.model.course import Exercise, Lab, Parameter, Probe

CELL = "parameters"  # the id of the cell that states them: `d, base = parameters("05")`


def values_for(lab: Lab, student: str) -> dict[str, object]:
    """The value of each parameter for a student, by its name; the first of its choices without a student."""
    id = unicodedata.normalize("NFC", student).strip().casefold()

    def place(parameter: Parameter) -> int:
        text = f"{lab.name}/{parameter.name}/{id}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()) % len(parameter.choices) if id else 0

    return {each.name: each.choices[place(each)] for each in lab.parameters}


def of_student(lab: Lab, student: str) -> Lab:
    """The lab as it is asked of a student: exercises that rest on drawn values are compared with what is right for these."""
    if not lab.parameters:
        return lab
    values = values_for(lab, student)
    return replace(lab, student=student, exercises=tuple(_with(each, values) for each in lab.exercises))


def _with(exercise: Exercise, values: dict[str, object]) -> Exercise:
    if not exercise.rests_on:
        return exercise
    return replace(exercise, probes=(Probe(tuple(values[name] for name in exercise.rests_on)),))


def all_probes(lab: Lab, exercise: Exercise) -> Iterator[Probe]:
    """A probe for each combination of values that an exercise rests on."""
    choices = {each.name: each.choices for each in lab.parameters}
    return map(Probe, product(*(choices[name] for name in exercise.rests_on)))


def stated(source: str, lab: Lab, student: str) -> str:
    """The cell that states the parameters, for a student: its call names the student, and a comment the values."""
    call, end, rest = source.rstrip().rpartition(")")
    return f"{call}, {student!r}{end}{rest}  # {', '.join(told(lab, student))}"


def told(lab: Lab, student: str) -> list[str]:
    """The values of a student as they are read: d = 16."""
    return [f"{name} = {value!r}" for name, value in values_for(lab, student).items()]
