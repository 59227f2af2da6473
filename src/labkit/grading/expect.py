"""What a check of the autograder says: `expect(answer.sinusoidal_pe, 64, 32).agrees_with(reference)`."""

from __future__ import annotations

from collections.abc import Callable

from labkit.answers import AnswerMissing, Handle
from labkit.check import examine, received
from labkit.course import Probe
from labkit.observation import Finding, Observation, Raised, judge


class WrongAnswer(AssertionError):
    """An answer that fails a check; carries the mistake's id where it is known."""

    def __init__(self, finding: Finding):
        super().__init__(finding.text)
        self.mistake = finding.mistake


def expect(handle: Handle, *args: object) -> Expectation:
    """An expectation of what the answer gives when it is called with these arguments (a Table stands for its array)."""
    return Expectation(handle, args)


class Expectation:
    def __init__(self, handle: Handle, args: tuple):
        self.handle, self.args = handle, args

    def passes_the_check(self, *probes: Probe) -> None:
        """Right at the public probes (all of them, or those named), as the check in the notebook sees it."""
        wanted = probes or self.handle.exercise.probes or (Probe(),)
        examination = examine(self.handle.exercise, self._call)
        if examination.unwritten:
            raise AnswerMissing(self.handle.exercise.name)
        wrong = [o for o in examination.observations if _probe_of(o) in wanted and judge(o)]
        if wrong:
            raise WrongAnswer(_joined(examination.findings))

    def agrees_with(self, reference: Callable) -> None:
        """Within the tolerance of what the reference gives for the same arguments."""
        probe = Probe(self.args)
        self._judge(probe, expected=reference(*probe.inputs()))

    def raises(self, error: str = "ValueError") -> None:
        """Stops with this error, because there is no right value."""
        self._judge(Probe(self.args, raises=error))

    def follows(self, *rules: Callable) -> None:
        """Breaks none of these rules; a rule takes an Observation and a language and gives a Finding or None."""
        observation = self._observe(Probe(self.args))
        if isinstance(observation.actual, Raised):
            self._fail(observation, judge(observation))
        for rule in rules:
            finding = rule(observation, "en")
            if finding:
                self._fail(observation, finding)

    def _judge(self, probe: Probe, expected: object = None) -> None:
        observation = self._observe(probe, expected)
        finding = judge(observation)
        if finding:
            self._fail(observation, finding)

    def _observe(self, probe: Probe, expected: object = None) -> Observation:
        exercise = self.handle.exercise
        actual = received(exercise, self._call(probe))
        if isinstance(actual, Raised) and actual.error == "NotImplementedError":
            raise AnswerMissing(exercise.name)
        return Observation(exercise, probe.args, actual, expected, probe.raises, probe.twice, public=False)

    def _call(self, probe: Probe) -> object:
        return self.handle.call(probe)

    def _fail(self, observation: Observation, finding: Finding) -> None:
        """Say it in the words of the notebook's check where that sees it too, so that both tell the same."""
        from labkit.mistakes import diagnose

        public = examine(self.handle.exercise, self._call).findings
        raise WrongAnswer(_joined(public or diagnose((observation,)) or (finding,)))


def _probe_of(observation: Observation) -> Probe:
    return Probe(observation.args, observation.raises, observation.twice)


def _joined(findings) -> Finding:
    named = next((finding.mistake for finding in findings if finding.mistake), None)
    return Finding(" ".join(finding.text for finding in findings), named)
