"""What was seen when an answer was called, and whether that is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from labkit.course import Exercise
from labkit.judging.compare import Difference, difference


@dataclass(frozen=True)
class Raised:
    """What an answer raised instead of returning: the error's name and message."""

    error: str
    message: str = ""


@dataclass(frozen=True)
class Observation:
    """One call of an answer: what went in, what came out, and what is right."""

    exercise: Exercise
    args: tuple  # as the probe states them; a Table stands for its array
    actual: object
    expected: object = None
    raises: str | None = None  # the error that is right here
    twice: bool = False  # the second of two calls, the first result having been overwritten
    public: bool = True  # whether the expected value may be told

    @property
    def difference(self) -> Difference | None:
        return difference(self.actual, self.expected, self.exercise.tolerance, self.exercise.dtype)


@dataclass(frozen=True)
class Finding:
    """What was seen, which mistake of the catalogue it is where that is known, and the numbers behind it."""

    text: str
    mistake: str | None = None
    numbers: Mapping[str, object] = field(default_factory=dict)


def judge(observation: Observation, language: str = "en") -> Finding | None:
    """What is wrong with one observation, in words; None when it is right."""
    from labkit.judging.wording import describe

    exercise, actual = observation.exercise, observation.actual
    if observation.raises or isinstance(actual, Raised):
        as_asked = isinstance(actual, Raised) and actual.error == observation.raises
        return None if as_asked else describe(observation, language)
    if exercise.judge:
        return exercise.judge(observation, language)
    return describe(observation, language) if observation.difference else None
