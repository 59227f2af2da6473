"""Expectations for autograder tests: `expect(answer.sinusoidal_pe, 64, 32).agrees_with(reference)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from labkit.grade.judge.answers import UNANSWERED, UNWRITTEN, Handle, NotPassed
from labkit.student.calls.calling import received
from labkit.student.calls.figure_rules import COMPARED
from labkit.student.judging.diagnosis import diagnose
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, Raised, judge
from labkit.student.judging.short_answers import items_of, right_items
from labkit.student.model.course import Exercise, Probe
from labkit.student.notebook.examine import observe

MOST = 100  # reference values cached by a grading process, each at most LARGEST; further ones are computed again
LARGEST = 2**19  # bytes
Rule = Callable[[Observation], Finding | None]
_kept: dict[tuple[object, ...], object] = {}  # all submissions of a class get the same drawn cases


def expect(handle: Handle, *args: object) -> Expectation:
    """Start an expectation about the answer's result for these arguments. A Table is passed as its array."""
    return Expectation(handle, args)


def expect_at(handle: Handle, *args: object) -> Expectation:
    """Like `expect`, for arguments that are the same in every grading, so that feedback may show them."""
    return Expectation(handle, args, fixed=True)


class Expectation:
    def __init__(self, handle: Handle, args: tuple[object, ...], fixed: bool = False):
        self.handle, self.args, self.course, self.exercise = handle, args, handle.course, handle.exercise
        self.fixed = fixed

    def passes_the_check(self, *probes: Probe) -> None:
        """Require that the notebook's own check passes for these public probes, or for all of them."""
        for probe in probes or self.exercise.probes or (Probe(),):
            self._follows(observe(self.exercise, probe, self.handle.call, self.handle.expected), judge)

    def agrees_with(self, reference: Callable[..., object]) -> None:
        """Require the reference's values for the same arguments, within the exercise's tolerance.

        The dtype is ignored. `passes_the_check` compares it, so a wrong dtype costs the points of only one check.
        """
        probe = Probe(self.args)
        self._follows(
            self._observe(probe, reference_value(reference, probe), replace(self.exercise, dtype=None)), judge
        )

    def raises(self, error: str = "ValueError") -> None:
        """Require this error, for arguments that have no right value."""
        self._follows(self._observe(Probe(self.args, raises=error), None, self.exercise), judge)

    def follows(self, *rules: Rule) -> None:
        """Require that the result follows all of these rules. A rule takes an Observation and returns a Finding or None.

        Errors: ValueError for a rule that compares with the reference; use `agrees_with` instead.
        """
        if not COMPARED.isdisjoint(rules):
            raise ValueError(
                "shows_line() needs values here, such as shows_line(reference.NAME), or write agrees_with(reference.NAME)"
            )
        observation = self._observe(Probe(self.args), None, self.exercise)
        self._follows(observation, *((judge,) if isinstance(observation.actual, Raised) else rules))

    def has_right_items(self, at_least: int, decimals: int | None = None) -> None:
        """Require a short answer with at least this many right items."""
        observation = observe(
            self.exercise, (*self.exercise.probes, Probe())[0], self.handle.call, self.handle.expected
        )
        items, asked = items_of(observation.actual) or {}, cast("Mapping[str, str]", observation.expected)
        right = len(right_items(self.exercise.name, items, asked, decimals))
        if right < at_least:
            few = Finding("items-right", {"right": right, "total": len(asked), "items": [*asked]})
            self._follows(observation, judge, lambda _: few)

    def _observe(self, probe: Probe, expected: object, exercise: Exercise) -> Observation:
        actual = received(exercise, probe, self.handle.call(probe))
        return Observation(exercise, probe.args, actual, expected, probe.raises, probe.twice, False, self.fixed)

    def _follows(self, observation: Observation, *rules: Rule) -> None:
        """Apply the rules. If one is broken and the notebook's check fails too, the check's findings are reported instead."""
        broken = next(filter(None, (rule(observation) for rule in rules)), None)
        if broken is None:
            return
        actual, name = observation.actual, self.exercise.name
        if self.handle.unwritten(actual):
            raise NotPassed(name, UNWRITTEN, outcome="missing")
        if isinstance(actual, Raised) and actual.error in UNANSWERED:
            found_here = observation.public or isinstance(actual.message, Finding) or actual.error == "OverBudget"
            why = actual.message if found_here else Finding("other-reply")
            raise NotPassed(name, Finding("no-evidence", {"name": name, "why": why}), outcome="error")
        has_truth = observation.expected is not None or observation.raises or self.exercise.judge
        found = self.handle.findings or has_truth and diagnose(self.course, (observation,)) or [broken]
        raise NotPassed(name, *found)


def reference_value(reference: Callable[..., object], probe: Probe) -> object:
    """Compute the reference's value for the probe's arguments. Any arrays in a cached value are read-only."""
    key = reference, probe, tuple(map(type, probe.args))  # 1 and 1.0 may give different values
    try:
        if key in _kept:
            return _kept[key]
    except TypeError:  # unhashable arguments, such as arrays
        return reference(*probe.inputs())
    value = reference(*probe.inputs())
    if _bytes(value) <= LARGEST:
        if len(_kept) == MOST:
            _kept.clear()
        _kept[key] = value
    return value


def _bytes(value: object) -> int:
    """Estimate the size of a value, and make its arrays read-only."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
        return value.nbytes
    return 32 + sum(map(_bytes, value)) if isinstance(value, (list, tuple)) else 32
