"""Mistakes of lab 05's decode: the hands of a clock read in the wrong way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from numbers import Real

import numpy as np

from encoding_labs.base_sweep.rows import Printed
from encoding_labs.known_numbers import known
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation

LAB = "05_base_sweep"
HALF = 0.51  # whether an answer was rounded to a whole number or not

known(
    LAB,
    "fast-hand-alone",
    "decode",
    "fast hand",
    "fast hand, signed",
    close=HALF,
    en="For {given} you have {seen:.4g}, a position within the first turn of the fastest hand. It cannot say how "
    "many turns it has made before. Which hand can?",
    es="Para {given} tienes {seen:.4g}, una posición dentro de la primera vuelta de la manecilla más rápida. Ella no "
    "puede decir cuántas vueltas ha dado antes. ¿Cuál puede?",
)
known(
    LAB,
    "slow-hand-alone",
    "decode",
    "slow hand",
    "slow hand, signed",
    close=HALF,
    en="For {given} you have {seen:.6g}, what the slowest hand says alone. Two decimals leave its angle off by up to "
    "0.007 radians: how many positions are that? Which hands could say it better?",
    es="Para {given} tienes {seen:.6g}, lo que dice sola la manecilla más lenta. Dos decimales dejan su ángulo con "
    "un error de hasta 0,007 radianes: ¿cuántas posiciones son? ¿Qué manecillas podrían afinarlo?",
)
known(
    LAB,
    "arctan2-exchanged",
    "decode",
    "exchanged",
    "exchanged, signed",
    close=HALF,
    en="For {given} you have {seen:.6g}: all your hands are read as if they started at a quarter turn and ran "
    "backwards. Which of arctan2's two arguments is the sine?",
    es="Para {given} tienes {seen:.6g}: todas tus manecillas se leen como si empezaran en un cuarto de vuelta y "
    "giraran al revés. ¿Cuál de los dos argumentos de arctan2 es el seno?",
)
known(
    LAB,
    "half-turn-lost",
    "decode",
    "signed",
    close=HALF,
    en="All is well until the slowest hand has passed half a turn; then you count back from a whole turn: for "
    "{given} you have {seen:.6g}. From where to where do the angles of arctan2 run, and from where to where does the "
    "hand turn?",
    es="Todo va bien hasta que la manecilla más lenta pasa de media vuelta; entonces cuentas hacia atrás desde la "
    "vuelta entera: para {given} tienes {seen:.6g}. ¿Entre qué valores están los ángulos de arctan2, y entre cuáles "
    "gira la manecilla?",
)
known(
    LAB,
    "halves-layout",
    "decode",
    "halves",
    close=HALF,
    en="For {given} you have {seen:.6g}: the first half of the row was taken for sines, the second for cosines. "
    "Which columns hold the two of a pair in this course?",
    es="Para {given} tienes {seen:.6g}: se tomó la primera mitad de la fila por senos y la segunda por cosenos. ¿Qué "
    "columnas forman un par en este curso?",
)
known(
    LAB,
    "cut-off/turns",
    "decode",
    "turns rounded down",
    "turns cut off",
    "turns of the position",
    close=HALF,
    en="For {given} you have {seen:.6g}: the number of whole turns was rounded down. The position so far is rough, and "
    "may lie a little below the right turn as well as above. Which turn is nearest to it?",
    es="Para {given} tienes {seen:.6g}: el número de vueltas enteras se redondeó hacia abajo. La posición hasta ahí es "
    "aproximada, y puede quedar un poco por debajo de la vuelta correcta o por encima. ¿Qué vuelta le queda más cerca?",
)
known(
    LAB,
    "positions-from-one",
    "decode",
    "one more",
    close=HALF,
    en="For {given} you have {seen:.6g}, and every other answer is as far too large. From which number do positions "
    "count?",
    es="Para {given} tienes {seen:.6g}, y a las demás respuestas les sobra lo mismo. ¿Desde qué número se cuentan "
    "las posiciones?",
)


def answers(observations: Sequence[Observation]) -> Iterator[tuple[float, float]]:
    """The position asked for and the finite number that came back, for each call that got one."""
    for seen in observations:
        value = seen.actual[()] if isinstance(seen.actual, np.ndarray) and seen.actual.ndim == 0 else seen.actual
        if isinstance(seen.args[0], Printed) and isinstance(value, Real) and math.isfinite(value):
            yield seen.args[0].p, float(value)


@mistake(
    "cut-off",
    "decode",
    en="No answer is too large, and some are one too small. Your hands do not meet on a whole number exactly. What "
    "does int() do with 99.996?",
    es="Ninguna respuesta es demasiado grande, y algunas se quedan una posición cortas. Tus manecillas no coinciden "
    "exactamente en un entero. ¿Qué hace int() con 99,996?",
)
def cut_off(observations):
    """Of a half position either neighbour can be left, or the one below."""
    found = list(answers(observations))
    short = {p - value for p, value in found}
    if len(found) == len(observations) > 1 and 1.0 in short and short <= {0.0, 0.5, 1.0, 1.5}:
        return {}


@mistake(
    "table-too-short",
    "decode",
    en="Up to position {right:,} you are right; beyond it your answers stay small: {seen:,.0f} where the row belongs "
    "to a far later position. A search finds only rows that are in its table. How many does it need?",
    es="Hasta la posición {right:,} aciertas; más allá tus respuestas se quedan pequeñas: {seen:,.0f} donde la fila "
    "es de una posición mucho mayor. Una búsqueda solo encuentra filas que están en su tabla. ¿Cuántas necesita?",
)
def table_too_short(observations):
    found = sorted(answers(observations))
    right = [p for p, value in found if abs(p - value) <= HALF]
    wrong = [(p, value) for p, value in found if abs(p - value) > HALF]
    if len(found) < len(observations) or not right or not wrong or max(right) < 50:
        return None
    whole = all(value >= 0 and value % 1 == 0 for _, value in wrong)
    if whole and max(right) < wrong[0][0] and max(value for _, value in wrong) < wrong[0][0]:
        return {"right": max(right), "seen": wrong[0][1]}
