"""`labkit build`: generate notebooks and expected data from the sources in solutions/ and the reference answers."""

from __future__ import annotations

import importlib.util
import json
import sys
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from labkit.author.source import percent as authoring
from labkit.author.source.translate import generated_editions
from labkit.author.source.wrong_formulas import check_words, stored_mistakes
from labkit.student.calls.calling import KINDS, PICTURE
from labkit.student.judging.words import load
from labkit.student.model.course import Exercise, Lab, Probe, Tolerance
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import in_a_line
from labkit.student.notebook.expected import floats_in, mistakes_of, pictures_of
from labkit.student.notebook.figures import SOURCE, png_of, style

DIGITS = 9  # of stored numbers that float32 does not hold precisely enough


def build(project: Project, lab: Lab) -> list[Path]:
    """Write the expected data, the student notebook and the executed solution of one lab; return their paths."""
    return [*write(generated(project, lab), project.root)]


def write(files: Iterable[tuple[Path, str]], root: Path) -> Iterator[Path]:
    """Write these texts to their paths below a folder, and yield the paths."""
    for path, text in files:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        yield target


def generated(project: Project, lab: Lab) -> Iterator[tuple[Path, str]]:
    """Yield the path and text of each generated file. The expected data comes first, because running a solution needs it."""
    name, expected_data = f"{lab.name}.ipynb", project.course.expected_of(lab.name)
    students, graders = _expected_texts(project, lab)
    yield expected_data.relative_to(project.root), students
    if any(exercise.graded_only for exercise in lab.exercises):
        yield project.expected_of(lab.name).relative_to(project.root), graders
    source = authoring.framed(project, authoring.read_source(project.solutions / f"{lab.name}.py", lab))
    yield (project.labs / name).relative_to(project.root), authoring.text_of(authoring.student_notebook(source))
    yield from generated_editions(project, lab)
    solution = authoring.execute(authoring.solution_notebook(source), project.solutions, project.source)
    yield (project.solutions / name).relative_to(project.root), authoring.text_of(solution)


def _expected_texts(project: Project, lab: Lab) -> tuple[str, str]:
    """Compute a lab's expected data, as a file for students and a file for graders. Errors: UserError if the reference fails."""
    path = project.reference_of(lab.name)
    if not path.exists():
        raise UserError(f"{project.below(path)} is missing: write it, because it defines the right answers")
    reference = _run(project, path, lambda: _module_at(project, path))
    load(project.course)
    mistakes, formulas = path.with_name("mistakes.py"), {}
    if mistakes.exists():
        wrong = _run(project, mistakes, lambda: _module_at(project, mistakes).WRONG)
        formulas = _run(project, mistakes, lambda: stored_mistakes(lab, wrong, reference))
        check_words(project, lab, wrong)
    students, graders = (
        _run(project, path, lambda: expected_text(lab, reference, formulas, graded_only=half)) for half in (False, True)
    )
    return students, graders


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


def _drawn(draw: Callable, probe: Probe) -> str:
    import matplotlib.pyplot as plt

    with plt.style.context(style()):
        return SOURCE + png_of(KINDS[PICTURE].call(draw, probe.inputs()), colours=32)


def _stored(value: object, exercise: Exercise | None = None) -> dict:
    """Store a value as JSON, in float32 if that is precise enough to compare answers."""
    if isinstance(value, dict):  # digests of short answers
        return value
    array = np.asarray(value, dtype=np.float64)
    tolerance = exercise.tolerance if exercise and not exercise.judge else Tolerance(0.0)
    rounded = floats_in(_text(array)).reshape(array.shape)
    if np.allclose(rounded, array, tolerance.relative / 20, tolerance.absolute / 20):  # a part of the tolerance
        return {"shape": list(array.shape), "float32": _text(array)}
    return {"shape": list(array.shape), "values": [float(f"{x:.{DIGITS}g}") for x in array.ravel()]}


def _without_digits(known: dict[str, Any]) -> dict[str, Any]:
    """Pack the signatures of a mistake, unless comparing them needs more precision than float32."""
    return known if "close" in known else {**known, "values": [_packed(value) for value in known["values"]]}


def _packed(signature: Any) -> Any:
    """Pack a numeric signature as its shape and a string, which is half as long as the digits in JSON. Other signatures stay unchanged."""
    match signature:
        case {"shape": shape, "entries": [float(), *_] as numbers}:
            return [shape, _text(np.array(numbers))]
    return signature


def _text(numbers: np.ndarray) -> str:
    with np.errstate(over="ignore"):
        return b64encode(numbers.astype("<f4").tobytes()).decode()


def _run(project: Project, path: Path, compute: Callable[[], Any]) -> Any:
    """Run the course's own code, which may raise anything. Errors: UserError, naming the file."""
    try:
        return compute()
    except UserError as error:
        raise UserError(f"{project.below(path)}: {error}") from None
    except Exception as error:
        raise UserError(f"{project.below(path)}: {in_a_line(error)}") from error


def _module_at(project: Project, path: Path) -> Any:
    package = project.autograder
    if str(package.parent) not in sys.path:
        sys.path.insert(0, str(package.parent))  # so that the file can import neighbouring modules, as under pytest
    spec = importlib.util.spec_from_file_location(f"{package.name}.{path.parent.name}.{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
