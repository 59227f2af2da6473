"""Mistakes of `look_back`: where the gain went, and which way the head looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from encoding_labs.order_for_attention.evidence import NEAR, Weights, all_are, near, steep_by, weights_in
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


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
