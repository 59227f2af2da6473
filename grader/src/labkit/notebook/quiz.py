"""True or false: sentences that one often reads, each with its reason as soon as it has been answered. Never graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labkit.judging.finding import Finding
from labkit.judging.words import say
from labkit.notebook.layout import laid_out


@dataclass(frozen=True)
class Statement:
    """A sentence, whether it is true, and why."""

    text: str
    truth: bool
    reason: str


def quiz(statements: Sequence[Statement], answers: Mapping[int, bool | None], *, language: str = "en") -> None:
    """Print the sentences, counted from 1; below each that has been answered True or False, its reason."""
    for number, statement in enumerate(statements, 1):
        answer = answers.get(number)
        print(laid_out(f"{number}. {statement.text}", sentences=False))
        if isinstance(answer, bool):
            verdict = "quiz-right" if answer == statement.truth else "quiz-wrong"
            truth = Finding("true" if statement.truth else "false")
            reason = say("", Finding(verdict, {"truth": truth, "reason": statement.reason}), language)
            print(f"   {laid_out(reason, sentences=False)}")
    if not any(isinstance(answer, bool) for answer in answers.values()):
        print(say("", Finding("quiz-open"), language))
