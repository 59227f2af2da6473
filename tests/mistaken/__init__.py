"""Right and wrong answers written in many styles, to grade the grader with. They never reach students."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """An answer to an exercise: its style in words, and the mistakes it makes (none: it is right)."""

    exercise: str
    style: str
    answer: object
    mistakes: tuple[str, ...] = ()


class Samples(list):
    """A list of samples; the decorator `sample` adds the function below it."""

    def sample(self, exercise: str, *mistakes: str) -> Callable:
        def add(function):
            self.append(Sample(exercise, function.__name__, function, mistakes))
            return function

        return add
