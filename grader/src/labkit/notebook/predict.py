"""A guess before the work: compared and explained, never graded."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.judging.finding import Finding
from labkit.judging.words import say
from labkit.notebook.layout import laid_out


@dataclass(frozen=True)
class Truth:
    """What a guess is held to, its unit, and why it is so: told to whoever has guessed."""

    value: float
    unit: str = ""
    why: str = ""


def reveal(guess: object, truth: Truth | float, unit: str = "", *, language: str = "en") -> None:
    """Print a guess beside the truth, and why it is so. A guess within a tenth of the truth counts as close."""
    truth = truth if isinstance(truth, Truth) else Truth(truth, unit)
    found = _compared(guess, truth.value, f" {truth.unit}" if truth.unit else "")
    if truth.why and found.id in ("guess-close", "guess-far"):
        found = Finding("guess-why", {"compared": found, "why": truth.why})
    print(laid_out(say("", found, language)))


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
    if not guess * truth > 0:
        return Finding("guess-far", {**facts, "times": ""})
    ratio, direction = max(guess / truth, truth / guess), Finding("less" if guess > truth else "more")
    times = Finding("guess-factor", {"factor": _written(float(f"{ratio:.2g}")), "direction": direction})
    return Finding("guess-far", {**facts, "times": times})


def _written(number: float) -> str:
    """A number as a person writes it: four digits, and all of those before the point."""
    return f"{number:,.0f}" if 1e4 <= abs(number) < 1e9 else f"{number:.4g}"
