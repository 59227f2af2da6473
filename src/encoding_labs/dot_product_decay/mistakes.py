"""The mistakes of lab 04, dot-product decay, but those of its Gram matrix, frequencies and landmarks.

For the locked tables the right dot products depend on the offset alone. So most mistakes show as a plain relation between
what an answer gave and what is right for the same table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.dot_product_decay import wrong_landmarks, wrong_numbers  # noqa: F401  the others
from encoding_labs.dot_product_decay.tables import Scrambled
from encoding_labs.tables import Table
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation

CLOSE = 1e-3  # the mistakes differ from what is right by 0.05 and more, float32 rounding by 2e-5 and less
NEAREST_ROWS_CORRELATE = 0.9145  # rows 0 and 1 at (64, 32), where their dot product is 15.31 and their cosine 0.957


def close(actual, wanted) -> bool:
    return np.allclose(actual, wanted, rtol=0, atol=CLOSE)


def curves(observations: Sequence[Observation]) -> Iterator[tuple[int, int, int, np.ndarray, np.ndarray]]:
    """T, d, anchor, what came back and what is right, for each locked table that got numbers of the right shape."""
    for seen in observations:
        table, actual = seen.args[0], as_numbers(seen.actual)
        if isinstance(table, Table) and actual is not None and actual.shape == (table.T,):
            yield table.T, table.d, seen.args[1], actual, np.asarray(seen.expected)


def as_numbers(value: object) -> np.ndarray | None:
    """A NumPy array of finite numbers as float64, None for anything else."""
    usable = isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and np.isfinite(value).all()
    return value.astype(np.float64) if usable else None


@mistake(
    "over-normalised",
    "similarity",
    "closed_form",
    en="Every value is {factor:.4g} times what the plain sum of products gives: at offset 0 you have {seen:.4g}. The "
    "shape of the curve is right. What is a row dotted with itself, if each of its pairs adds sin² + cos²? What do "
    "you divide by?",
    es="Cada valor es {factor:.4g} veces la suma simple de productos: en el desplazamiento 0 tienes {seen:.4g}. La "
    "forma de la curva es correcta. ¿Cuánto es una fila multiplicada por sí misma, si cada par aporta sen² + cos²? "
    "¿Entre qué divides?",
)
def over_normalised(observations):
    factors, first = [], None
    for seen in observations:
        if isinstance(seen.args[0], Scrambled) or seen.args[1:] == (2,):  # no common length of rows; a single pair
            continue
        actual, right = as_numbers(seen.actual), np.asarray(seen.expected)
        if actual is None or actual.shape != right.shape:
            return None
        largest = int(np.argmax(right))  # offset 0, where all cosines are 1
        factor = actual[largest] / right[largest]
        if not 0 < factor < 0.9 or not np.allclose(actual, factor * right, rtol=0, atol=CLOSE * factor):
            return None
        factors.append(factor)
        first = first or actual[largest]
    return {"factor": factors[0], "seen": first} if factors else None


@mistake(
    "d-terms",
    "closed_form",
    en="At offset 0 you have {seen:.4g} for d = {d}: one cosine for each column. What do the two columns of a pair "
    "add up to, and how many pairs are there?",
    es="En el desplazamiento 0 tienes {seen:.4g} con d = {d}: un coseno por columna. ¿Cuánto suman las dos columnas "
    "de un par, y cuántos pares hay?",
)
def a_cosine_for_each_column(observations):
    numbers = [as_numbers(seen.actual) for seen in observations]
    at_zero = [
        (seen.args[1], actual[int(np.argmax(seen.expected))])
        for seen, actual in zip(observations, numbers)
        if actual is not None and seen.expected is not None and actual.shape == np.shape(seen.expected)
    ]
    if len(at_zero) == len(observations) and all(abs(value - d) < CLOSE for d, value in at_zero):
        return {"d": at_zero[0][0], "seen": at_zero[0][1]}


@mistake(
    "wrong-axis",
    "closed_form",
    en="For {count} offsets and d = {d} you returned {size} numbers: one for each pair. The sum runs over the pairs, "
    "for each offset by itself. Which axis of your array holds the pairs?",
    es="Para {count} desplazamientos y d = {d} devolviste {size} números: uno por par. La suma recorre los pares, "
    "para cada desplazamiento por separado. ¿Qué eje de tu array contiene los pares?",
)
def summed_over_the_offsets(observations):
    for seen in observations:
        actual, count = as_numbers(seen.actual), np.size(seen.expected)
        if actual is not None and actual.shape == (seen.args[1] // 2,) != (count,):
            return {"count": count, "d": seen.args[1], "size": actual.size}


@mistake(
    "diagonal-sum",
    "similarity",
    en="At anchor 0 your value at offset {last} is {seen:.3g}, and along the curve the values shrink like the number "
    "of pairs that lie so far apart: {T} at offset 0, 1 at offset {last}. How many products did you add for each "
    "offset, and what did you divide by?",
    es="Con ancla 0 tu valor en el desplazamiento {last} es {seen:.3g}, y a lo largo de la curva los valores cambian "
    "como el número de pares a esa distancia: {T} en el desplazamiento 0, 1 en el {last}. ¿Cuántos productos sumaste "
    "en cada uno, y entre qué dividiste?",
)
def diagonal_sum(observations):
    for T, d, anchor, actual, right in curves(observations):
        pairs = T - np.arange(T)
        if anchor == 0 and (close(actual, pairs * right / T) or close(actual / T, pairs * right / T)):
            return {"last": T - 1, "seen": actual[-1], "T": T}


@mistake(
    "circular-roll",
    "similarity",
    en="With anchor {anchor}, your value for position {last} is {seen:.2f}, as large as for a close neighbour. A roll "
    "brings rows that leave at one end back in at the other. Is the last token next to the first?",
    es="Con ancla {anchor}, tu valor para la posición {last} es {seen:.2f}, tan grande como el de un vecino cercano. "
    "Un roll devuelve por un extremo las filas que salen por el otro. ¿Está el último token junto al primero?",
)
def circular_roll(observations):
    for T, d, anchor, actual, right in curves(observations):
        offset = np.arange(T)
        around = ((T - offset) * right + offset * right[-offset % T]) / T if anchor == 0 else np.roll(right, -anchor)
        if close(actual, around) and not close(actual, right) or anchor == 0 and close(actual / T, around):
            return {"anchor": anchor, "last": T - 1, "seen": actual[-1]}


@mistake(
    "cosines-only",
    "similarity",
    en="At anchor 0 all is well, but at anchor {anchor} the row's product with itself is {seen:.2f}. At position 0 "
    "every sine is 0, so they cannot be missed there. Which columns does your sum take in?",
    es="Con ancla 0 todo está bien, pero con ancla {anchor} el producto de la fila consigo misma es {seen:.2f}. En la "
    "posición 0 todos los senos son 0, así que ahí no se echan en falta. ¿Qué columnas entran en tu suma?",
)
def cosines_only(observations):
    for T, d, anchor, actual, right in curves(observations):
        # cos a cos b = (cos(a - b) + cos(a + b)) / 2, and both sums stand in the right curve, 2 * anchor apart
        shown = T - 2 * anchor
        if anchor and shown >= 4 and close(actual[:shown], (right[:shown] + right[2 * anchor :]) / 2):
            return {"anchor": anchor, "seen": actual[anchor]}


@mistake(
    "wrong-product/axis",
    "similarity",
    en="For a table of shape ({T}, {d}) you returned shape {shape:shape}. One number is asked for per position. "
    "Which axis is left after your product, and over which axis does the dot product of two rows add?",
    es="Para una tabla de forma ({T}, {d}) devolviste la forma {shape:shape}. Se pide un número por posición. ¿Qué "
    "eje queda tras tu producto, y a lo largo de qué eje suma el producto escalar de dos filas?",
)
def product_along_the_wrong_axis(observations):
    for seen in observations:
        table, shape = seen.args[0], getattr(seen.actual, "shape", None)
        if isinstance(table, Table) and shape in {(table.d, table.d), (table.d,), (table.T, table.d)}:
            return {"T": table.T, "d": table.d, "shape": shape}


@mistake(
    "wrong-product/distance",
    "similarity",
    en="The anchor's value for itself is {seen:.2f}, and your values follow the distance between two rows. Distance "
    "is 0 for equal rows. What is the dot product of a row with itself?",
    es="El valor del ancla consigo misma es {seen:.2f}, y tus valores siguen la distancia entre dos filas. La "
    "distancia es 0 entre filas iguales. ¿Cuánto es el producto escalar de una fila consigo misma?",
)
def distance(observations):
    for T, d, anchor, actual, right in curves(observations):
        squared = d - 2 * right  # |a - b|² for rows with |a|² = |b|² = d/2
        if close(np.abs(actual), squared) or np.allclose(actual**2, squared, rtol=0, atol=d * CLOSE):
            return {"seen": abs(actual[anchor])}


@mistake(
    "wrong-product/cosine-distance",
    "similarity",
    en="The anchor's value for itself is 0, and the farther the row, the larger the value. That is 1 minus the "
    "cosine, a distance. What is the dot product of a row with itself?",
    es="El valor del ancla consigo misma es 0, y cuanto más lejos la fila, mayor el valor. Eso es 1 menos el coseno, "
    "una distancia. ¿Cuánto es el producto escalar de una fila consigo misma?",
)
def cosine_distance(observations):
    for T, d, anchor, actual, right in curves(observations):
        if close(actual, 1 - right / (d / 2)) or close(actual, d / 2 - right):
            return {}


@mistake(
    "anchor-ignored",
    "similarity",
    en="With anchor {anchor} your values are those of anchor {other}. Where does the row that is asked for enter?",
    es="Con ancla {anchor} tus valores son los del ancla {other}. ¿Dónde entra la fila que se pide?",
)
def anchor_ignored(observations):
    right = {(T, d, anchor): wanted for T, d, anchor, _, wanted in curves(observations)}
    for T, d, anchor, actual, wanted in curves(observations):
        for (rows, columns, other), values in right.items():
            if (rows, columns) == (T, d) and other != anchor and close(actual, values):
                return {"anchor": anchor, "other": other}


@mistake(
    "wrong-product/correlation",
    "similarity",
    en="The anchor's value for itself is 1, and its neighbour's is {seen:.4f}. That is a correlation: before it "
    "multiplies, it takes each row's mean away. Is that part of a dot product?",
    es="El valor del ancla consigo misma es 1 y el de su vecina {seen:.4f}. Eso es una correlación: antes de "
    "multiplicar resta la media de cada fila. ¿Es eso parte de un producto escalar?",
)
def correlation(observations):
    for T, d, anchor, actual, right in curves(observations):
        if (T, d, anchor) == (64, 32, 0) and close(actual[:2], (1, NEAREST_ROWS_CORRELATE)):
            return {"seen": actual[1]}
