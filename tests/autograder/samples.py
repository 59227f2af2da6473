"""Right and wrong answers written in many styles, to grade the grader with. They never reach students."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

UNKNOWN = "unknown"  # marks a wrong answer that the catalogue has no name for
UNSEEN = "unseen"  # marks one that the notebook's check takes for right: only grading holds it to what it rests on


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


def all_samples() -> list[tuple[str, Sample]]:
    """Every sample of every module here, with the module's name, in order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [(name, sample) for name in names for sample in import_module(f"{__name__}.{name}").ANSWERS]
