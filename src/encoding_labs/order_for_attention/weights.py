"""Mistakes in attention weights: of `attention`, where they are read back from the output, and of `look_back`, which gives them.

A softmax takes a constant along each row away. What is left of the logarithms of a row's weights tells how steep the scores were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from encoding_labs.order_for_attention.exercises import built
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation

NEAR = 1e-3  # float32 rounding moves what is compared here by less than 1e-4, every mistake by more
HUGE = 1e6
BOTH = "attention", "look_back"


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of one call, those that are right, and what went in."""

    mine: np.ndarray
    right: np.ndarray
    d: int
    offset: int = 0
    gain: float = 1.0

    @property
    def steepness(self) -> float | None:
        """By which factor the scores differ from the right ones; None when no factor, and nothing along a row, explains it."""
        if (self.mine <= 0).any():
            return None
        mine, right = centred(np.log(self.mine)), centred(np.log(self.right))
        factor = float((mine * right).sum() / (right**2).sum())
        return factor if near(mine, factor * right, 10 * NEAR * (1 + abs(factor))) else None

    @property
    def row_sums(self) -> np.ndarray:
        return self.mine.sum(axis=1)


def centred(rows: np.ndarray) -> np.ndarray:
    return rows - rows.mean(axis=1, keepdims=True)


def near(one: object, other: object, within: float = NEAR) -> bool:
    return bool(np.max(np.abs(np.subtract(one, other)), initial=0.0) < within)


def numbers(value: object, shape: tuple | None = None) -> np.ndarray | None:
    """An array of finite real numbers of this shape, as float64; None for anything else."""
    usable = isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and shape in (None, value.shape)
    usable = usable and np.isfinite(value).all() and np.abs(value.astype(np.float64)).max(initial=0.0) < HUGE
    return value.astype(np.float64) if usable else None


def weights_in(observations: Sequence[Observation]) -> list[Weights]:
    """The weights of each call that tells them: an output tells its weights where no token is made of the others."""
    found = []
    for seen in observations:
        x, (mine, right) = built(seen.args[0]), (numbers(seen.actual), np.asarray(seen.expected))
        if mine is None or mine.shape != right.shape:
            continue
        if seen.exercise.name == "look_back":
            found.append(Weights(mine, right, x.shape[1], *seen.args[1:]))
        elif len(x) > 1 and np.linalg.matrix_rank(x, tol=0.1) == len(x):
            back = np.linalg.pinv(x.astype(np.float64))
            if near(mine @ back @ x, mine):
                found.append(Weights(mine @ back, right @ back, x.shape[1]))
    return found


def all_are(observations: Sequence[Observation], told: Callable[[Weights], Mapping | None]) -> Mapping | None:
    """What is told of the first, when there is something to tell of each."""
    found = [told(weights) for weights in weights_in(observations)]
    return found[0] if found and all(each is not None for each in found) else None


def steep_by(observations: Sequence[Observation], wanted: Callable[[Weights], float]) -> Mapping | None:
    """Whether all scores are steeper by the factor that is wanted; at least one of these must not be 1."""
    several = [weights for weights in weights_in(observations) if weights.d > 1 and len(weights.mine) > 1]
    factors = [weights.steepness if near(weights.row_sums, 1) else None for weights in several]
    if None in factors or all(near(wanted(weights), 1) for weights in several):
        return None
    if all(near(factor, wanted(weights), 0.02 * wanted(weights)) for factor, weights in zip(factors, several)):
        return {"factor": next(factor for factor in factors if not near(factor, 1, 0.02)), "gain": several[0].gain}
    return None


@mistake(
    "values-missing",
    "attention",
    en="For {T} tokens you returned {T} numbers each: one for every pair of tokens. So far they say who looks at whom. "
    "What is then averaged with these weights, and which shape has it?",
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
        T, d = built(seen.args[0]).shape
        if T != d and (numbers(seen.actual, (d, d)) is not None or numbers(seen.actual, (d, T)) is not None):
            return {"T": T, "d": d, "shape": seen.actual.shape}


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
    "gain-after-softmax",
    "look_back",
    en="Your rows add up to {sum:g}, which is the gain. It was multiplied with the weights. "
    "It belongs where it can make a large score larger than the others: before which step?",
    es="Tus filas suman {sum:g}, que es la ganancia. Se multiplicó por los pesos. "
    "Su sitio es donde pueda separar más las puntuaciones: ¿antes de qué paso?",
)
def gain_after_softmax(observations):
    def told(weights):
        return {"sum": weights.gain} if near(weights.row_sums, weights.gain) else None

    several = weights_in(observations)
    return all_are(observations, told) if any(weights.gain != 1 for weights in several) else None


@mistake(
    "weights-not-normalised",
    *BOTH,
    en="Row 0 of your weights adds up to {sum:.3g}. Their proportions are right. "
    "Weights of an average add up to 1 along each row: what is each row divided by?",
    es="La fila 0 de tus pesos suma {sum:.3g}. Sus proporciones son correctas. "
    "Los pesos de una media suman 1 en cada fila: ¿entre qué se divide cada fila?",
)
def weights_not_normalised(observations):
    def told(weights):
        steepness = weights.steepness
        wrong = steepness is not None and near(steepness, 1, 0.02) and not near(weights.row_sums, 1)
        return {"sum": weights.row_sums[0]} if wrong else None

    return all_are(observations, told)


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


@mistake(
    "gain-forgotten",
    "look_back",
    en="With gain {gain:g} and with gain 1 your weights are the same. "
    "A higher gain makes the head look more sharply. Where does it enter?",
    es="Con ganancia {gain:g} y con ganancia 1 tus pesos son los mismos. "
    "Una ganancia mayor hace que la cabeza mire con más nitidez. ¿Dónde entra?",
)
def gain_forgotten(observations):
    return steep_by(observations, lambda weights: 1 / weights.gain)


@mistake(
    "gain-squared",
    "look_back",
    en="At gain {gain:g} your scores are {factor:.3g} times what is asked. The gain has gone in twice. "
    "Do both the queries and the keys carry it?",
    es="Con ganancia {gain:g} tus puntuaciones son {factor:.3g} veces lo que se pide. La ganancia entró dos veces. "
    "¿La llevan tanto las consultas como las claves?",
)
def gain_squared(observations):
    return steep_by(observations, lambda weights: weights.gain)


@mistake(
    "gain-divides",
    "look_back",
    en="The higher the gain, the flatter your weights: it divides the scores. "
    "A temperature would do so. What is a gain to do with a large score?",
    es="Cuanto mayor la ganancia, más planos tus pesos: divide las puntuaciones. "
    "Eso haría una temperatura. ¿Qué debe hacer una ganancia con una puntuación alta?",
)
def gain_divides(observations):
    return steep_by(observations, lambda weights: weights.gain**-2)


def moved(observations: Sequence[Observation], offsets: int) -> Iterator[Weights]:
    """Each call's weights when all of them look so many offsets too far on; the others' calls give nothing."""
    several = [weights for weights in weights_in(observations) if weights.offset]
    for weights in several:
        step = offsets * weights.offset
        mine, right = (weights.mine, weights.right[step:]) if step > 0 else (weights.mine[-step:], weights.right)
        rows = min(len(mine), len(right))
        if rows < 2 or not near(mine[:rows], right[:rows]):
            return
    yield from several


@mistake(
    "looks-forward",
    "look_back",
    en="With offset {offset}, row {row} of your weights is largest at position {seen}: the head looks ahead. "
    "Which way does your matrix turn the query, and which way does it have to?",
    es="Con desplazamiento {offset}, la fila {row} de tus pesos es máxima en la posición {seen}: la cabeza mira "
    "adelante. ¿Hacia dónde gira tu matriz la consulta, y hacia dónde debe girarla?",
)
def looks_forward(observations):
    for weights in moved(observations, 2):
        return {"offset": weights.offset, "row": 0, "seen": int(weights.mine[0].argmax())}


@mistake(
    "shift-forgotten",
    "look_back",
    en="With offset {offset}, row {row} of your weights is largest at position {seen}: each token looks at itself. "
    "Is the query turned, and is the key left as it is?",
    es="Con desplazamiento {offset}, la fila {row} de tus pesos es máxima en la posición {seen}: cada token se mira a "
    "sí mismo. ¿Se gira la consulta, y se deja la clave como está?",
)
def shift_forgotten(observations):
    for weights in moved(observations, 1):
        row = len(weights.mine) // 2
        return {"offset": weights.offset, "row": row, "seen": int(weights.mine[row].argmax())}


@mistake(
    "turned-twice",
    "look_back",
    en="With offset {offset}, row {row} of your weights is largest at position {seen}: it looks back too far. "
    "Has the offset gone into the query and into the key?",
    es="Con desplazamiento {offset}, la fila {row} de tus pesos es máxima en la posición {seen}: mira demasiado atrás. "
    "¿Entró el desplazamiento en la consulta y también en la clave?",
)
def turned_twice(observations):
    for weights in moved(observations, -1):
        row = min(2 * weights.offset + 1, len(weights.mine) - 1)
        return {"offset": weights.offset, "row": row, "seen": int(weights.mine[row].argmax())}


@mistake(
    "one-hot",
    "look_back",
    en="Your weights are all 0 or 1. A softmax gives every token some weight, and the gain says how little. "
    "What became of the scores?",
    es="Tus pesos son todos 0 o 1. Un softmax da algo de peso a cada token, y la ganancia dice cuán poco. "
    "¿Qué fue de las puntuaciones?",
)
def one_hot(observations):
    return all_are(observations, lambda weights: {} if near(weights.mine * (1 - weights.mine), 0, 1e-6) else None)


@mistake(
    "circular-roll",
    "look_back",
    en="Row 0 of your weights is largest at position {seen}, at the other end. Rows that leave the table at one end "
    "come back in at the other. What does turning a row by -{offset} do instead?",
    es="La fila 0 de tus pesos es máxima en la posición {seen}, en el otro extremo. Las filas que salen por un lado "
    "vuelven por el otro. ¿Qué hace, en cambio, girar una fila -{offset}?",
)
def circular_roll(observations):
    return first_rows(observations, lambda weights: weights.mine[0].argmax() >= len(weights.mine) // 2)


@mistake(
    "first-rows",
    "look_back",
    en="From position {offset} on your rows are right; row 0 is not. No token stands {offset} before it. "
    "The turned query is there all the same: what are its scores?",
    es="Desde la posición {offset} tus filas son correctas; la fila 0 no. Ningún token está {offset} antes de ella. "
    "Aun así existe la consulta girada: ¿cuáles son sus puntuaciones?",
)
def other_first_rows(observations):
    return first_rows(observations, lambda weights: weights.mine[0].argmax() < len(weights.mine) // 2)


def first_rows(observations: Sequence[Observation], also: Callable[[Weights], bool]) -> Mapping | None:
    """Whether only rows before the offset are wrong, each time one looks back, and something else is so too."""
    several = [weights for weights in weights_in(observations) if weights.offset]
    for weights in several:
        start = weights.offset
        if not near(weights.mine[start:], weights.right[start:]) or near(weights.mine[0], weights.right[0]):
            return None
        if (weights.mine < -NEAR).any() or not also(weights):
            return None
    return {"offset": several[0].offset, "seen": int(several[0].mine[0].argmax())} if several else None
