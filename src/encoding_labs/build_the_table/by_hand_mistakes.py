"""The mistakes of `by_hand`: rows worked out on paper. The right row is known by digests, so that none of it stands here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from encoding_labs.build_the_table.counted import DECIMALS, is_number
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation
from labkit.judging.short_answers import items_of

LAST = 10.0**-DECIMALS  # a unit of the last decimal
SWAPPED, HALVES = (1, 0, 3, 2), (0, 2, 1, 3)  # where the entries of the right row stand in another layout


def numbers(observation: Observation) -> Sequence[float] | None:
    """The numbers of the answer in order, or None when it has others than the row."""
    items = items_of(observation.actual)
    if items is None or set(items) != set(observation.expected):
        return None
    values = [items[key] for key in observation.expected]
    plain = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    return values if plain and np.isfinite(values).all() else None


def is_right(observation: Observation, values: Sequence[float]) -> bool:
    return all(is_number(observation, key, value) for key, value in zip(observation.expected, values))


def rearranged(observation: Observation, places: Sequence[int]) -> dict | None:
    values = numbers(observation)
    return {"first": values[0]} if values and is_right(observation, [values[place] for place in places]) else None


@mistake(
    "degrees",
    "by_hand",
    en="Your first number is {first:.4f}, which is the sine of 3 degrees. "
    "In which unit does the formula count angles, and which one is your calculator set to?",
    es="Tu primer número es {first:.4f}, que es el seno de 3 grados. "
    "¿En qué unidad cuenta los ángulos la fórmula, y en cuál está tu calculadora?",
)
def _in_degrees(observations):
    values = numbers(observations[0])
    return {"first": values[0]} if values and abs(values[0] - np.sin(np.deg2rad(3))) < LAST else None


@mistake(
    "swapped-sin-cos",
    "by_hand",
    en="The four numbers are right, but each cosine stands before its sine. "
    "Which of the two comes first in the rows of positions 0 and 1?",
    es="Los cuatro números son correctos, pero cada coseno va antes que su seno. "
    "¿Cuál de los dos va primero en las filas de las posiciones 0 y 1?",
)
def _swapped(observations):
    return rearranged(observations[0], SWAPPED)


@mistake(
    "halves-layout",
    "by_hand",
    en="The four numbers are right, but the sines come first and then the cosines. "
    "In this course the two numbers of a pair stand side by side.",
    es="Los cuatro números son correctos, pero van primero los senos y después los cosenos. "
    "En este curso los dos números de un par van uno junto al otro.",
)
def _in_halves(observations):
    return rearranged(observations[0], HALVES)


@mistake(
    "positions-from-one",
    "by_hand",
    en="These are the numbers of position {position}. Positions are counted from 0, "
    "so the row of position 3 takes the angles 3 ω. Which p is in your angles?",
    es="Estos son los números de la posición {position}. Las posiciones se cuentan desde 0, "
    "así que la fila de la posición 3 usa los ángulos 3 ω. ¿Qué p hay en los tuyos?",
)
def _of_a_neighbour(observations):
    values = numbers(observations[0])
    for position in (2, 4):
        row = [function(position * omega) for omega in (1, 0.01) for function in (np.sin, np.cos)]
        if values and np.abs(np.subtract(values, row)).max() < LAST:
            return {"position": position}
    return None


@mistake(
    "exponent-k-over-d",
    "by_hand",
    en="Your second pair has turned by {angle:.2g} radians at position 3. "
    "What is 2k/d for k = 1 and d = 4, and which frequency does that exponent give?",
    es="Tu segundo par ha girado {angle:.2g} radianes en la posición 3. "
    "¿Cuánto vale 2k/d para k = 1 y d = 4, y qué frecuencia da ese exponente?",
)
def _half_the_exponent(observations):
    values = numbers(observations[0])
    angle = 3 * 10_000 ** (-1 / 4)
    second = [np.sin(angle), np.cos(angle)]
    return {"angle": angle} if values and np.abs(np.subtract(values[2:], second)).max() < LAST else None


@mistake(
    "low-precision",
    "by_hand",
    en="Some numbers are a little too small in size, as if decimals had been cut off. "
    "Four decimals means rounded: what does the fifth decimal do to the fourth?",
    es="Algunos números se quedan un poco cortos, como si se hubieran cortado decimales. "
    "Cuatro decimales quiere decir redondeados: ¿qué le hace el quinto decimal al cuarto?",
)
def _cut_off(observations):
    values = numbers(observations[0])
    if not values:
        return None
    whole = [value if is_number(observations[0], key, value) else value + np.copysign(LAST, value)
             for key, value in zip(observations[0].expected, values)]  # fmt: skip
    return {} if is_right(observations[0], whole) and not is_right(observations[0], values) else None
