"""Expected values of the public calls, stored as data without formulas. `labkit build` writes them for students."""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from labkit.student.model.course import Course, Exercise, Lab
from labkit.student.model.project import Project


@cache
def expected_of(course: Course, lab: str) -> dict[str, Any]:
    """Read a lab's expected data: for each exercise, the values by probe key, and the stored mistakes."""
    path = course.expected_of(lab)
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing: run `labkit build`")
    return _read_file(path)


@cache
def graders_expected(project: Project, lab: Lab) -> dict[str, Any]:
    """Read a lab's expected data, including graded-only exercises, which students do not get."""
    own = project.expected_of(lab.name)
    return expected_of(project.course, lab.name) | (_read_file(own) if own.exists() else {})


def _read_file(path: Path) -> dict[str, Any]:
    return {name: _read_all(entry) for name, entry in json.loads(path.read_text("utf-8")).items()}


def _read_all(entry: Any) -> object:
    """Read an entry of the expected data: arrays by key, or a list of mistakes with their signatures."""
    if isinstance(entry, dict):
        return {key: _read(value) for key, value in entry.items()}
    return [{**known, "values": [_unpacked(value) for value in known["values"]]} for known in entry]


def _read(value: Any) -> object:
    match value:
        case {"shape": shape, "values": numbers}:
            return np.array(numbers, dtype=np.float64).reshape(shape)
        case {"shape": shape, "float32": text}:
            return floats_in(text).reshape(shape)
    return value


def _unpacked(stored: Any) -> Any:
    match stored:
        case [shape, text]:
            return {"shape": shape, "entries": floats_in(text).tolist()}
    return stored


def floats_in(text: str) -> np.ndarray:
    """Unpack numbers that `labkit build` stored in float32."""
    return np.frombuffer(b64decode(text), dtype="<f4").astype(np.float64)


def mistakes_of(exercise: Exercise) -> str:
    """The key of an exercise's wrong values in the expected data."""
    return f"{exercise.name}: mistakes"


def known_mistakes(project: Project, exercise: str) -> list[str]:
    """The ids of the exercise's mistakes that a formula or a recognizer can detect."""
    from labkit.student.judging.diagnosis import catalogue

    course = project.course
    lab = course.labs[course.lab_of(exercise)]
    known = graders_expected(project, lab) if course.expected_of(lab.name).exists() else {}
    stored = known.get(mistakes_of(course.exercises[exercise]), ())
    ids = [
        *(id for id, _ in catalogue(course).get(exercise, ())),
        *(id for each in stored for id in each["id"].split()),
    ]
    return [*dict.fromkeys(id.partition("/")[0] for id in ids)]


def pictures_of(exercise: Exercise) -> str:
    """The key of an exercise's expected pictures in the expected data. Pictures are data URLs of PNGs."""
    return f"{exercise.name}: figure"
