"""A guess before the work: compared and explained, never graded."""

from __future__ import annotations

from labkit.judging.finding import Finding
from labkit.judging.words import say


def reveal(guess: object, truth: float, unit: str = "", *, language: str = "en") -> None:
    """Print a guess beside the truth. A guess within a tenth of the truth counts as close."""
    print(say("", _compared(guess, truth, f" {unit}" if unit else ""), language))


def _compared(guess: object, truth: float, unit: str) -> Finding:
    if guess is None:
        return Finding("no-guess")
    try:
        guess = float(guess)
    except (TypeError, ValueError):
        return Finding("guess-odd")
    facts = {"guess": guess, "truth": truth, "unit": unit}
    if abs(guess - truth) <= 0.1 * abs(truth):
        return Finding("guess-close", facts)
    if not guess * truth > 0:
        return Finding("guess-far", {**facts, "times": ""})
    factor = {"factor": max(guess / truth, truth / guess), "direction": Finding("less" if guess > truth else "more")}
    return Finding("guess-far", {**facts, "times": Finding("guess-factor", factor)})
