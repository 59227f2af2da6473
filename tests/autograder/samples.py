"""Right and wrong answers in many styles, for testing the grader. Students do not get them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from importlib import import_module

import numpy as np

from encoding_labs import COURSE
from labkit.author.source.wrong_formulas import Telling, formulas_of
from labkit.student.model import project

UNKNOWN = "unknown"  # the mistake id of a wrong answer for which the catalogue has no name
UNSEEN = "unseen"  # the mistake id of an answer that the notebook's check accepts and only grading rejects


@dataclass(frozen=True)
class Sample:
    """An answer to an exercise, with its style in words and the ids of its mistakes. A right answer has none."""

    exercise: str
    style: str
    answer: object
    mistakes: tuple[str, ...] = ()


class Samples(list):
    """A list of samples. The decorator `sample` adds a function; `several` adds answers, each named by its style."""

    def sample(self, exercise: str, *mistakes: str) -> Callable:
        def add(function):
            self.append(Sample(exercise, function.__name__, function, mistakes))
            return function

        return add

    def several(self, exercise: str, *mistakes: str, **answers: object) -> None:
        self += [Sample(exercise, style, answer, mistakes) for style, answer in answers.items()]


def all_samples() -> list[tuple[str, Sample]]:
    """All samples of all labs, each with the name of its module, and one wrong formula of each exercise."""
    found = []
    for folder in map(project.current().autograder_of, COURSE.names):
        for name in sorted(path.stem for path in folder.glob("samples/[!_]*.py")):
            module = import_module(f"autograder.{folder.name}.samples.{name}")
            found += [(f"{folder.name}.{name}", sample) for sample in module.ANSWERS]
        first = {sample.exercise: sample for sample in reversed(list(formulas(folder.name)))}
        found += [(f"{folder.name}.mistakes", sample) for sample in first.values()]
    return found


def formulas(lab: str) -> Iterator[Sample]:
    """Yield each wrong formula in a lab's folder as an answer to its exercise."""
    number = Counter()
    for exercise, id, formula in formulas_of(import_module(f"autograder.{lab}.mistakes").WRONG):
        number[exercise, id] += 1
        answer = _answer(formula)() if COURSE.exercises[exercise].kind == "value" else _answer(formula)
        mistakes = tuple(one.partition("/")[0] for one in id.split())
        yield Sample(exercise, f"formula of {id} {number[exercise, id]}", answer, mistakes)


def _answer(formula: Callable) -> Callable:
    """Wrap a formula so that it returns only its value, without the facts for a feedback sentence."""

    @wraps(formula)
    def answer(*args):
        value = formula(*args)
        return value.value if isinstance(value, Telling) else value

    return answer


def omega_of(d, base=10000.0):
    """Compute frequencies, for samples of several labs."""
    return base ** (-2 * np.arange(d // 2) / d)


def softmax(scores, axis=-1):
    grown = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return grown / grown.sum(axis=axis, keepdims=True)
