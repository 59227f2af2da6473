"""The mistakes of lab 07 in the first bad position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from encoding_labs.precision_and_cost.exercises import EXACT_UP_TO, numbers_of
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, judge


def known_positions(observations: Sequence[Observation]) -> Iterator[float]:
    """What came back at d = 2, where position 1 is right and row 0 exact: its angles are exact, its entries rounded."""
    for seen in observations:
        actual = numbers_of(seen.actual)
        if seen.args[0] == 2 and actual is not None and actual.ndim == 0 and seen.expected is not None:
            yield float(actual)


@mistake(
    "off-by-one",
    "first_bad_position",
    en="At d = 2 you are one position away. The first one that is off is asked for, counted from 0. What does the index "
    "that you found count from, and is it that of the last good position?",
    es="Con d = 2 estás a una posición. Se pide la primera que se desvía, contando desde 0. ¿Desde dónde cuenta el índice "
    "que hallaste, y es el de la última posición buena?",
)
def off_by_one(observations):
    found = list(known_positions(observations))
    return {} if found and all(seen in (0, 2) for seen in found) and right_elsewhere(observations) else None


def right_elsewhere(observations: Sequence[Observation]) -> bool:
    """Whether nothing is wrong with the other calls, where a range of positions can be right."""
    return all(judge(seen) is None for seen in observations if seen.args[0] != 2)


@mistake(
    "angle-error",
    "first_bad_position",
    en="At d = 2 you stop at 2**24 + 1, where an angle is off for the first time. An entry is its sine or cosine, and is "
    "rounded itself. Is it your float32_error that you compare with the tolerance?",
    es="Con d = 2 te detienes en 2**24 + 1, donde se desvía por primera vez un ángulo. Un elemento es su seno o su coseno, y "
    "se redondea él mismo. ¿Es tu float32_error lo que comparas con la tolerancia?",
)
def angle_tolerance(observations):
    found = list(known_positions(observations))
    return {} if found and all(seen == EXACT_UP_TO + 1 for seen in found) and right_elsewhere(observations) else None


@mistake(
    "not-the-first",
    "first_bad_position",
    en="At d = 2 you say {seen:,.0f}, and an entry is off by more than the tolerance long before. From row to row the error "
    "goes up and down, so one good position says nothing of those before it. Does your search step over some?",
    es="Con d = 2 dices {seen:,.0f}, y mucho antes hay un elemento que se desvía más que la tolerancia. De fila en fila el "
    "error sube y baja, así que una posición buena no dice nada de las anteriores. ¿Se salta algunas tu búsqueda?",
)
def not_the_first(observations):
    found = list(known_positions(observations))
    return {"seen": found[0]} if found and all(2 < seen < EXACT_UP_TO and not seen % 1 for seen in found) else None


@mistake(
    "nothing-found",
    "first_bad_position",
    en="You say {seen}, where nothing can be off yet. An argmax over answers that are all False is 0 as well. Does your "
    "search go far enough, and does it look whether it found anything?",
    es="Dices {seen}, donde aún nada puede desviarse. Un argmax sobre respuestas que son todas False también es 0. ¿Llega "
    "tu búsqueda lo bastante lejos, y mira si halló algo?",
)
def nothing_found(observations):
    for seen in observations:
        actual = numbers_of(seen.actual)
        nothing = actual is not None and actual.ndim == 0 and (actual == -1 or actual == 0 and seen.args[0] != 2)
        if seen.actual is None or nothing:
            return {"seen": "None" if seen.actual is None else int(actual)}
