"""The catalogue of mistakes: from the outputs alone, which mistake was made?

A mistake is added in one place: a function decorated with `@mistake(...)` that looks at the observations of an
exercise and returns the numbers that give the mistake away, or None. Its feedback, in English and Spanish, is filled
with these numbers. It helps without giving the answer away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from labkit import course
from labkit.judging.observation import Finding, Observation, judge

Numbers = Mapping[str, object]
Recognizer = Callable[[Sequence[Observation]], Numbers | None]


@dataclass(frozen=True)
class Mistake:
    """An entry of the catalogue: how it is recognised for these exercises, and what the student is told."""

    id: str
    exercises: tuple[str, ...]
    recognise: Recognizer
    feedback: Mapping[str, str]  # by language: en, es

    def found_in(self, observations: Sequence[Observation], language: str) -> Finding | None:
        numbers = self.recognise(observations)
        return None if numbers is None else Finding(self.feedback[language].format(**numbers), self.id, numbers)


_CATALOGUE: dict[str, list[Mistake]] = {}


def mistake(id: str, *exercises: str, en: str, es: str = "") -> Callable[[Recognizer], Recognizer]:
    """Register the decorated recognizer as a mistake of these exercises. A file's order is the order of trying."""

    def register(recognise: Recognizer) -> Recognizer:
        entry = Mistake(id, exercises, recognise, {"en": en, "es": es or en})
        for exercise in exercises:
            _CATALOGUE.setdefault(exercise, []).append(entry)
        return recognise

    return register


@cache
def catalogue() -> Mapping[str, Sequence[Mistake]]:
    """The mistakes of each exercise, in the order in which they are tried. A lab without a file of them has none yet."""
    here = course.current()
    for name in here.names:
        if find_spec(module := here.module_of(name, "mistakes")):
            import_module(module)
    return _CATALOGUE


def diagnose(observations: Sequence[Observation], language: str = "en") -> list[Finding]:
    """The mistakes that the observations of one wrong answer show; where none is known, what differs first.

    The observations are of one exercise and at least one of them is wrong.
    """
    exercise = observations[0].exercise
    found = (entry.found_in(observations, language) for entry in catalogue().get(exercise.name, ()))
    named = [finding for finding in found if finding]
    return named or [next(filter(None, (judge(observation, language) for observation in observations)))]
