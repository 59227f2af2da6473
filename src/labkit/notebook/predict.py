"""A guess before the work: compared and explained, never graded."""

from __future__ import annotations

TEXTS = {
    "en": {
        "none": "No guess yet. Write one above and run both cells again: a wrong guess teaches more than none.",
        "close": "You guessed {guess:g}; it is {truth:.4g}{unit}. Well seen.",
        "far": "You guessed {guess:g}; it is {truth:.4g}{unit}. {times}What made you expect that?",
        "odd": "A guess is a number here, such as {truth_like}.",
        "more": "more",
        "less": "less",
        "factor": "That is {factor:.2g} times {direction}. ",
    },
    "es": {
        "none": "Aún no hay apuesta. Escríbela arriba y ejecuta las dos celdas: equivocarse enseña más que no apostar.",
        "close": "Apostaste {guess:g}; es {truth:.4g}{unit}. Buen ojo.",
        "far": "Apostaste {guess:g}; es {truth:.4g}{unit}. {times}¿Qué te hizo esperar eso?",
        "odd": "Aquí la apuesta es un número, como {truth_like}.",
        "more": "más",
        "less": "menos",
        "factor": "Es {factor:.2g} veces {direction}. ",
    },
}


def reveal(guess: object, truth: float, unit: str = "", *, language: str = "en") -> None:
    """Print a guess beside the truth. A guess within a tenth of the truth counts as close."""
    texts, unit = TEXTS[language], f" {unit}" if unit else ""
    if guess is None:
        print(texts["none"])
        return
    try:
        guess = float(guess)
    except (TypeError, ValueError):
        print(texts["odd"].format(truth_like="3 or 0.5"))
        return
    if abs(guess - truth) <= 0.1 * abs(truth):
        print(texts["close"].format(guess=guess, truth=truth, unit=unit))
        return
    times = ""
    if guess * truth > 0:
        factor, direction = max(guess / truth, truth / guess), "less" if guess > truth else "more"
        times = texts["factor"].format(factor=factor, direction=texts[direction])
    print(texts["far"].format(guess=guess, truth=truth, unit=unit, times=times))
