"""Mistakes of `score_parts`: which of the four parts came back, in which order, and with which factors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from encoding_labs.order_for_attention.evidence import near, numbers, once
from encoding_labs.order_for_attention.exercises import PARTS, built, parts_of
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


def parts(observations: Sequence[Observation]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The four parts that came back and those that are right, both divided by their largest entry."""
    found = []
    for seen in once(observations):
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
    en="All four parts are off by one factor, the same for each. Their shares are right. "
    "By what does attention divide its scores, and how often?",
    es="Las cuatro partes difieren de las pedidas en un mismo factor. Sus proporciones son correctas. "
    "¿Entre qué divide la atención sus puntuaciones, y cuántas veces?",
)
def scaled_amiss(observations):
    for seen in once(observations):
        mine, right = numbers(parts_of(seen.actual)), np.asarray(seen.expected)
        if mine is None or mine.shape != right.shape:
            return None
        factor = float((mine * right).sum() / (right**2).sum())
        accepted = near(factor, 1, 0.01) or near(factor, built(seen.args[0]).shape[1] ** 0.5, 0.01)
        if accepted or near(factor, 0, 0.01) or not near(mine, factor * right, 1e-3 * (1 + abs(factor))):
            return None
    return {}


@mistake(
    "parts-merged",
    "score_parts",
    en="Four arrays are asked for, and you returned {seen:g}. Words meet positions twice, once from each side. "
    "Multiply out (E + P)(E + P)ᵀ: which products are there?",
    es="Se piden cuatro arrays y devolviste {seen:g}. Palabras y posiciones se cruzan dos veces, una desde cada lado. "
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
    several = [numbers(parts_of(seen.actual)) for seen in once(observations)]
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
        if T != d and mine is not None and mine.shape[1:] == (d, d):
            return {"shape": mine.shape[1:]}


@mistake(
    "wrong-product/elementwise",
    "score_parts",
    en="Your parts have the shape {shape:shape}: one number for each token and column. A score belongs to two tokens, and is "
    "one number for all columns. Which product adds up over the columns?",
    es="Tus partes tienen la forma {shape:shape}: un número por cada token y columna. Una puntuación es de dos tokens, un solo "
    "número para todas las columnas. ¿Qué producto suma a lo largo de las columnas?",
)
def parts_entry_by_entry(observations):
    for seen in observations:
        T, d = built(seen.args[0]).shape
        mine = parts_of(seen.actual)
        if T != d and mine is not None and mine.shape[1:] == (T, d):
            return {"shape": mine.shape[1:]}
