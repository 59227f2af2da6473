"""True-or-false statements, each with an explanation after it is answered. They are not graded."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.notebook.language import in_language, spoken
from labkit.student.notebook.messages import badge, coded, laid_out, paragraphs, tell


@dataclass(frozen=True)
class Statement:
    """A statement, whether it is true, and why."""

    text: str
    truth: bool
    reason: str


def quiz(statements: Sequence[Statement], answers: Mapping[int, bool | None], *, language: str | None = None) -> None:
    """Show statements numbered from 1, with an explanation below each that is answered True or False."""
    language = spoken(language)
    plain: list[str] = []
    items: list[str] = []
    for number, statement in enumerate(statements, 1):
        answer = answers.get(number)
        sentence = in_language(statement.text, language)
        plain.append(laid_out(f"{number}. {sentence}", sentences=False))
        items.append(f'<p style="margin: 0.3em 0">{coded(sentence)}</p>')
        if isinstance(answer, bool):
            right, truth = answer == statement.truth, Finding("true" if statement.truth else "false")
            facts = {"truth": truth, "reason": in_language(statement.reason, language)}
            verdict = say("", Finding("quiz-right" if right else "quiz-wrong", facts), language)
            plain.append(f"   {laid_out(verdict, sentences=False)}")
            word, _, reason = verdict[2:].partition(". ")
            state = badge("right" if right else "wrong", word)
            items[-1] += f'<p style="margin: 0.3em 0 0.8em">{state} {coded(reason)}</p>'
    shown = f'<ol style="max-width: 48em">{"".join(f"<li>{item}</li>" for item in items)}</ol>'
    if not any(isinstance(answer, bool) for answer in answers.values()):
        plain.append(say("", Finding("quiz-open"), language))
        shown += paragraphs(plain[-1])
    tell("\n".join(plain), f'<div lang="{html.escape(language)}">{shown}</div>')
