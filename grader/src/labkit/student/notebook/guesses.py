"""Guesses before a lab starts, and true-or-false statements after it. Both are explained once answered, and never graded."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labkit.student.judging.finding import Finding, said
from labkit.student.judging.words import filled, say
from labkit.student.notebook.figures import show
from labkit.student.notebook.language import spoken, translated
from labkit.student.notebook.messages import badge, card, coded, laid_out, paragraphs, tell

if TYPE_CHECKING:
    from matplotlib.axes import Axes


NEAR = 1.3  # below this factor, the message leaves it out, because "1.2 times too large" sounds odd


@dataclass(frozen=True)
class Truth:
    """The true value for a guess, its unit, and the explanation to show afterwards."""

    value: float
    unit: str = ""
    why: str = ""


@dataclass(frozen=True)
class Choice:
    """A choice among small pictures. For each letter: how to draw its picture, a description, and why it is right or wrong.

    `draw` takes an Axes. Errors: ValueError if the fields have different letters.
    """

    draw: Mapping[str, Callable[[Axes], object]]
    words: Mapping[str, str]  # descriptions, which must not reveal the right picture
    right: str
    why: Mapping[str, str]

    def __post_init__(self) -> None:
        letters = [*self.draw]
        if [*self.words] != letters or [*self.why] != letters or self.right not in letters:
            raise ValueError(f"draw, words, why and right of a Choice need the same letters: {', '.join(letters)}")


def predict(choice: Choice) -> None:
    """Show the pictures of a choice side by side, each with its letter."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(choice.draw), figsize=(2.75 * len(choice.draw), 2.9), squeeze=False)
    for ax, (letter, draw) in zip(axes[0], choice.draw.items()):
        draw(ax)
        ax.set_title(letter, loc="left", fontsize=18, fontweight="bold")
    words = (f"{letter}: {translated(words).rstrip('.')}." for letter, words in choice.words.items())
    show(figure, alt=" ".join((say("", Finding("choice-alt"), spoken()), *words)))


def reveal(guess: object, truth: Truth | Choice | float, unit: str = "") -> None:
    """Show a guess next to the true value, with an explanation. A guess within a tenth of the value counts as right."""
    if isinstance(truth, Choice):
        found = _chosen(guess, truth)
    else:
        truth = truth if isinstance(truth, Truth) else Truth(truth, unit)
        found = [_compared(guess, truth.value, f" {translated(truth.unit)}" if truth.unit else "")]
        if truth.why and found[0].id in ("guess-close", "guess-near", "guess-far"):
            found.append(said(translated(truth.why)))
    texts = [say("", each, spoken()) for each in found]
    close = found[0].id in ("guess-close", "choice-right")
    word = say("", Finding("badge-seen" if close else "badge-guess"), spoken())
    shown = card("right" if close else "note", word, "", "".join(map(paragraphs, texts)), spoken())
    tell(laid_out(" ".join(texts)), shown)


def _chosen(guess: object, choice: Choice) -> list[Finding]:
    """Report on the chosen picture, and on the right one if the choice was wrong."""
    if guess is None:
        return [Finding("no-guess")]
    letter = guess.strip().upper() if isinstance(guess, str) else ""
    if letter not in choice.draw:
        return [Finding("guess-letter", {"letters": [*choice.draw]})]
    why, right = translated(choice.why[letter]), choice.right
    if letter == right:
        return [Finding("choice-right", {"guess": letter, "why": why})]
    truth = Finding("choice-truth", {"right": right, "why": translated(choice.why[right])})
    return [Finding("choice-wrong", {"guess": letter, "why": why}), truth]


def _compared(guess: object, truth: float, unit: str) -> Finding:
    if guess is None:
        return Finding("no-guess")
    try:
        guess = float(guess)
    except (TypeError, ValueError):
        return Finding("guess-odd")
    facts = {"guess": _written(guess), "truth": _written(truth), "unit": unit}
    if abs(guess - truth) <= 0.1 * abs(truth):
        return Finding("guess-close", facts)
    if not unit or not min(guess, truth) > 0:  # it may be a row number, for which a factor means nothing
        return Finding("guess-far", {**facts, "times": ""})
    ratio = max(guess / truth, truth / guess)
    if ratio < NEAR:
        return Finding("guess-near", facts)
    off = "guess-too-large" if guess > truth else "guess-too-small"
    times = Finding(off, {"factor": _written(float(f"{ratio:.2g}"))})
    return Finding("guess-far", {**facts, "times": times})


def _written(number: float) -> str:
    """Write a number with four significant digits, or with all digits before the decimal point if there are more than four."""
    return filled("{0:,.0f}" if 1e4 <= abs(number) < 1e9 else "{0:.4g}", {"0": number}, spoken())


@dataclass(frozen=True)
class Statement:
    """A statement, whether it is true, and why."""

    text: str
    truth: bool
    reason: str


def quiz(statements: Sequence[Statement], answers: Mapping[int, bool | None]) -> None:
    """Show statements numbered from 1, with an explanation below each that is answered True or False."""
    plain: list[str] = []
    items: list[str] = []
    for number, statement in enumerate(statements, 1):
        answer = answers.get(number)
        sentence = translated(statement.text)
        plain.append(laid_out(f"{number}. {sentence}", sentences=False))
        items.append(f'<p style="margin: 0.3em 0">{coded(sentence)}</p>')
        if isinstance(answer, bool):
            right, truth = answer == statement.truth, Finding("true" if statement.truth else "false")
            facts = {"truth": truth, "reason": translated(statement.reason)}
            verdict = say("", Finding("quiz-right" if right else "quiz-wrong", facts), spoken())
            plain.append(f"   {laid_out(verdict, sentences=False)}")
            word, _, reason = verdict[2:].partition(". ")
            state = badge("right" if right else "wrong", word)
            items[-1] += f'<p style="margin: 0.3em 0 0.8em">{state} {coded(reason)}</p>'
    shown = f'<ol style="max-width: 48em">{"".join(f"<li>{item}</li>" for item in items)}</ol>'
    if not any(isinstance(answer, bool) for answer in answers.values()):
        plain.append(say("", Finding("quiz-open"), spoken()))
        shown += paragraphs(plain[-1])
    tell("\n".join(plain), f'<div lang="{html.escape(spoken())}">{shown}</div>')
