"""The mistakes of lab 07 in the exponents of a cost: which wrong fit explains them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from encoding_labs.precision_and_cost.exercises import numbers_of
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


def fits(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Exponents that a wrong fit finds in rows of T, d and seconds."""
    T, d, seconds = rows.T
    sizes, which = np.unique(rows[:, :2], axis=0, return_inverse=True)
    of_size = [seconds[which.ravel() == number] for number in range(len(sizes))]
    warm = np.array([np.median(each) for each in of_size])
    cold = {
        "every row": (rows[:, :2], seconds),
        "means": (sizes, np.array([each.mean() for each in of_size])),
        "largest": (sizes, np.array([each.max() for each in of_size])),
        "first": (sizes, np.array([each[0] for each in of_size])),
    }
    found = {f"cold-call/{name}": _slopes(np.log(at), np.log(times)) for name, (at, times) in cold.items()}
    found["exponents-exchanged"] = _slopes(np.log(sizes), np.log(warm))[::-1]
    found["no-logarithm/neither"] = _slopes(sizes, warm)
    found["no-logarithm/of the seconds"] = _slopes(np.log(sizes), warm)
    found["no-logarithm/of the sizes"] = _slopes(sizes, np.log(warm))
    found["no-constant/"] = np.linalg.lstsq(np.log(sizes), np.log(warm))[0]
    return found


def _slopes(at: np.ndarray, heights: np.ndarray) -> np.ndarray:
    design = np.column_stack([np.ones(len(at)), at])
    return np.linalg.lstsq(design, heights)[0][1:]


def explained(kind: str, observations: Sequence[Observation]) -> dict | None:
    """The first wrong answer's numbers, if one wrong fit of this kind explains all of those answers."""
    answers = [(seen.args[0].build(), numbers_of(seen.actual), seen.expected) for seen in observations]
    if any(actual is None or actual.shape != (2,) for _, actual, _ in answers):
        return None
    off = [(rows, actual) for rows, actual, right in answers if (np.abs(actual - right) > 0.05).any()]
    tried = [{name: fit for name, fit in fits(rows).items() if name.startswith(kind)} for rows, _ in off]
    for name in tried[0] if tried else ():
        if all(np.allclose(actual, each[name], rtol=2e-2, atol=1e-12) for (_, actual), each in zip(off, tried)):
            return {"in_T": float(off[0][1][0]), "in_d": float(off[0][1][1])}
    return None


@mistake(
    "cold-call",
    "cost",
    en="Your exponents are {in_T:.2f} and {in_d:.2f}: the first, cold call of each size is among what you fitted. It pays "
    "for what happens once, and that weighs most on the small sizes. Which number sums up five rounds without it?",
    es="Tus exponentes son {in_T:.2f} y {in_d:.2f}: entre lo que ajustaste está la primera llamada de cada tamaño, en frío. "
    "Paga lo que ocurre una sola vez, y eso pesa más en los tamaños pequeños. ¿Qué número resume cinco rondas sin ella?",
)
def cold_call(observations):
    return explained("cold-call", observations)


@mistake(
    "exponents-exchanged",
    "cost",
    en="Your two exponents are in the other order: {in_T:.2f} comes first. The one in T is asked for first. Which column of "
    "the rows holds T?",
    es="Tus dos exponentes están en el otro orden: {in_T:.2f} va primero. Se pide primero el de T. ¿Qué columna de las filas "
    "contiene T?",
)
def exponents_exchanged(observations):
    return explained("exponents-exchanged", observations)


@mistake(
    "no-logarithm",
    "cost",
    en="You have {in_T:.3g} and {in_d:.3g}: the slopes of a line through numbers that are not all logarithms. On which axes "
    "is a power a straight line with the exponent for its slope?",
    es="Tienes {in_T:.3g} y {in_d:.3g}: las pendientes de una recta ajustada a números que no son todos logaritmos. ¿En qué ejes "
    "es una potencia una recta cuya pendiente es el exponente?",
)
def no_logarithm(observations):
    return explained("no-logarithm", observations)


@mistake(
    "no-constant",
    "cost",
    en="You have {in_T:.2f} and {in_d:.2f}: the line was made to pass through 1 second at T = 1 and d = 1. What does one "
    "entry cost, and where does that number stand in your fit?",
    es="Tienes {in_T:.2f} y {in_d:.2f}: se obligó a la recta a pasar por 1 segundo en T = 1 y d = 1. ¿Cuánto cuesta un "
    "elemento, y dónde está ese número en tu ajuste?",
)
def no_constant(observations):
    return explained("no-constant", observations)
