"""What a check of the autograder says: `expect(answer.sinusoidal_pe, 64, 32).agrees_with(reference)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from labkit.course import Exercise, Probe
from labkit.grading.answers import UNANSWERED, AnswerMissing, Handle
from labkit.judging.diagnosis import diagnose
from labkit.judging.observation import Finding, Observation, Raised, judge
from labkit.judging.short_answers import items_of, right_items
from labkit.notebook.examine import examine, observe, received


class WrongAnswer(AssertionError):
    """An answer that fails a check; carries the findings whose mistakes are known, and the first one's id as `mistake`."""

    def __init__(self, findings: Sequence[Finding]):
        super().__init__(" ".join(finding.text for finding in findings))
        self.named = tuple(finding for finding in findings if finding.mistake)
        self.mistake = self.named[0].mistake if self.named else None


class NoEvidence(Exception):
    """The answer gave nothing that could be judged: it hung, or its kernel died."""


def expect(handle: Handle, *args: object) -> Expectation:
    """An expectation of what the answer gives when it is called with these arguments (a Table stands for its array)."""
    return Expectation(handle, args)


class Expectation:
    def __init__(self, handle: Handle, args: tuple):
        self.handle, self.args, self.exercise = handle, args, handle.exercise

    def passes_the_check(self, *probes: Probe) -> None:
        """Right at the public probes (all of them, or those given), as the check in the notebook sees it."""
        for probe in probes or self.exercise.probes or (Probe(),):
            observation = observe(self.exercise, probe, self._call)
            if judge(observation):
                self._fail(observation)

    def agrees_with(self, reference: Callable) -> None:
        """The right values, within the tolerance of what the reference gives for the same arguments.

        The dtype is not looked at here: `passes_the_check` does, so that it costs the points of one check only.
        """
        probe = Probe(self.args)
        self._judge(probe, reference(*probe.inputs()), replace(self.exercise, dtype=None))

    def raises(self, error: str = "ValueError") -> None:
        """Stops with this error, because there is no right value."""
        self._judge(Probe(self.args, raises=error), None, self.exercise)

    def follows(self, *rules: Callable) -> None:
        """Breaks none of these rules; a rule takes an Observation and a language and gives a Finding or None."""
        observation = self._observe(Probe(self.args), None, self.exercise)
        broken = (
            [judge(observation)]
            if isinstance(observation.actual, Raised)
            else [rule(observation, "en") for rule in rules]
        )
        if any(broken):
            self._fail(observation, next(filter(None, broken)))

    def has_right_items(self, at_least: int, decimals: int | None = None) -> None:
        """A short answer with at least so many right items."""
        observation = observe(self.exercise, Probe(), self._call)
        items = items_of(observation.actual) or {}
        if len(right_items(self.exercise.name, items, observation.expected, decimals)) < at_least:
            self._fail(observation)

    def _judge(self, probe: Probe, expected: object, exercise: Exercise) -> None:
        observation = self._observe(probe, expected, exercise)
        if judge(observation):
            self._fail(observation)

    def _observe(self, probe: Probe, expected: object, exercise: Exercise) -> Observation:
        actual = received(exercise, self._call(probe))
        return Observation(exercise, probe.args, actual, expected, probe.raises, probe.twice, public=False)

    def _call(self, probe: Probe) -> object:
        return self.handle.call(probe)

    def _fail(self, observation: Observation, finding: Finding | None = None) -> None:
        """Say what is wrong, in the words of the notebook's check where that sees it too."""
        actual, name = observation.actual, self.exercise.name
        if isinstance(actual, Raised) and actual.error == "NotImplementedError":
            raise AnswerMissing(name)
        if isinstance(actual, Raised) and actual.error in UNANSWERED:
            raise NoEvidence(f"{name} {actual.message}")
        public = examine(self.exercise, self._call).findings
        raise WrongAnswer(public or diagnose((observation,)) or (finding,))
