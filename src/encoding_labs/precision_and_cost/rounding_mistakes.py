"""Mistakes of `double` in precision: how the angles of the new rows are off tells which step was float32."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.precision_and_cost.double_mistakes import Doubled, answers
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation

LEAST_ROWS = 200  # with fewer, rounding of angles and of entries look alike
ALIKE = 2e-6  # radians: beyond what rounding the entries of one pair explains


def rounded(observations: Sequence[Observation]) -> Iterator[tuple[Doubled, np.ndarray]]:
    """Calls that are off by little, with the error of each new pair's angle in radians, shape (n, m)."""
    for each in answers(observations):
        if each.n >= LEAST_ROWS and 1e-6 < each.off < 0.05:
            yield each, np.angle(each.second * each.right.conj())


def is_one_turn(error: np.ndarray) -> bool:
    """Whether all rows of a pair are off alike."""
    return bool(np.abs(error - np.median(error, axis=0)).max() < ALIKE)


def grows_step_by_step(error: np.ndarray) -> bool:
    """Whether the error grows along the rows in small steps, instead of being drawn anew in each row."""
    change, steps = np.ptp(error, axis=0), np.abs(np.diff(error, axis=0)).max(axis=0)
    worst = int(np.argmax(change))
    return bool(change[worst] > ALIKE and steps[worst] < 0.2 * change[worst])


def facts_of(each: Doubled) -> dict:
    return {"n": each.n, "error": each.off}


@mistake(
    "float32-phase",
    "double",
    en="All new rows are off alike, by up to {error:.1g} at n = {n}: the turn itself is off, and it is used for every row. "
    "Which dtype has its angle?",
    es="Todas las filas nuevas se desvían igual, hasta {error:.1g} con n = {n}: lo que se desvía es el giro, que sirve para todas. "
    "¿Qué dtype tiene su ángulo?",
)
def float32_phase(observations):
    found = (facts_of(each) for each, error in rounded(observations) if is_one_turn(error))
    return next(found, None)


@mistake(
    "accumulated-angle",
    "double",
    en="The error grows row by row, to {error:.1g} at n = {n}: each new row is made from the one before it and takes over its "
    "rounding. From which row can row n + q be made in one step?",
    es="El error crece fila a fila, hasta {error:.1g} con n = {n}: cada fila nueva sale de la anterior y hereda su redondeo. "
    "¿De qué fila sale la fila n + q en un solo paso?",
)
def accumulated_angle(observations):
    found = (facts_of(each) for each, error in rounded(observations) if grows_step_by_step(error))
    return next(found, None)


@mistake(
    "float32-angles",
    "double",
    en="At n = {n} an entry is off by {error:.1g}, and with few rows none is: as if each row had a float32 angle of its own, as "
    "in the locked formula. How many angles does doubling need, and which dtype can they have?",
    es="Con n = {n} un elemento se desvía {error:.1g}, y con pocas filas ninguno: como si cada fila tuviera su propio ángulo en "
    "float32, como en la fórmula protegida. ¿Cuántos ángulos necesita la duplicación, y qué dtype pueden tener?",
)
def float32_angles(observations):
    if low_precision(observations):
        return None
    found = (
        facts_of(each)
        for each, error in rounded(observations)
        if not is_one_turn(error) and not grows_step_by_step(error) and each.off < 1e-6 * each.n
    )
    return next(found, None)


@mistake(
    "low-precision",
    "double",
    en="All entries are off by about {error:.1g}, with few rows and with many: they were rounded to few digits. Which dtype, or "
    "which rounding, does a row pass through?",
    es="Todos los elementos se desvían alrededor de {error:.1g}, con pocas filas y con muchas: se redondearon a pocas cifras. "
    "¿Por qué dtype, o por qué redondeo, pasa una fila?",
)
def low_precision(observations):
    found = answers(observations)
    if found and all(1e-5 < each.off < 5e-3 for each in found):
        return {"error": max(each.off for each in found)}
