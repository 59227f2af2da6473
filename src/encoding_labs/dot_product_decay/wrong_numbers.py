"""Mistakes of lab 04 in the frequencies of the closed form and in the diagonals of the Gram matrix."""

from __future__ import annotations

import numpy as np

from encoding_labs.known_numbers import known
from labkit.judging.diagnosis import mistake

LAB = "04_dot_product_decay"
CLOSE = 1e-3  # wrong spreads are off by 0.005 and more, rounding moves them by 1e-4 and less


FREQUENCIES = {
    "exponent-k-over-d": (
        "Your pairs slow down too little: the values are those of the exponent k/d. Which numbers do the columns of "
        "pair k have, and which of them stands in the exponent?",
        "Tus pares se frenan demasiado poco: los valores son los del exponente k/d. ¿Qué números tienen las columnas "
        "del par k, y cuál de ellos está en el exponente?",
    ),
    "exponent-4k-over-d": (
        "Your pairs slow down too fast: the values are those of the exponent 4k/d. Is the 2 already inside your index?",
        "Tus pares se frenan demasiado rápido: los valores son los del exponente 4k/d. ¿Está ya el 2 dentro de tu "
        "índice?",
    ),
    "exponent-d-minus-2": (
        "Your slowest pair turns by exactly 1/10000 a position. Which exponent does the last pair have, with k = d/2 "
        "- 1?",
        "Tu par más lento gira exactamente 1/10000 por posición. ¿Qué exponente tiene el último par, con k = d/2 - 1?",
    ),
    "k-from-one": (
        "Your fastest pair turns by less than 1 radian a position. From which number does k count?",
        "Tu par más rápido gira menos de 1 radián por posición. ¿Desde qué número cuenta k?",
    ),
    "missing-minus": (
        "Your later pairs turn faster and faster. Which sign does the exponent of a frequency have?",
        "Tus últimos pares giran cada vez más rápido. ¿Qué signo tiene el exponente de una frecuencia?",
    ),
    "cycles": (
        "Your angles carry a factor 2π too many. Are the frequencies of lab 01 in cycles, or in radians per position?",
        "A tus ángulos les sobra un factor 2π. ¿Las frecuencias del laboratorio 01 van en vueltas o en radianes por "
        "posición?",
    ),
    "degrees": (
        "Your pairs turn 57 times too slowly. In which unit does np.cos take its angle?",
        "Tus pares giran 57 veces demasiado despacio. ¿En qué unidad recibe np.cos su ángulo?",
    ),
}
for id, (english, spanish) in FREQUENCIES.items():
    known(LAB, id, "closed_form", en=english, es=spanish)

known(
    LAB,
    "sines-for-cosines",
    "closed_form",
    en="At offset 0 your sum is 0. What is the dot product of a row with itself, and which function is 1 at 0?",
    es="En el desplazamiento 0 tu suma es 0. ¿Cuánto es el producto escalar de una fila consigo misma, y qué función "
    "vale 1 en 0?",
)
known(
    LAB,
    "standard-deviation",
    "offset_only",
    en="Your numbers are standard deviations: at offset {place} it is {seen:.3g}. The spread asked for is made of "
    "two entries of the diagonal alone. Which two?",
    es="Tus números son desviaciones típicas: en el desplazamiento {place} es {seen:.3g}. La dispersión que se pide "
    "sale de solo dos elementos de la diagonal. ¿Cuáles?",
)
known(
    LAB,
    "largest-alone",
    "offset_only",
    en="At offset {place} you have {seen:.3g}, the largest entry of that diagonal. A diagonal whose entries are all "
    "alike has a spread of 0. What is to be taken away?",
    es="En el desplazamiento {place} tienes {seen:.3g}, el mayor elemento de esa diagonal. Una diagonal de elementos "
    "iguales tiene dispersión 0. ¿Qué hay que restar?",
)
known(
    LAB,
    "circular-roll",
    "offset_only",
    en="From offset {place} on your diagonals also hold products of the last rows with the first. A roll brings in "
    "at one end what leaves at the other. How many entries does a diagonal have, the farther it is from the middle?",
    es="Desde el desplazamiento {place} tus diagonales contienen también productos de las últimas filas con las "
    "primeras. Un roll mete por un extremo lo que sale por el otro. ¿Cuántos elementos tiene una diagonal según se "
    "aleja del centro?",
)
known(
    LAB,
    "other-diagonals",
    "offset_only",
    en="Your diagonals run from the lower left to the upper right: along them p + q is constant. Along which ones is "
    "p - q?",
    es="Tus diagonales van de abajo a la izquierda a arriba a la derecha: en ellas p + q es constante. ¿En cuáles lo "
    "es p - q?",
)
known(
    LAB,
    "rows-for-diagonals",
    "offset_only",
    en="Your numbers are the spreads of the rows of the Gram matrix. A row holds every offset once. Which entries "
    "have the same offset?",
    es="Tus números son las dispersiones de las filas de la matriz de Gram. Una fila contiene cada desplazamiento "
    "una vez. ¿Qué elementos tienen el mismo desplazamiento?",
)
known(
    LAB,
    "main-diagonal-alone",
    "offset_only",
    en="All your numbers are that of the main diagonal, where every row meets itself. What of the rows that are 1, 2 "
    "or 3 positions apart?",
    es="Todos tus números son el de la diagonal principal, donde cada fila se encuentra consigo misma. ¿Y las filas "
    "a 1, 2 o 3 posiciones?",
)


@mistake(
    "one-number-for-all",
    "offset_only",
    en="You returned one number, {seen:.3g}. It tells that the table is spoiled, not at which offsets. How many "
    "diagonals are there, and what is the spread of each?",
    es="Devolviste un solo número, {seen:.3g}. Dice que la tabla está dañada, no en qué desplazamientos. ¿Cuántas "
    "diagonales hay, y cuál es la dispersión de cada una?",
)
def one_number_for_all(observations):
    if any(isinstance(seen.actual, (list, tuple, dict)) for seen in observations):
        return None
    values = [np.asarray(seen.actual) for seen in observations]
    if all(value.ndim == 0 and value.dtype.kind in "iuf" for value in values):
        return {"seen": float(max(values))}


@mistake(
    "both-sides",
    "offset_only",
    en="For {T} positions you returned {size} numbers: the diagonals on both sides of the main one. The Gram matrix is "
    "symmetric. Which offsets are asked for?",
    es="Para {T} posiciones devolviste {size} números: las diagonales a ambos lados de la principal. La matriz de "
    "Gram es simétrica. ¿Qué desplazamientos se piden?",
)
def both_sides(observations):
    for seen in observations:
        T, shape = np.size(seen.expected), getattr(seen.actual, "shape", None)
        if T > 1 and shape == (2 * T - 1,):
            return {"T": T, "size": 2 * T - 1}


@mistake(
    "wrong-product/axis",
    "offset_only",
    en="For a table of {T} positions in {d} dimensions you returned {size} numbers: as many as there are columns. "
    "Which product of the table with itself has a row and a column for each position?",
    es="Para una tabla de {T} posiciones y {d} dimensiones devolviste {size} números: tantos como columnas. ¿Qué "
    "producto de la tabla consigo misma tiene una fila y una columna por posición?",
)
def columns_with_columns(observations):
    for seen in observations:
        T, d, shape = np.size(seen.expected), getattr(seen.args[0], "d", None), getattr(seen.actual, "shape", None)
        if seen.expected is not None and shape == (d,) != (T,):
            return {"T": T, "d": d, "size": d}


@mistake(
    "over-normalised",
    "offset_only",
    en="Your spreads are {factor:.3g} times those of the plain products. What do you divide the entries by?",
    es="Tus dispersiones son {factor:.3g} veces las de los productos simples. ¿Entre qué divides los elementos?",
)
def divided_spreads(observations):
    factors = []
    for seen in observations:
        right = seen.expected
        if right is None or not isinstance(seen.actual, np.ndarray) or seen.actual.shape != right.shape:
            return None
        largest = int(np.argmax(right))
        if right[largest] > CLOSE:
            factors.append(seen.actual[largest] / right[largest])
            if not 0.01 < factors[-1] < 0.9 or not np.allclose(seen.actual, factors[-1] * right, rtol=0, atol=1e-4):
                return None
    return {"factor": float(factors[0])} if factors else None
