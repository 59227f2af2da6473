"""The mistakes of `sinusoidal_pos`: the numbers of the table in another form or order than row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from labkit.judging.compare import difference
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, call_text


def vectors(observations: Sequence[Observation]) -> Iterator[tuple[Observation, np.ndarray, np.ndarray]]:
    """Each wrong observation with as many numbers as are asked for, those numbers, and the right table (T, d)."""
    for seen in observations:
        if isinstance(seen.actual, np.ndarray) and seen.actual.dtype.kind == "f" and seen.difference:
            _, T, d = seen.args
            if seen.actual.size == T * d:
                yield seen, seen.actual.ravel(), np.reshape(seen.expected, (T, d))


def arranged(observations: Sequence[Observation], order: Callable[[np.ndarray], np.ndarray]) -> dict | None:
    """Whether all wrong vectors hold the right table in another order."""
    found = [
        (seen, difference(given, order(table), seen.exercise.tolerance)) for seen, given, table in vectors(observations)
    ]
    wrong = sum(seen.difference is not None for seen in observations)
    return {"call": call_text(found[0][0])} if found and len(found) == wrong and not any(d for _, d in found) else None


@mistake(
    "wrong-stack-axis",
    "sinusoidal_pos",
    en="{call} goes through the table column by column. "
    "In row-major order the whole row of position 0 comes first. Which entry is the second?",
    es="{call} recorre la tabla columna por columna. "
    "Por filas, primero va toda la fila de la posición 0. ¿Qué entrada es la segunda?",
)
def _column_by_column(observations):
    return arranged(observations, lambda table: table.T.ravel())


@mistake(
    "halves-layout",
    "sinusoidal_pos",
    en="In {call} each row has its sines first and then its cosines. "
    "This course interleaves: where does the partner of column 0 stand?",
    es="En {call} cada fila tiene primero los senos y después los cosenos. "
    "Este curso intercala: ¿dónde está la pareja de la columna 0?",
)
def _in_halves(observations):
    return arranged(observations, lambda table: np.hstack([table[:, 0::2], table[:, 1::2]]).ravel())


@mistake(
    "swapped-sin-cos",
    "sinusoidal_pos",
    en="In {call} each cosine stands before its sine. "
    "At position 0 every angle is 0. Which of the two is 0 there, and which entry holds it?",
    es="En {call} cada coseno va antes que su seno. "
    "En la posición 0 todos los ángulos son 0. ¿Cuál de los dos vale 0 ahí, y qué entrada lo tiene?",
)
def _cosine_first(observations):
    return arranged(observations, lambda table: np.stack([table[:, 1::2], table[:, 0::2]], axis=-1).ravel())


@mistake(
    "wrong-container",
    "sinusoidal_pos",
    en="{call} returned an array of shape {shape}; one long vector is asked for. "
    "How is a table of T rows laid out one row after the other?",
    es="{call} devolvió un array de forma {shape}; se pide un solo vector largo. "
    "¿Cómo se coloca una tabla de T filas, una fila tras otra?",
)
def _not_flat(observations):
    for seen, given, table in vectors(observations):
        if seen.actual.ndim != 1 and not difference(given, table.ravel(), seen.exercise.tolerance):
            return {"call": call_text(seen), "shape": str(seen.actual.shape)}
    return None
