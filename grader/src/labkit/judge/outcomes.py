"""How a check ends that is not passed: what it raises, with the facts of it."""

from __future__ import annotations

from labkit.judging.finding import Finding
from labkit.judging.words import say_all
from labkit.model.text import printable

UNWRITTEN = Finding("unwritten")


def said(text: str) -> Finding:
    """What another program or a person said, as it is."""
    return Finding("said", {"text": text})


def together(*reasons: Finding) -> Finding | None:
    """Several reasons as one; None where there is none."""
    first, *rest = reasons or [None]
    return Finding("together", {"first": first, "rest": together(*rest)}) if rest else first


class NotPassed(Exception):
    """Ends a check of one exercise: the outcome, and what was found. Whoever reads the error reads it in English."""

    outcome = "failed"

    def __init__(self, exercise: str, *findings: Finding):
        super().__init__(exercise, *findings)
        self.exercise, self.findings = exercise, findings

    def __str__(self) -> str:
        return printable(say_all(self.exercise, self.findings))


class WrongAnswer(NotPassed, AssertionError):
    """An answer that fails a check."""


class AnswerRaised(NotPassed):
    """The answer raised an error where a value was asked for."""


class AnswerMissing(NotPassed):
    """The exercise is as it was handed out."""

    outcome = "missing"


class NoEvidence(NotPassed):
    """The answer gave nothing that could be judged: it hung, or its kernel died."""

    outcome = "error"
