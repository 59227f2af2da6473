"""Mistakes on the way from scores to weights and, in `attention`, from there to the output."""

import numpy as np

from encoding_labs.order_for_attention.evidence import NEAR, all_are, centred, near, numbers, steep_by
from encoding_labs.order_for_attention.exercises import built
from labkit.judging.diagnosis import mistake

BOTH = "attention", "look_back"


@mistake(
    "values-missing",
    "attention",
    en="For {T} tokens you returned {T} numbers each: one for every pair of tokens. So far they say who looks at whom. "
    "What is then averaged with these weights, and what is its shape?",
    es="Para {T} tokens devolviste {T} números por cada uno: uno por cada par. Hasta ahí dicen quién mira a quién. "
    "¿Qué se promedia después con esos pesos, y qué forma tiene?",
)
def values_missing(observations):
    for seen in observations:
        T, d = built(seen.args[0]).shape
        if T != d and numbers(seen.actual, (T, T)) is not None:
            return {"T": T}


@mistake(
    "wrong-product/axis",
    *BOTH,
    en="For a first argument of shape ({T}, {d}) you returned {shape:shape}. Somewhere columns meet columns. "
    "A score belongs to two tokens: over which axis does their dot product add?",
    es="Con un primer argumento de forma ({T}, {d}) devolviste {shape:shape}. En algún punto se cruzan columnas con "
    "columnas. Una puntuación es de dos tokens: ¿a lo largo de qué eje suma su producto escalar?",
)
def wrong_axis(observations):
    for seen in observations:
        x = built(seen.args[0])
        T, d = x.shape
        if T != d and (numbers(seen.actual, (d, d)) is not None or numbers(seen.actual, (d, T)) is not None):
            return None if averages_on_their_side(seen.actual, x) else {"T": T, "d": d, "shape": seen.actual.shape}


def averages_on_their_side(actual, x):
    """Whether an array of shape (d, T) is made of the rows of x, as averages of them are: then it is only transposed."""
    T, d = x.shape
    if actual.shape != (d, T) or T > d:
        return False
    shares = np.linalg.lstsq(x.T.astype(float), actual.astype(float), rcond=None)[0]
    return near(x.T @ shares, actual)


@mistake(
    "softmax-axis",
    *BOTH,
    en="Each column of your weights adds up to 1, and row 0 to {sum:.3f}. A row belongs to the token that looks. "
    "Along which axis are its weights shared out?",
    es="Cada columna de tus pesos suma 1, y la fila 0 suma {sum:.3f}. Una fila es del token que mira. "
    "¿A lo largo de qué eje se reparten sus pesos?",
)
def softmax_axis(observations):
    def told(weights):
        wrong = near(weights.mine.sum(axis=0), 1) and not near(weights.row_sums, 1)
        return {"sum": weights.row_sums[0]} if wrong else None

    return all_are(observations, told)


@mistake(
    "softmax-missing",
    *BOTH,
    en="Row 0 of your weights adds up to {sum:.3f}, and its entries grow in step with the scores. They were not raised "
    "by an exponential. Which two steps make weights of scores?",
    es="La fila 0 de tus pesos suma {sum:.3f}, y sus elementos crecen al paso de las puntuaciones. Falta la exponencial. "
    "¿Qué dos pasos convierten puntuaciones en pesos?",
)
def softmax_missing(observations):
    def told(weights):
        mine, right = centred(weights.mine), centred(np.log(weights.right))
        slopes = (mine * right).sum(axis=1) / np.maximum((right**2).sum(axis=1), 1e-12)
        linear = near(mine, slopes[:, None] * right, NEAR * (1 + np.abs(mine).max())) and (slopes > 100 * NEAR).all()
        return {"sum": weights.row_sums[0]} if linear and np.ptp(right) > 0.5 and len(mine) > 2 else None

    return all_are(observations, told)


@mistake(
    "weights-not-normalised",
    *BOTH,
    en="Row 0 of your weights adds up to {sum:.3g}. Their proportions are right. "
    "Weights of an average add up to 1 along each row: what is each row divided by?",
    es="La fila 0 de tus pesos suma {sum:.3g}. Sus proporciones son correctas. "
    "Los pesos de una media suman 1 en cada fila: ¿entre qué se divide cada fila?",
)
def weights_not_normalised(observations):
    """In `attention` one sum for all rows is also what values give that were multiplied by it."""

    def told(weights):
        alike = near(weights.row_sums, weights.row_sums[0]) and observations[0].exercise.name == "attention"
        return {"sum": weights.row_sums[0]} if in_proportion(weights) and not alike else None

    return all_are(observations, told)


@mistake(
    "scaled-values",
    "attention",
    en="For the first array your output is {factor:.3g} times what is asked for, in all rows. Either the weights of each row "
    "add up to that, or what they average was multiplied by it. Print the row sums of the weights: which of the two is it?",
    es="Para el primer array tu salida es {factor:.3g} veces la que se pide, en todas las filas. O los pesos de cada fila suman "
    "eso, o lo que promedian está multiplicado por ese factor. Imprime las sumas de los pesos por filas: ¿cuál de las dos es?",
)
def scaled_values(observations):
    def told(weights):
        alike = near(weights.row_sums, weights.row_sums[0])
        return {"factor": weights.row_sums[0]} if in_proportion(weights) and alike else None

    return all_are(observations, told)


def in_proportion(weights):
    """Whether these are the right weights but for a factor along each row, which is not 1."""
    steepness = weights.steepness
    return steepness is not None and near(steepness, 1, 0.02) and not near(weights.row_sums, 1)


@mistake(
    "masked",
    *BOTH,
    en="In your weights no token looks at a later one: row 0 has a single weight. That is a causal mask. "
    "Is one asked for here?",
    es="En tus pesos ningún token mira a uno posterior: la fila 0 tiene un solo peso. Eso es una máscara causal. "
    "¿Se pide aquí?",
)
def masked(observations):
    def told(weights):
        below = np.tril(weights.right)
        alone = near(weights.mine, below / below.sum(axis=1, keepdims=True))
        return {} if alone and not near(weights.mine, weights.right) else None

    return all_are([seen for seen in observations if seen.exercise.name == "attention" or seen.args[1]], told)


@mistake(
    "scores-not-scaled",
    "attention",
    en="Your weights are steeper than they should be, as if scores were {factor:.3g} times as large. The more "
    "dimensions, the worse. Which division keeps a score's size the same for every d?",
    es="Tus pesos son más abruptos de lo debido, como si las puntuaciones fueran {factor:.3g} veces mayores. A más "
    "dimensiones, peor. ¿Qué división mantiene el tamaño de una puntuación para todo d?",
)
def scores_not_scaled(observations):
    return steep_by(observations, lambda weights: weights.d**0.5) or steep_by(observations, lambda weights: weights.d)


@mistake(
    "over-normalised",
    *BOTH,
    en="Your weights are flatter than they should be: your scores are {factor:.3g} of what is asked. "
    "By what do you divide, and does the formula divide by that?",
    es="Tus pesos son más planos de lo debido: tus puntuaciones son {factor:.3g} de lo que se pide. "
    "¿Entre qué divides, y divide la fórmula entre eso?",
)
def over_normalised(observations):
    return steep_by(observations, lambda weights: weights.d**-0.5)


@mistake(
    "scaled-by-length",
    *BOTH,
    en="How steep your weights are changes with the number of tokens, and should not. "
    "Two sizes can be read off the shape of the first argument. Which of them is in your division?",
    es="Lo abrupto de tus pesos cambia con el número de tokens, y no debería. "
    "En la forma del primer argumento se leen dos tamaños. ¿Cuál de ellos está en tu división?",
)
def scaled_by_length(observations):
    def by_length(weights):
        return (weights.d / len(weights.mine)) ** 0.5 if weights.d != len(weights.mine) else 1

    attention = all(seen.exercise.name == "attention" for seen in observations)
    return steep_by(observations, by_length if attention else lambda weights: len(weights.mine) ** -0.5) and {}
