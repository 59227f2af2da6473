"""The catalogue of mistakes: identify a mistake from an answer's outputs alone.

To add a mistake, write a function decorated with `@mistake(...)`. It gets the observations of an exercise and returns the
numbers for the mistake's message, or None if it does not recognize the mistake. The message, in English and Spanish, helps the student
without revealing the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, judge
from labkit.student.judging.words import load, register
from labkit.student.judging.wrong_values import recognise as recognise_values
from labkit.student.model.course import Course

Numbers = Mapping[str, object]
Recognizer = Callable[[Sequence[Observation]], Numbers | None]


STRICT = False  # tests set this, so that a failing recognizer raises
_CATALOGUE: dict[str, list[tuple[str, Recognizer]]] = {}


def mistake(id: str, *exercises: str, en: str = "", es: str = "") -> Callable[[Recognizer], Recognizer]:
    """Register the decorated recognizer for these exercises. Recognizers are tried in the order of registration."""

    def enter(recognise: Recognizer) -> Recognizer:
        register({language: {id: words} for language, words in (("en", en), ("es", es)) if words}, *exercises)
        for exercise in exercises:
            _CATALOGUE.setdefault(exercise, []).append((id, recognise))
        return recognise

    return enter


def catalogue(course: Course) -> Mapping[str, Sequence[tuple[str, Recognizer]]]:
    """Each exercise's mistakes by id, in the order in which they are tried. A lab without a file of mistakes has none."""
    load(course)
    return _CATALOGUE


def diagnose(
    course: Course, observations: Sequence[Observation], stored: Iterable[Mapping[str, Any]] = ()
) -> list[Finding]:
    """Find the mistakes in one wrong answer, or the first difference if none is recognized.

    The observations belong to one exercise, and at least one of them is wrong. `stored` has the values that wrong formulas give.
    """
    exercise = observations[0].exercise
    if by_value := recognise_values(observations, stored):
        return by_value
    tried = ((id, _tried(recognise, observations)) for id, recognise in catalogue(course).get(exercise.name, ()))
    named = [
        Finding(id, _public_numbers(numbers, observations), named=True) for id, numbers in tried if numbers is not None
    ]
    return named or list(filter(None, map(judge, observations)))[:1]


def _tried(recognise: Recognizer, observations: Sequence[Observation]) -> Numbers | None:
    """Try a recognizer. If it raises an error, the mistake stays unnamed and the answer is still graded."""
    try:
        return recognise(observations)
    except Exception:
        if STRICT:
            raise
        return None


def _public_numbers(numbers: Numbers, observations: Sequence[Observation]) -> Numbers:
    """Drop the numbers of hidden calls, because an answer could encode its arguments in them."""
    if all(each.public for each in observations):
        return numbers
    return {name: number if isinstance(number, (bool, Finding)) else "…" for name, number in numbers.items()}
