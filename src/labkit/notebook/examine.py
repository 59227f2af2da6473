"""The check inside a lab: one line after each exercise that says what was seen, the likely cause, and where to look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from labkit import course
from labkit.calls.calling import call_answer, read_reply, reply
from labkit.calls.kinds import received
from labkit.course import Exercise, Probe
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, Raised, judge
from labkit.judging.words import say, say_all


@dataclass(frozen=True)
class Examination:
    """What the public probes of one exercise showed; no findings means right."""

    exercise: Exercise
    observations: tuple[Observation, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def unwritten(self) -> bool:
        first = self.observations[0].actual
        return isinstance(first, Raised) and first.error == "NotImplementedError"

    def line(self, language: str = "en") -> str:
        id, name = "check-wrong" if self.findings else "check-right", self.exercise.name
        facts = {"name": name, "text": say_all(name, self.findings, language)}
        return say(name, Finding("check-unwritten" if self.unwritten else id, facts), language)


class UnknownExercise(LookupError):
    """A name that is no exercise, or that of a written one."""

    def line(self, language: str = "en") -> str:
        names = [each.name for each in course.current().exercises.values() if not each.written]
        return say("", Finding("check-unknown", {"name": self.args[0], "names": names}), language)


def examine(exercise: Exercise, call: Callable[[Probe], object]) -> Examination:
    """Make the public calls of an exercise through `call` and name what is wrong with what comes back."""
    from labkit.judging.diagnosis import diagnose

    observations = tuple(observe(exercise, probe, call) for probe in exercise.probes or (Probe(),))
    examination = Examination(exercise, observations)
    if examination.unwritten or all(judge(observation) is None for observation in observations):
        return examination
    return Examination(exercise, observations, tuple(diagnose(observations)))


def observe(exercise: Exercise, probe: Probe, call: Callable[[Probe], object]) -> Observation:
    """One public call, beside the expected value that is stored for it."""
    from labkit.notebook.expected import expected_of

    stored = expected_of(course.current().lab_of(exercise.name)).get(exercise.name, {})
    return Observation(
        exercise, probe.args, received(exercise, probe, call(probe)), stored.get(probe.key), probe.raises, probe.twice
    )


def check(name: str, *, language: str = "en", namespace: Mapping[str, object] | None = None) -> None:
    """Print one line about the exercise `name`, judged on what the notebook defines at this moment."""
    print(line_for(name, _user_namespace() if namespace is None else namespace, language))


def line_for(name: str, namespace: Mapping[str, object], language: str = "en") -> str:
    try:
        return examination_of(name, namespace).line(language)
    except UnknownExercise as problem:
        return problem.line(language)


def examination_of(name: str, namespace: Mapping[str, object] | None = None) -> Examination:
    """The examination of an exercise in a namespace (the notebook's). Errors: UnknownExercise."""
    exercise = course.current().exercises.get(name)
    if exercise is None or exercise.written:
        raise UnknownExercise(name)
    known = _user_namespace() if namespace is None else namespace
    return examine(exercise, lambda probe: _call(known, exercise, probe))


def _call(namespace: Mapping[str, object], exercise: Exercise, probe: Probe) -> object:
    value = call_answer(namespace, exercise.name, exercise.kind, probe.inputs(), probe.twice)
    return read_reply(reply(value))


def _user_namespace() -> Mapping[str, object]:
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        raise RuntimeError("check() looks at a notebook's answers; in a script pass namespace=globals()")
    return shell.user_ns
