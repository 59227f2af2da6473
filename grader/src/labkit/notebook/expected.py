"""What the public probes must give, stored as data: `labkit build` writes it, students get it, no formula is in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from labkit.calls.kinds import PICTURE, kind_of
from labkit.model import course
from labkit.model.course import Exercise, Lab, Probe
from labkit.notebook.figures import SOURCE, STYLE, png_of

DIGITS = 9


@cache
def expected_of(lab: str) -> dict[str, Any]:
    """For each exercise of the lab the expected value of each public probe by the probe's key, and its stored mistakes."""
    path = course.current().expected_of(lab)
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing: run `labkit build`")
    stored = json.loads(path.read_text("utf-8"))
    return {name: _read_all(entry) for name, entry in stored.items()}


def _read_all(entry: object) -> object:
    """Values by key as arrays; a list of mistakes as it is."""
    return {key: _read(value) for key, value in entry.items()} if isinstance(entry, dict) else entry


def _read(value: object) -> object:
    if isinstance(value, dict) and set(value) == {"shape", "values"}:
        return np.array(value["values"], dtype=np.float64).reshape(value["shape"])
    return value


def mistakes_of(exercise: Exercise) -> str:
    """The name under which the expected data have what the exercise's wrong formulas give."""
    return f"{exercise.name}: mistakes"


def names_of(exercise: Exercise) -> list[str]:
    """The mistakes that an exercise's checks can name: those of its wrong formulas and of its recognizers."""
    from labkit.judging.diagnosis import catalogue

    here = course.current()
    lab = here.lab_of(exercise.name)
    stored = expected_of(lab).get(mistakes_of(exercise), ()) if here.expected_of(lab).exists() else ()
    ids = (*(each["id"] for each in stored), *(id for id, _ in catalogue().get(exercise.name, ())))
    return sorted({id.partition("/")[0] for id in ids})


def expected_text(lab: Lab, reference: object, mistakes: Mapping[str, list[dict[str, Any]]]) -> str:
    """The JSON text for a lab, computed by its reference module.

    A function's values come from `reference.<exercise>(*inputs)` for every probe; short answers from
    `reference.<EXERCISE>` as digests, so that the file does not spell them out; `reference.FIGURES` draws what figures
    are to look like; `reference.EXTRA` holds further arrays that a lab shows, and further digests. mistakes: by exercise,
    what its wrong formulas give.
    """
    entries = {}
    for exercise in lab.exercises:
        if exercise.kind == "value":
            entries[exercise.name] = {"": getattr(reference, exercise.name.upper())}
        elif exercise.kind == "function":
            truth = getattr(reference, exercise.name)
            asked = {probe.key: probe for probe in exercise.probes if not probe.raises}
            entries[exercise.name] = {key: _stored(truth(*probe.inputs())) for key, probe in asked.items()}
        elif exercise.kind == "figure" and (draw := getattr(reference, "FIGURES", {}).get(exercise.name)):
            entries[pictures_of(exercise)] = {probe.key: _drawn(draw, probe) for probe in exercise.probes}
    for name, arrays in getattr(reference, "EXTRA", {}).items():
        entries[name] = {key: _stored(array) for key, array in arrays.items()}
    entries |= {
        mistakes_of(exercise): mistakes[exercise.name] for exercise in lab.exercises if exercise.name in mistakes
    }
    lines = (f"{json.dumps(name)}: {json.dumps(stored)}" for name, stored in entries.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def pictures_of(exercise: Exercise) -> str:
    """The name under which the expected data have what a figure is to look like, as addresses that hold a PNG."""
    return f"{exercise.name}: figure"


def _drawn(draw: Callable, probe: Probe) -> str:
    import matplotlib.pyplot as plt

    with plt.style.context(STYLE):
        return SOURCE + png_of(kind_of(PICTURE).call(draw, probe.inputs()))


def _stored(value: object) -> dict:
    if isinstance(value, dict):  # digests of short answers
        return value
    array = np.asarray(value, dtype=np.float64)
    return {"shape": list(array.shape), "values": [float(f"{x:.{DIGITS}g}") for x in array.ravel()]}
