"""Mistakes of `add_positions`: how much of the words and how much of the table is in the sum?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from encoding_labs.order_for_attention.evidence import near, numbers, once
from encoding_labs.order_for_attention.exercises import built
from encoding_labs.tables import Table
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


@dataclass(frozen=True)
class Blend:
    """A sum words * E + table * PE, and what was asked for: scale * E + PE."""

    words: float
    table: float
    scale: float
    d: int

    def near(self, words: float, table: float) -> bool:
        return near((self.words, self.table), (words, table), 0.005 * (1 + abs(words) + abs(table)))


def blends(observations: Sequence[Observation], first: int = 0) -> list[Blend] | None:
    """How much of the words and of the table each answer holds; None when one of them holds anything else.

    first: the position of the first row.
    """
    found = []
    for seen in once(observations):
        rows, scale = built(seen.args[0]), seen.args[1]
        T, d = rows.shape
        actual = numbers(seen.actual, rows.shape)
        if actual is None:
            return None
        table = Table(T + first, d).build()[first:]
        columns = np.stack([rows.ravel(), table.ravel()], axis=1).astype(np.float64)
        parts = np.linalg.lstsq(columns, actual.ravel(), rcond=None)[0]
        if not near(columns @ parts, actual.ravel(), 1e-3 * (1 + abs(parts).max())):
            return None
        found.append(Blend(*map(float, parts), float(scale), d))
    return found


def blended(observations: Sequence[Observation], wanted: Callable[[Blend], tuple[float, float]]) -> Mapping | None:
    """The first blend, when all are what is wanted of them and not all are right."""
    found = blends(observations)
    if (
        not found
        or not all(each.near(*wanted(each)) for each in found)
        or all(each.near(each.scale, 1) for each in found)
    ):
        return None
    return {"scale": found[0].scale, "words": found[0].words, "table": found[0].table}


@mistake(
    "concatenated",
    "add_positions",
    en="For {d} dimensions you returned {seen}: words and positions side by side. That is another design, "
    "and a wider one. What does the sign between E and PE ask for?",
    es="Para {d} dimensiones devolviste {seen}: palabras y posiciones una al lado de otra. Es otro diseño, más ancho. "
    "¿Qué pide el signo entre E y PE?",
)
def concatenated(observations):
    for seen in observations:
        T, d = built(seen.args[0]).shape
        if numbers(seen.actual, (T, 2 * d)) is not None or numbers(seen.actual, (2 * T, d)) is not None:
            return {"d": d, "seen": max(seen.actual.shape[1], d)}


@mistake(
    "scale-forgotten",
    "add_positions",
    en="With scale {scale:g} the words enter your sum once. The scale changes nothing. "
    "How long is a row of E beside a row of PE, and what is the scale for?",
    es="Con escala {scale:g} las palabras entran una vez en tu suma. La escala no cambia nada. "
    "¿Cuánto mide una fila de E junto a una de PE, y para qué está la escala?",
)
def scale_forgotten(observations):
    return blended(observations, lambda blend: (1, 1))


@mistake(
    "scale-squared",
    "add_positions",
    en="With scale {scale:g} the words enter your sum {words:.3g} times. Is the scale in it twice?",
    es="Con escala {scale:g} las palabras entran {words:.3g} veces en tu suma. ¿Está la escala dos veces?",
)
def scale_squared(observations):
    return blended(observations, lambda blend: (blend.scale**2, 1))


@mistake(
    "scaled-table",
    "add_positions",
    en="Your sum holds the words {words:.3g} times and the table {table:.3g} times. The scale has met the other one. "
    "Which of the two is to be made longer?",
    es="Tu suma contiene las palabras {words:.3g} veces y la tabla {table:.3g} veces. La escala multiplicó a la tabla. "
    "¿Cuál de las dos hay que alargar?",
)
def scaled_table(observations):
    return blended(observations, lambda blend: (1, blend.scale))


@mistake(
    "scaled-sum",
    "add_positions",
    en="Your sum holds the words {words:.3g} times and the table {table:.3g} times. One factor for both leaves their "
    "balance as it was. What does the scale multiply: before the sum, or after it?",
    es="Tu suma contiene las palabras {words:.3g} veces y la tabla {table:.3g} veces. Un factor para ambas deja el "
    "equilibrio como estaba. ¿Qué multiplica la escala: antes de la suma o después?",
)
def scaled_sum(observations):
    return blended(observations, lambda blend: (blend.scale, blend.scale))


@mistake(
    "scale-divides",
    "add_positions",
    en="With scale {scale:g} the words enter your sum {words:.3g} times. Do they become longer by it?",
    es="Con escala {scale:g} las palabras entran {words:.3g} veces en tu suma. ¿Se alargan con ella?",
)
def scale_divides(observations):
    return blended(observations, lambda blend: (1 / blend.scale, 1))


@mistake(
    "scale-of-its-own",
    "add_positions",
    en="The words enter your sum the square root of d times, whatever the scale. That is a usual choice. "
    "Whose choice is it here?",
    es="Las palabras entran en tu suma la raíz de d veces, sea cual sea la escala. Es una elección habitual. "
    "¿Quién la hace aquí?",
)
def scale_of_its_own(observations):
    return blended(observations, lambda blend: (blend.d**0.5, 1))


@mistake(
    "positions-missing",
    "add_positions",
    en="Your result holds the words and nothing of the table. Shuffle the words, and the rows are only shuffled. "
    "What tells row 0 from row 1?",
    es="Tu resultado contiene las palabras y nada de la tabla. Si se barajan las palabras, las filas solo cambian de orden. "
    "¿Qué distingue la fila 0 de la fila 1?",
)
def positions_missing(observations):
    return blended(observations, lambda blend: (blend.scale, 0)) or blended(observations, lambda blend: (1, 0))


@mistake(
    "words-missing",
    "add_positions",
    en="Your result holds the table and nothing of the words. Every text of this length would give it. "
    "What became of the embeddings?",
    es="Tu resultado contiene la tabla y nada de las palabras. Cualquier texto de esta longitud lo daría. "
    "¿Qué fue de los vectores de las palabras?",
)
def words_missing(observations):
    return blended(observations, lambda blend: (0, 1))


@mistake(
    "table-subtracted",
    "add_positions",
    en="Your result holds the table {table:.3g} times: it was taken away. Which sign stands between the two?",
    es="Tu resultado contiene la tabla {table:.3g} veces: se restó. ¿Qué signo hay entre las dos?",
)
def table_subtracted(observations):
    return blended(observations, lambda blend: (blend.scale, -1))


@mistake(
    "positions-from-one",
    "add_positions",
    en="The row that you add to the first word is that of position 1. Which position has the first token?",
    es="La fila que sumas a la primera palabra es la de la posición 1. ¿Qué posición tiene el primer token?",
)
def positions_from_one(observations):
    found = blends(observations, first=1)
    return {} if found and all(each.near(each.scale, 1) for each in found) else None
