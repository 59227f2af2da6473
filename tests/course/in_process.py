"""Run the autograder's tests on an answer without a kernel: the same result as `labkit grade`, a thousand times faster.

Returned values are still encoded and decoded, so that only values that a kernel could send are checked.
"""

from __future__ import annotations

import inspect
import pickle
import random
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from autograder.precision_and_cost.samples import largest
from encoding_labs import COURSE
from labkit.grade.judge.answers import Handle, NotPassed
from labkit.model.course import Exercise, Probe, folder_of
from labkit.student.calls.calling import call_answer, read_reply, reply
from labkit.student.judging.finding import Finding
from labkit.student.model import project
from labkit.student.notebook.expected import graders_expected


class InProcess:
    """A replacement for `labkit.grade.judge.run.Run` that calls the answer in this process and caches replies."""

    def __init__(self, answer: object):
        self.answer = answer
        self.replies: dict[bytes, object] = {}

    def ask(self, exercise: Exercise, probe: Probe) -> object:
        # The key has symbolic arguments, which are a thousand times smaller than the arrays made from them.
        request = pickle.dumps((probe.args, probe.twice))
        if request not in self.replies:
            inputs = deepcopy(inputs_of(request))  # because an answer may change an array inside a list
            value = call_answer({exercise.name: self.answer}, exercise.name, exercise.kind, inputs, probe.twice)
            self.replies[request] = read_reply(reply(value))
        return self.replies[request]


@lru_cache(maxsize=100)
def inputs_of(request: bytes) -> tuple[object, ...]:
    """The arguments of a call, cached because many samples need the same ones."""
    args, twice = pickle.loads(request)
    return Probe(args, twice=twice).inputs()


def expected_for(exercise: str) -> Mapping[str, Any]:
    return graders_expected(project.current(), COURSE.labs[COURSE.lab_of(exercise)])


class SomeAnswers:
    """Like the `answer` fixture of graded tests, but with answers to only the exercises given."""

    def __init__(self, **answers: object):
        for name, answer in answers.items():
            setattr(self, name, (shared_handle if answer is largest else handle_of)(name, answer))


def handle_of(name: str, answer: object) -> Handle:
    return Handle(COURSE, COURSE.exercises[name], InProcess(answer), expected_for(name))


shared_handle = cache(handle_of)  # computes the values of `largest` only once, although many checks need them


class Verdict(NamedTuple):
    """The outcome of one graded test for an answer. `most` is what the test is worth."""

    passed: bool
    points: float
    most: float
    findings: tuple[Finding, ...] = ()

    @property
    def mistakes(self) -> tuple[str, ...]:
        return tuple(each.mistake for each in self.findings if each.named)


@cache
def tests_for(exercise: str) -> tuple:
    module = import_module(f"autograder.{folder_of(COURSE.lab_of(exercise))}.test_submission")
    functions = (function for name, function in vars(module).items() if name.startswith("test_"))
    return tuple(
        f for f in functions if any(m.name == "points" and m.args[1] == exercise for m in getattr(f, "pytestmark", ()))
    )


BESIDE = {"first_bad_position": {"float32_error": largest}}  # right answers that an exercise's checks also need


def answers_beside_right_ones(name: str, answer: object, **beside: object) -> SomeAnswers:
    """The answer to the exercise `name`, and answers to any others that its checks need: those in `beside`, else right ones."""
    return SomeAnswers(**{**BESIDE.get(name, {}), **beside, name: answer})


def verdicts(name: str, answer: object, seed: int = 1, **beside: object) -> Iterator[Verdict]:
    return verdicts_on(answers_beside_right_ones(name, answer, **beside), name, seed)


def verdicts_on(answers: SomeAnswers, name: str, seed: int = 1) -> Iterator[Verdict]:
    """Run each graded test of the exercise and yield its verdict."""
    fixtures = {"answer": answers}
    for function in tests_for(name):
        worth = next(mark.args[0] for mark in function.pytestmark if mark.name == "points")
        fixtures["draw"] = random.Random(f"{seed}/{function.__name__}")
        fixtures["shared_draw"] = random.Random(f"{seed}/{name}")
        try:
            function(**{key: fixtures[key] for key in inspect.signature(function).parameters})
            yield Verdict(True, worth, worth)
        except NotPassed as wrong:
            yield Verdict(False, 0, worth, wrong.findings)
        except AssertionError:
            yield Verdict(False, 0, worth)
