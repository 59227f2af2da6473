"""Answers of several parts, of which a check says how many are right and never which: parts could be guessed one by one."""

from __future__ import annotations

from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, call_text
from labkit.judging.short_answers import digest, items_of, spelled
from labkit.judging.words import register

DECIMALS = 4
IN_FLOAT32 = 1e-7  # by how much a number moves that is kept in float32: 0.99955 may arrive as 0.99954998

MISTAKES = (  # what name_the_mistake may answer
    "columns-unwritten",
    "degrees",
    "frequencies-reversed",
    "halves-layout",
    "integer-division",
    "positions-from-one",
    "same-function-twice",
    "swapped-sin-cos",
)

TEXTS = {
    "en": {
        "numbers": "by_hand should be a list of {total} numbers, in the order of the row.",
        "right": "Right: {right} of {total} numbers. "
        "Is the calculator set to radians, and is each number rounded to four decimals? "
        "Row 1, which stands above, tells you whether your way of working is the right one.",
    },
    "es": {
        "numbers": "by_hand debe ser una lista de {total} números, en el orden de la fila.",
        "right": "{right} de {total} números son correctos. "
        "¿Está la calculadora en radianes, y está cada número redondeado a cuatro decimales? "
        "La fila 1, que está más arriba, te dice si tu forma de calcular es la buena.",
    },
}
register(TEXTS, "by_hand")

NAMES = {
    "en": {
        "letters": "{call} should give a dictionary with one name for each of {letters}.",
        "odd-name": "{call} gives {given!r}, which is none of the eight names. Is there a typing error?",
        "hidden-odd-name": "For other tables name_the_mistake gives something that is none of the eight names.",
        "right": "Named rightly: {right} of the {total} tables in {call}. "
        "Print row 0 and row 1 of each table, and compare them with those of the right table. "
        "Which two of the mistakes can your function not yet tell apart?",
        "hidden-right": "Of {total} other tables {right} are named rightly. "
        "They have other sizes, other mistakes and other letters than those of the lab. "
        "Does your function look at the table that goes in, and at nothing else?",
    },
    "es": {
        "letters": "{call} debe dar un diccionario con un nombre para cada una de {letters}.",
        "odd-name": "{call} da {given!r}, que no es ninguno de los ocho nombres. ¿Hay una errata?",
        "hidden-odd-name": "Con otras tablas, name_the_mistake da algo que no es ninguno de los ocho nombres.",
        "right": "{right} de las {total} tablas de {call} están bien nombradas. "
        "Imprime las filas 0 y 1 de cada tabla y compáralas con las de la tabla correcta. "
        "¿Qué dos errores no distingue todavía tu función?",
        "hidden-right": "De otras {total} tablas, {right} están bien nombradas. "
        "Tienen otros tamaños, otros errores y otras letras que las del laboratorio. "
        "¿Mira tu función la tabla que recibe, y nada más?",
    },
}
register(NAMES, "name_the_mistake")


def judge_numbers(observation: Observation) -> Finding | None:
    """The judge of `by_hand`: numbers rounded to four decimals; more decimals do no harm. Digests of them are expected."""
    right, items = observation.expected, items_of(observation.actual)
    if items is None or set(items) != set(right):
        return Finding("numbers", {"total": len(right)})
    count = sum(is_number(observation, item, items[item]) for item in right)
    return None if count == len(right) else Finding("right", {"right": count, "total": len(right)})


def is_number(observation: Observation, item: str, value: object) -> bool:
    """Whether a value, rounded, is the number that an item asks for. A text is no number."""
    if isinstance(value, (str, bool)):
        return False
    try:
        nearby = (spelled(float(value) + step, DECIMALS) for step in (-IN_FLOAT32, IN_FLOAT32))
        return any(digest("by_hand", item, each) == observation.expected[item] for each in nearby)
    except (TypeError, ValueError, OverflowError):
        return False


def judge_names(observation: Observation) -> Finding | None:
    """The judge of `name_the_mistake`: the ids of the mistakes by letter. Digests of them are expected."""
    right, items, call = observation.expected, observation.actual, call_text(observation)
    if not isinstance(items, dict) or set(items) != set(right):
        return Finding("letters", {"call": call, "letters": "A, B, …" if not observation.public else [*right]})
    hidden = "" if observation.public else "hidden-"
    odd = [name for name in items.values() if not isinstance(name, str) or name.strip().lower() not in MISTAKES]
    if odd:
        return Finding(f"{hidden}odd-name", {"call": call, "given": odd[0]})
    count = sum(digest("name_the_mistake", letter, spelled(items[letter])) == right[letter] for letter in right)
    return (
        None if count == len(right) else Finding(f"{hidden}right", {"right": count, "total": len(right), "call": call})
    )
