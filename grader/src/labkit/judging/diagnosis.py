"""The catalogue of mistakes: from the outputs alone, which mistake was made?

A mistake is added in one place: a function decorated with `@mistake(...)` that looks at the observations of an
exercise and returns the numbers that give the mistake away, or None. Its words, in English and Spanish, are filled with
these numbers when they are read. They help without giving the answer away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, judge
from labkit.judging.words import load, register
from labkit.judging.wrong_values import recognise as recognise_values
from labkit.model.course import Course

Numbers = Mapping[str, object]
Recognizer = Callable[[Sequence[Observation]], Numbers | None]


STRICT = False  # tests set this, to find a recognizer that breaks
_CATALOGUE: dict[str, list[tuple[str, Recognizer]]] = {}


def mistake(id: str, *exercises: str, en: str = "", es: str = "") -> Callable[[Recognizer], Recognizer]:
    """Register the decorated recognizer as a mistake of these exercises. A file's order is the order of trying."""

    def enter(recognise: Recognizer) -> Recognizer:
        register({language: {id: words} for language, words in (("en", en), ("es", es)) if words}, *exercises)
        for exercise in exercises:
            _CATALOGUE.setdefault(exercise, []).append((id, recognise))
        return recognise

    return enter


def catalogue(course: Course) -> Mapping[str, Sequence[tuple[str, Recognizer]]]:
    """The mistakes of each exercise by id, in the order in which they are tried. A lab without a file of them has none yet."""
    load(course)
    return _CATALOGUE


def diagnose(
    course: Course, observations: Sequence[Observation], stored: Iterable[Mapping[str, Any]] = ()
) -> list[Finding]:
    """The mistakes that the observations of one wrong answer show; where none is known, what differs first.

    The observations are of one exercise and at least one of them is wrong. stored: what wrong formulas give for these calls.
    """
    exercise = observations[0].exercise
    if by_value := recognise_values(observations, stored):
        return by_value
    tried = ((id, _tried(recognise, observations)) for id, recognise in catalogue(course).get(exercise.name, ()))
    named = [Finding(id, _told(numbers, observations), named=True) for id, numbers in tried if numbers is not None]
    return named or list(filter(None, map(judge, observations)))[:1]


def _tried(recognise: Recognizer, observations: Sequence[Observation]) -> Numbers | None:
    """What a recognizer finds; None if it fails on a value, so that the answer is unnamed but still graded."""
    try:
        return recognise(observations)
    except Exception:
        if STRICT:
            raise
        return None


def _told(numbers: Numbers, observations: Sequence[Observation]) -> Numbers:
    """These numbers; of calls that are not public none, since an answer could choose them by what it was asked."""
    if all(each.public for each in observations):
        return numbers
    return {name: number if isinstance(number, (bool, Finding)) else "…" for name, number in numbers.items()}
