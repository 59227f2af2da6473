"""Answers of several parts, of which the lab's check says how many are right and not which: parts could be guessed one by one.

Of drawn tables it says which mistake was taken for which, since the next ones are others.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, call_text
from labkit.judging.short_answers import digest, items_of, spelled
from labkit.judging.words import register

DECIMALS = 4
NUMBERS = (int, float, np.number, np.ndarray)  # an array of one number is one, too
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
        "no-number": "by_hand holds {seen}, which Python takes for no number. Write each of the {total} as a number, such "
        "as -0.5: without quotation marks, and with a point for the decimals.",
        "right": "Right: {right} of {total} numbers. "
        "Is the calculator set to radians, and is each number rounded to four decimals? "
        "Row 1, which stands above, tells you whether your way of working is the right one.",
    },
    "es": {
        "numbers": "by_hand debe ser una lista de {total} números, en el orden de la fila.",
        "no-number": "by_hand contiene {seen}, que para Python no es un número. Escribe cada uno de los {total} como "
        "número, por ejemplo -0.5: sin comillas y con punto decimal.",
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
        "right-on-four": "✔ {name}: right on the four tables shown. Grading draws other tables and asks for all eight mistakes.",
        "hidden-right": "Of {total} other tables {right} are named rightly; {taken}. "
        "They have other sizes, other mistakes and other letters than those of the lab. "
        "In which numbers do the two mistakes of such a pair differ, whatever the size?",
        "taken": "{mistake} was taken for {given}",
    },
    "es": {
        "letters": "{call} debe dar un diccionario con un nombre para cada una de {letters}.",
        "odd-name": "{call} da {given!r}, que no es ninguno de los ocho nombres. ¿Hay una errata?",
        "hidden-odd-name": "Con otras tablas, name_the_mistake da algo que no es ninguno de los ocho nombres.",
        "right": "{right} de las {total} tablas de {call} están bien nombradas. "
        "Imprime las filas 0 y 1 de cada tabla y compáralas con las de la tabla correcta. "
        "¿Qué dos errores no distingue todavía tu función?",
        "right-on-four": "✔ {name}: correcto en las cuatro tablas que se muestran. Al calificar se sortean otras tablas y se "
        "piden los ocho errores.",
        "hidden-right": "De otras {total} tablas, {right} están bien nombradas; {taken}. "
        "Tienen otros tamaños, otros errores y otras letras que las del laboratorio. "
        "¿En qué números se distinguen los dos errores de cada pareja, sea cual sea el tamaño?",
        "taken": "{mistake} pasó por {given}",
    },
}
register(NAMES, "name_the_mistake")


def judge_numbers(observation: Observation) -> Finding | None:
    """The judge of `by_hand`: numbers rounded to four decimals; more decimals do no harm. Digests of them are expected."""
    right, items = observation.expected, items_of(observation.actual)
    if items is None or set(items) != set(right):
        return Finding("numbers", {"total": len(right)})
    count = sum(is_number(observation, item, items[item]) for item in right)
    if count == len(right):
        return None
    if odd := [value for value in items.values() if not isinstance(value, NUMBERS) or value != value]:
        return Finding("no-number", {"seen": repr(odd[0]), "total": len(right)})
    return Finding("right", {"right": count, "total": len(right)})


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
    wrong = {letter: name for letter, name in items.items() if not _is(letter, name, right)}
    if not wrong:
        return None
    facts = {"right": len(right) - len(wrong), "total": len(right), "call": call}
    return Finding(f"{hidden}right", facts if observation.public else {**facts, "taken": _taken(wrong, right)})


def _is(letter: str, name: str, right: Mapping[str, str]) -> bool:
    return digest("name_the_mistake", letter, spelled(name)) == right[letter]


def _taken(wrong: Mapping[str, str], right: Mapping[str, str]) -> list[Finding]:
    """Which mistake got which name, each pair once and in the order of the alphabet."""
    pairs = {
        (next(each for each in MISTAKES if _is(letter, each, right)), spelled(name)) for letter, name in wrong.items()
    }
    return [Finding("taken", {"mistake": mistake, "given": given}) for mistake, given in sorted(pairs)]
