"""The autograder's own tests on an answer in this process: what `labkit grade` would give, a thousand times faster.

The answer's values still go through the wire, so that only what would leave a kernel arrives.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from autograder.precision_and_cost.samples import largest
from encoding_labs import COURSE
from labkit.calls import wire
from labkit.calls.calling import call_answer, read_reply, reply
from labkit.judge.answers import Handle
from labkit.judge.outcomes import NotPassed
from labkit.judging.finding import Finding
from labkit.model import project
from labkit.model.course import Exercise, Probe, folder_of
from labkit.notebook.expected import graders_expected


class InProcess:
    """Stands where `labkit.judge.answers.Session` stands, without a kernel; it remembers replies too."""

    def __init__(self, answer: object):
        self.answer = answer
        self.replies: dict[str, object] = {}

    def ask(self, exercise: Exercise, probe: Probe) -> object:
        request = wire.dumps([list(probe.inputs()), probe.twice])
        if request not in self.replies:
            value = call_answer({exercise.name: self.answer}, exercise.name, exercise.kind, probe.inputs(), probe.twice)
            self.replies[request] = read_reply(reply(value))
        return self.replies[request]


def expected_for(exercise: str) -> Mapping[str, Any]:
    return graders_expected(project.current(), COURSE.labs[COURSE.lab_of(exercise)])


class SomeAnswers:
    """The `answer` fixture for some exercises, by name."""

    def __init__(self, **answers: object):
        for name, answer in answers.items():
            setattr(self, name, Handle(COURSE, COURSE.exercises[name], InProcess(answer), expected_for(name)))


class Verdict(NamedTuple):
    """What one check says of an answer; one that is worth nothing passes or not all the same."""

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


BESIDE = {"first_bad_position": {"float32_error": largest}}  # right answers that checks of another exercise call


def answers_beside_right_ones(name: str, answer: object, **beside: object) -> SomeAnswers:
    """An answer to the exercise `name`, and to those that its checks call; beside: in place of right ones."""
    return SomeAnswers(**{**BESIDE.get(name, {}), **beside, name: answer})


def verdicts(name: str, answer: object, seed: int = 1, **beside: object) -> Iterator[Verdict]:
    return verdicts_on(answers_beside_right_ones(name, answer, **beside), name, seed)


def verdicts_on(answers: SomeAnswers, name: str, seed: int = 1) -> Iterator[Verdict]:
    """For each of the exercise's tests: whether it is passed, points, most points, and what is found wrong."""
    fixtures = {"answer": answers}
    for function in tests_for(name):
        worth = next(mark.args[0] for mark in function.pytestmark if mark.name == "points")
        fixtures["draw"] = random.Random(f"{seed}/{function.__name__}")
        try:
            function(**{key: fixtures[key] for key in inspect.signature(function).parameters})
            yield Verdict(True, worth, worth)
        except NotPassed as wrong:
            yield Verdict(False, 0, worth, wrong.findings)
        except AssertionError:
            yield Verdict(False, 0, worth)
