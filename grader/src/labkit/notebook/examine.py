"""The check inside a lab: after each exercise what was seen, the likely cause, and where to look."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from labkit.calls.calling import call_answer, read_reply, reply
from labkit.calls.kinds import received
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, Raised, judge
from labkit.judging.words import load, say, say_all
from labkit.model.course import Course, Exercise, Lab, Probe, current
from labkit.notebook.layout import laid_out

SECONDS = 20  # of one public call, which takes milliseconds


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

    @property
    def right(self) -> bool:
        return not self.findings and not self.unwritten

    def line(self, language: str = "en") -> str:
        id, name = "check-wrong" if self.findings else self.exercise.right, self.exercise.name
        facts = {"name": name, "text": say_all(name, self.findings, language)}
        return say(name, Finding("check-unwritten" if self.unwritten else id, facts), language)


class UnknownExercise(LookupError):
    """A name that is no exercise, or that of a written one; the finding says which."""

    def __init__(self, finding: Finding):
        super().__init__(finding)
        self.finding = finding

    def line(self, language: str = "en") -> str:
        return say("", self.finding, language)


def examine(course: Course, exercise: Exercise, call: Callable[[Probe], object]) -> Examination:
    """Make the public calls of an exercise through `call` and name what is wrong with what comes back."""
    from labkit.judging.diagnosis import diagnose
    from labkit.notebook.expected import expected_of, mistakes_of

    load(course)
    observations = tuple(observe(course, exercise, probe, call) for probe in exercise.probes or (Probe(),))
    examination = Examination(exercise, observations)
    if examination.unwritten or all(judge(observation) is None for observation in observations):
        return examination
    stored = expected_of(course, course.lab_of(exercise.name)).get(mistakes_of(exercise), ())
    return Examination(exercise, observations, tuple(diagnose(course, observations, stored)))


def observe(course: Course, exercise: Exercise, probe: Probe, call: Callable[[Probe], object]) -> Observation:
    """One public call, beside the expected value that is stored for it."""
    from labkit.notebook.expected import expected_of

    stored = expected_of(course, course.lab_of(exercise.name)).get(exercise.name, {})
    return Observation(
        exercise, probe.args, received(exercise, probe, call(probe)), stored.get(probe.key), probe.raises, probe.twice
    )


_right: set[str] = set()  # the exercises of this session whose last check found them right


def check(name: str, *, language: str = "en", namespace: Mapping[str, object] | None = None) -> None:
    """Print what the exercise `name` is, judged on what the notebook defines at this moment, and how many are right."""
    course = current()
    try:
        examination = examination_of(course, name, namespace)
    except UnknownExercise as problem:
        print(laid_out(problem.line(language)))
        return
    (_right.add if examination.right else _right.discard)(name)
    print(laid_out(examination.line(language)))
    print(total_of(course.labs[course.lab_of(name)], language))


def total_of(lab: Lab, language: str = "en") -> str:
    """How many exercises of the lab were right when they were last checked."""
    asked = {exercise.name for exercise in lab.exercises if not exercise.written}
    return say("", Finding("check-total", {"right": len(asked & _right), "total": len(asked)}), language)


def examination_of(course: Course, name: str, namespace: Mapping[str, object] | None = None) -> Examination:
    """The examination of an exercise in a namespace (the notebook's). Errors: UnknownExercise."""
    exercise = course.exercises.get(name)
    if exercise is None:
        names = [each.name for each in course.exercises.values() if not each.written]
        raise UnknownExercise(Finding("check-unknown", {"name": name, "names": names}))
    if exercise.written:
        raise UnknownExercise(Finding("check-written", {"name": name}))
    known = user_namespace() if namespace is None else namespace
    return examine(course, exercise, lambda probe: call_in(known, exercise, probe))


def call_in(namespace: Mapping[str, object], exercise: Exercise, probe: Probe) -> object:
    with stopped_after(SECONDS):
        value = read_reply(reply(call_answer(namespace, exercise.name, exercise.kind, probe.inputs(), probe.twice)))
    late = isinstance(value, Raised) and RunsAway.__name__ in value.kinds
    return Raised("TimedOut", Finding("too-slow", {"seconds": SECONDS})) if late else value


class RunsAway(BaseException):
    """Ends a call in the notebook that goes on and on; no answer's own `except Exception` holds it back."""


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Where there are timers, and the main thread to hear them: elsewhere it is the student who interrupts."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise RunsAway

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def user_namespace() -> Mapping[str, object]:
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        raise RuntimeError("check() looks at a notebook's answers; in a script pass namespace=globals()")
    return shell.user_ns
