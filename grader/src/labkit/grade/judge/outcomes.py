"""Exceptions for a check that did not pass, with the check's findings."""

from __future__ import annotations

from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say_all
from labkit.student.model.text import printable

UNWRITTEN = Finding("unwritten")


def said(text: str) -> Finding:
    """Wrap text from another program or a person as a finding, unchanged."""
    return Finding("said", {"text": text})


def together(*reasons: Finding) -> Finding | None:
    """Combine several reasons into one finding. Returns None if there are no reasons."""
    first, *rest = reasons or [None]
    return Finding("together", {"first": first, "rest": together(*rest)}) if rest else first


class NotPassed(Exception):
    """Raised to end a check of one exercise, with the check's outcome and findings. The error's text is in English."""

    outcome = "failed"

    def __init__(self, exercise: str, *findings: Finding):
        super().__init__(exercise, *findings)
        self.exercise, self.findings = exercise, findings

    def __str__(self) -> str:
        return printable(say_all(self.exercise, self.findings))


class WrongAnswer(NotPassed, AssertionError):
    """The answer is wrong."""


class AnswerRaised(NotPassed):
    """The answer raised an error instead of returning a value."""


class AnswerMissing(NotPassed):
    """The exercise is unchanged from the released lab."""

    outcome = "missing"


class NoEvidence(NotPassed):
    """The answer gave no value to check, because it hung or killed its kernel."""

    outcome = "error"
