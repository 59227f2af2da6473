"""Draw an answer next to the expected result, and mark where arrays differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from labkit.student.calls.calling import PICTURE, received
from labkit.student.judging.compare import errors
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, call_of, judge
from labkit.student.judging.words import in_words, say
from labkit.student.model.course import Course, Probe, current
from labkit.student.notebook.examine import Examination, call_in, examination_of, user_namespace
from labkit.student.notebook.expected import expected_of, pictures_of
from labkit.student.notebook.figures import SOURCE, png_of, show, show_beside
from labkit.student.notebook.language import spoken
from labkit.student.notebook.messages import laid_out, paragraphs, tell
from labkit.student.notebook.missing import UnknownExercise


def look(name: str, *, namespace: Mapping[str, object] | None = None) -> None:
    """Print the check's message for an exercise, and draw its first wrong array or figure next to the expected one."""
    course, language = current(), spoken()
    try:
        examination = examination_of(course, name, namespace)
    except UnknownExercise as problem:
        problem.tell(language)
        return
    wrong = first_wrong_array(examination)
    known = user_namespace() if namespace is None else namespace
    pictures = None if wrong else first_wrong_figure(course, examination, known, language)
    lacks = "" if wrong or pictures or examination.unwritten else _no_picture(examination, language)
    plain = "\n".join(filter(None, (laid_out(examination.line(language)), lacks)))
    tell(plain, examination.shown(language, paragraphs(lacks) if lacks else ""))
    if wrong:
        figure, words = (wrong.exercise.look or beside)(wrong, language)
        show(figure, alt=words)
    elif pictures:
        call, *drawn = pictures
        show_beside(dict(zip((_label("yours", language), _label("asked", language)), drawn)), call)


def _no_picture(examination: Examination, language: str) -> str:
    why = "look-form" if examination.findings else "look-right"
    return say("", Finding("look-nothing", {"why": Finding(why)}), language)


def first_wrong_array(examination: Examination) -> Observation | None:
    """The first wrong observation whose array has the expected shape, so that entries can be compared."""
    for seen in examination.observations if examination.findings else ():
        actual, expected = drawable(seen.actual), drawable(seen.expected)
        if actual is not None and expected is not None and actual.shape == expected.shape and judge(seen):
            return replace(seen, actual=actual, expected=expected)
    return None


def drawable(value: object) -> np.ndarray | None:
    """Convert a value to an array with one or two axes. Several tables of the same shape are placed side by side."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, np.ndarray) for part in value):
        value = np.stack(value) if len({part.shape for part in value}) == 1 else None
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf" or value.size < 2:
        return None
    flat = np.hstack(value) if value.ndim == 3 else value
    return flat if flat.ndim in (1, 2) else None


def first_wrong_figure(
    course: Course, examination: Examination, namespace: Mapping[str, object], language: str
) -> tuple[str, str, str] | None:
    """For the first call with a wrong figure, return the call as text, and the student's and the expected figure as data URLs."""
    exercise = examination.exercise
    targets = expected_of(course, course.lab_of(exercise.name)).get(pictures_of(exercise), {})
    for seen in examination.observations if examination.findings else ():
        probe = Probe(seen.args)
        if probe.key in targets and judge(seen):
            drawn = replace(exercise, kind=PICTURE)
            pixels = received(drawn, probe, call_in(namespace, drawn, probe))
            if isinstance(pixels, np.ndarray):
                return in_words(exercise.name, call_of(seen), language), SOURCE + png_of(pixels), targets[probe.key]
    return None


def beside(observation: Observation, language: str = "en"):
    """Draw the answer, the expected value and their difference, as curves or heatmaps. Returns the figure and its description."""
    import matplotlib.pyplot as plt

    label = partial(_label, language=language)
    actual = np.nan_to_num(observation.actual.astype(np.float64), posinf=0, neginf=0)
    expected = np.asarray(observation.expected, dtype=np.float64)
    error, wrong = errors(actual, expected, observation.exercise.tolerance)
    call = in_words(observation.exercise.name, call_of(observation), language)
    if error.ndim == 1:
        figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 4.6), sharex=True, height_ratios=(2, 1))
        top.plot(expected, "-", color="0.6", lw=5, label=label("asked"))
        top.plot(actual, ".-", label=label("yours"))
        top.set(title=call)
        top.legend()
        bottom.plot(error, ".-", color="C1")
        bottom.set(xlabel=label("index"), ylabel=label("difference"))
    else:
        most = float(max(np.abs(actual).max(), np.abs(expected).max())) or 1.0
        figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True)
        drawn = (
            (actual, "yours", "RdBu_r", -most),
            (expected, "asked", "RdBu_r", -most),
            (error, "difference", "Greys", 0),
        )
        for ax, (values, title, colours, least) in zip(axes, drawn):
            top = most if least else float(error.max()) or 1.0
            image = ax.imshow(values, cmap=colours, vmin=least, vmax=top, aspect="auto", interpolation="nearest")
            ax.set(title=label(title), xlabel=label("column"))
            ax.grid(False)
            figure.colorbar(image, ax=ax)
        axes[0].set_ylabel(label("row"))
    first = tuple(int(index) for index in np.argwhere(wrong)[0]) if wrong.any() else "–"
    where = first[0] if isinstance(first, tuple) and len(first) == 1 else first
    return figure, label("alt", call=call, wrong=int(wrong.sum()), all=wrong.size, where=str(where))


def _label(id: str, language: str, **facts: object) -> str:
    return say("", Finding(f"look-{id}", facts), language)
