"""Expected values of the public calls, stored as data without formulas. `labkit build` writes them for students."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from labkit.student.calls.calling import KINDS, PICTURE
from labkit.student.model.course import Course, Exercise, Lab, Probe, Tolerance
from labkit.student.model.project import Project
from labkit.student.notebook.figures import SOURCE, png_of, style

DIGITS = 9


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
            return _numbers(text).reshape(shape)
    return value


def _without_digits(known: dict[str, Any]) -> dict[str, Any]:
    """Pack the signatures of a mistake, unless comparing them needs more precision than float32."""
    return known if "close" in known else {**known, "values": [_packed(value) for value in known["values"]]}


def _packed(signature: Any) -> Any:
    """Pack a numeric signature as its shape and a string, which is half as long as the digits in JSON. Other signatures stay unchanged."""
    match signature:
        case {"shape": shape, "entries": [float(), *_] as numbers}:
            return [shape, _text(np.array(numbers))]
    return signature


def _unpacked(stored: Any) -> Any:
    match stored:
        case [shape, text]:
            return {"shape": shape, "entries": _numbers(text).tolist()}
    return stored


def _text(numbers: np.ndarray) -> str:
    with np.errstate(over="ignore"):
        return b64encode(numbers.astype("<f4").tobytes()).decode()


def _numbers(text: str) -> np.ndarray:
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


def expected_text(
    lab: Lab, reference: object, mistakes: Mapping[str, list[dict[str, Any]]], graded_only: bool = False
) -> str:
    """Compute a lab's expected data with its reference module, as JSON. graded_only: for graded-only exercises instead of all others.

    Values of functions and figures come from `reference.<exercise>(*inputs)` for each probe. For a short answer,
    `reference.<EXERCISE>` has digests, which do not reveal the answer.
    `reference.FIGURES` draws the expected figures. `reference.EXTRA` has further arrays that a lab shows, and further digests.
    mistakes: values of wrong formulas, by exercise.
    """
    entries = {}
    asked_for = [exercise for exercise in lab.exercises if exercise.graded_only == graded_only]
    for exercise in asked_for:
        if exercise.kind == "value":
            entries[exercise.name] = {"": getattr(reference, exercise.name.upper())}
        elif exercise.kind == "function" or _states_what_is_shown(reference, exercise):
            truth = getattr(reference, exercise.name)
            asked = {probe.key: probe for probe in exercise.probes if not probe.raises}
            entries[exercise.name] = {key: _stored(truth(*probe.inputs()), exercise) for key, probe in asked.items()}
        if exercise.kind == "figure" and (draw := getattr(reference, "FIGURES", {}).get(exercise.name)):
            entries[pictures_of(exercise)] = {probe.key: _drawn(draw, probe) for probe in exercise.probes}
    extra = {} if graded_only else getattr(reference, "EXTRA", {})
    for name, arrays in extra.items():
        entries[name] = {key: _stored(array) for key, array in arrays.items()}
    for exercise in asked_for:
        if known := mistakes.get(exercise.name):
            entries[mistakes_of(exercise)] = [_without_digits(each) for each in known]
    lines = (f"{json.dumps(name)}: {json.dumps(stored, separators=(',', ':'))}" for name, stored in entries.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _states_what_is_shown(reference: object, exercise: Exercise) -> bool:
    """Whether the reference has a function for the values in a figure, and EXTRA has no entry for them."""
    stated = getattr(reference, "EXTRA", {})
    return exercise.kind == "figure" and exercise.name not in stated and hasattr(reference, exercise.name)


def pictures_of(exercise: Exercise) -> str:
    """The key of an exercise's expected pictures in the expected data. Pictures are data URLs of PNGs."""
    return f"{exercise.name}: figure"


def _drawn(draw: Callable, probe: Probe) -> str:
    import matplotlib.pyplot as plt

    with plt.style.context(style()):
        return SOURCE + png_of(KINDS[PICTURE].call(draw, probe.inputs()), colours=32)


def _stored(value: object, exercise: Exercise | None = None) -> dict:
    """Store a value as JSON, in float32 if that is precise enough to compare answers."""
    if isinstance(value, dict):  # digests of short answers
        return value
    array = np.asarray(value, dtype=np.float64)
    exact = bool((_numbers(_text(array)).reshape(array.shape) == array).all())
    if exact or exercise and not exercise.judge and _float32_is_enough(array, exercise.tolerance):
        return {"shape": list(array.shape), "float32": _text(array)}
    return {"shape": list(array.shape), "values": [float(f"{x:.{DIGITS}g}") for x in array.ravel()]}


def _float32_is_enough(array: np.ndarray, tolerance: Tolerance) -> bool:
    """Whether rounding to float32 uses at most a twentieth of the tolerance."""
    allowed = tolerance.absolute + tolerance.relative * np.abs(array)
    return bool((np.abs(_numbers(_text(array)).reshape(array.shape) - array) <= allowed / 20).all())
