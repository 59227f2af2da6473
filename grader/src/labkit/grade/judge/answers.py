"""The submission's answers, as tests call them: `answer.sinusoidal_pe(64, 32)`. Arguments go in; only plain data comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, Protocol

from labkit.student.calls import wire
from labkit.student.judging.diagnosis import diagnose
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, Raised, describe
from labkit.student.judging.words import say_all
from labkit.student.model.course import Course, Exercise, Lab, Probe
from labkit.student.model.project import Project
from labkit.student.model.text import printable
from labkit.student.notebook.examine import Examination, examine
from labkit.student.notebook.expected import graders_expected

UNWRITTEN = Finding("unwritten")
# Why an answer gave no value: error names in Raised that are the grader's, not the answer's.
UNANSWERED = ("TimedOut", "KernelDied", "OverBudget", "NoReply", "Malformed")

MOST_DIAGNOSES = 1000  # kept in memory, of each lab


class NotPassed(Exception):
    """Raised to end a check of one exercise, with the check's outcome and findings. The error's text is in English."""

    def __init__(self, exercise: str, *findings: Finding, outcome: str = "failed"):
        super().__init__(exercise, *findings)
        self.exercise, self.findings, self.outcome = exercise, findings, outcome

    def __str__(self) -> str:
        return printable(say_all(self.exercise, self.findings))


class Asked(Protocol):
    """Anything that can call answers: a run of a submission, or a namespace."""

    def ask(self, exercise: Exercise, probe: Probe) -> object: ...


class Diagnoses:
    """The diagnoses of a lab's wrong answers. A class makes the same mistakes, and each is diagnosed only once."""

    def __init__(self) -> None:
        self._found: dict[bytes, tuple[Finding, ...]] = {}

    def of(self, course: Course, observations: Sequence[Observation], stored: Iterable[Any]) -> tuple[Finding, ...]:
        """Like `diagnose`, for the public calls of one answer."""
        key = _digest(observations)
        if not key:
            return tuple(diagnose(course, observations, stored))
        if key not in self._found:
            if len(self._found) >= MOST_DIAGNOSES:
                self._found.clear()
            self._found[key] = tuple(diagnose(course, observations, stored))
        return self._found[key]


def _digest(observations: Sequence[Observation]) -> bytes:
    """Identify an answer by what its public calls returned. Returns b"" for figures and other values that are no plain data."""
    found = sha256(observations[0].exercise.name.encode())
    try:
        for each in observations:
            raised = isinstance(each.actual, Raised)
            found.update(repr(each.actual).encode() if raised else wire.dumps(each.actual))
    except (wire.Unsendable, ValueError):
        return b""
    return found.digest()


@lru_cache(maxsize=16)
def _diagnoses(project: Project, lab: Lab) -> Diagnoses:
    return Diagnoses()


class Handle:
    """One answer of a submission. Call it as a student would; it returns arrays, numbers, text, or lists of them."""

    def __init__(
        self,
        course: Course,
        exercise: Exercise,
        asked: Asked,
        expected: Mapping[str, Any],
        diagnoses: Diagnoses | None = None,
    ):
        self.course, self.exercise, self._asked, self.expected = course, exercise, asked, expected
        self._diagnoses = diagnoses or Diagnoses()
        self._answered = False  # whether a call has returned a value

    def __call__(self, *args: object) -> object:
        value = self.call(Probe(args))
        if isinstance(value, Raised):
            if self.unwritten(value):
                raise NotPassed(self.exercise.name, UNWRITTEN, outcome="missing")
            raised = describe(Observation(self.exercise, args, value, public=False))
            raise NotPassed(self.exercise.name, *(self.findings or [raised]))
        return value

    def call(self, probe: Probe) -> object:
        """Call the answer with a probe's arguments. Returns Raised instead of raising."""
        value = self._asked.ask(self.exercise, probe)
        self._answered |= not isinstance(value, Raised)
        return value

    def unwritten(self, value: object) -> bool:
        """Whether the answer is unwritten: this and the first public call stop at the placeholder, and no call has returned a value."""
        stops = isinstance(value, Raised) and value.error == "NotImplementedError"
        return stops and self.examination.unwritten and not self._answered

    @cached_property
    def examination(self) -> Examination:
        """The result of the notebook's check on the answer. It is computed once for all tests."""
        return examine(self.course, self.exercise, self.call, self.expected, self._diagnoses.of)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.examination.findings


class Answers:
    """The `answer` fixture, with one attribute for each exercise of the lab."""

    def __init__(self, project: Project, lab: Lab, asked: Asked):
        expected = graders_expected(project, project.course.labs[lab.name])
        answered = (exercise for exercise in lab.exercises if not exercise.written)
        known = _diagnoses(project, lab)
        self._handles = {each.name: Handle(project.course, each, asked, expected, known) for each in answered}

    def __getattr__(self, name: str) -> Handle:
        try:
            return self._handles[name]
        except KeyError:
            raise AttributeError(f"this lab has no exercise {name!r}; it has {', '.join(self._handles)}") from None
