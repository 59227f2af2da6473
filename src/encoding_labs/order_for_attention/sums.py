"""Mistakes in sums: scale * E + PE, which a blend of the two explains, and the four parts of the scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from encoding_labs.order_for_attention.exercises import PARTS, built, parts_of
from encoding_labs.order_for_attention.weights import near, numbers
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
    """How much of the words and of the table each answer holds; None when another one of them holds something else.

    first: the position of the first row.
    """
    found = []
    for seen in observations:
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
    es="Tu suma contiene las palabras {words:.3g} veces y la tabla {table:.3g} veces. La escala dio con la otra. "
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
    es="Tu resultado contiene las palabras y nada de la tabla. Si se barajan las palabras, las filas solo se barajan. "
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


def parts(observations: Sequence[Observation]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The four parts that came back and those that are right, both divided by their largest entry."""
    found = []
    for seen in observations:
        mine, right = numbers(parts_of(seen.actual)), np.asarray(seen.expected)
        if mine is not None and mine.shape == right.shape and np.abs(mine).max() > 0:
            found.append((mine / np.abs(mine).max(), right / np.abs(right).max()))
    return found


@mistake(
    "parts-exchanged",
    "score_parts",
    en="Your four arrays are the right ones in another order: {first} comes where {second} is asked for. "
    "In each name the first word belongs to the rows, which ask; the second to the columns, which are asked.",
    es="Tus cuatro arrays son los correctos en otro orden: {first} está donde se pide {second}. "
    "En cada nombre la primera palabra es de las filas, que preguntan; la segunda, de las columnas, a las que se pregunta.",
)
def parts_exchanged(observations):
    orders = []
    for mine, right in parts(observations):
        order = [next((place for place in range(4) if near(part, right[place])), None) for part in mine]
        if sorted(order, key=str) != [0, 1, 2, 3] or order == [0, 1, 2, 3]:
            return None
        orders.append(order)
    if not orders or any(order != orders[0] for order in orders):
        return None
    wrong = next(place for place in range(4) if orders[0][place] != place)
    return {"first": PARTS[orders[0][wrong]], "second": PARTS[wrong]}


@mistake(
    "factors-differ",
    "score_parts",
    en="Each of your parts is right up to a factor, but not the same factor for all: {part} has its own. "
    "They have to add up to the scores. What is each of them divided by?",
    es="Cada parte es correcta salvo un factor, pero no es el mismo para todas: {part} tiene otro. "
    "Deben sumar las puntuaciones. ¿Entre qué se divide cada una?",
)
def factors_differ(observations):
    for mine, right in parts(observations):
        factors = (mine * right).sum(axis=(1, 2)) / (right**2).sum(axis=(1, 2))
        if not near(mine, factors[:, None, None] * right) or near(factors, factors[0]) or near(factors.min(), 0):
            return None
        return {"part": PARTS[int(np.argmax(np.abs(factors - factors[0]) > 1e-3))]}
    return None


@mistake(
    "scores-scaled-amiss",
    "score_parts",
    en="All four parts are {factor:.3g} times what is asked. Their shares are right. "
    "By what does attention divide its scores, and how often?",
    es="Las cuatro partes son {factor:.3g} veces lo que se pide. Sus proporciones son correctas. "
    "¿Entre qué divide la atención sus puntuaciones, y cuántas veces?",
)
def scaled_amiss(observations):
    found = []
    for seen in observations:
        mine, right = numbers(parts_of(seen.actual)), np.asarray(seen.expected)
        if mine is None or mine.shape != right.shape:
            return None
        factor = float((mine * right).sum() / (right**2).sum())
        accepted = near(factor, 1, 0.01) or near(factor, built(seen.args[0]).shape[1] ** 0.5, 0.01)
        if accepted or near(factor, 0, 0.01) or not near(mine, factor * right, 1e-3 * (1 + abs(factor))):
            return None
        found.append(factor)
    return {"factor": found[0]} if found else None


@mistake(
    "parts-merged",
    "score_parts",
    en="You returned {seen} where four are asked for. Words meet positions twice, once from each side. "
    "Multiply out (E + P)(E + P)ᵀ: which products are there?",
    es="Devolviste {seen} donde se piden cuatro. Palabras y posiciones se cruzan dos veces, una desde cada lado. "
    "Desarrolla (E + P)(E + P)ᵀ: ¿qué productos hay?",
)
def parts_merged(observations):
    for seen in observations:
        T, mine = len(built(seen.args[0])), seen.actual
        if isinstance(mine, np.ndarray) and mine.shape == (T, T):
            return {"seen": 1}
        several = parts_of(mine)
        if several is not None and several.shape[1:] == (T, T) and len(several) != 4:
            return {"seen": len(several)}


@mistake(
    "weights-for-scores",
    "score_parts",
    en="Every row of your parts adds up to 1: a softmax has been there. It does not keep sums. "
    "Do weights of parts add up to the weights of the whole?",
    es="Cada fila de tus partes suma 1: ha pasado un softmax. No conserva las sumas. "
    "¿Suman los pesos de las partes los pesos del total?",
)
def weights_for_scores(observations):
    several = [numbers(parts_of(seen.actual)) for seen in observations]
    softened = all(mine is not None and near(mine.sum(axis=-1), 1) and (mine >= 0).all() for mine in several)
    return {} if several and softened else None


@mistake(
    "wrong-product/axis",
    "score_parts",
    en="Your parts have the shape {shape:shape}: one number for each two columns. A score belongs to two tokens. "
    "Over which axis does their dot product add?",
    es="Tus partes tienen la forma {shape:shape}: un número por cada dos columnas. Una puntuación es de dos tokens. "
    "¿A lo largo de qué eje suma su producto escalar?",
)
def parts_along_the_wrong_axis(observations):
    for seen in observations:
        T, d = built(seen.args[0]).shape
        mine = parts_of(seen.actual)
        if T != d and mine is not None and mine.shape[1:] in {(d, d), (T, d)}:
            return {"shape": mine.shape[1:]}
