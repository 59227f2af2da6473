"""The mistakes of `read_a_figure`: a picture that was turned into a table the wrong way round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


def turned(observations: Sequence[Observation], wrong: Callable[[np.ndarray], np.ndarray]) -> dict | None:
    """Whether every answer is the right table after a wrong turn; its shape and that of the right table."""
    for seen in observations:
        expected = wrong(np.asarray(seen.expected))
        actual = seen.actual
        if not isinstance(actual, np.ndarray) or actual.dtype.kind != "f" or actual.shape != expected.shape:
            return None
        if not np.abs(actual - expected).max() < 1e-5:
            return None
    rows, columns = observations[0].actual.shape
    positions, dimensions = np.shape(observations[0].expected)
    return {"rows": rows, "columns": columns, "positions": positions, "dimensions": dimensions}


@mistake(
    "axes-swapped",
    "read_a_figure",
    en="Your array has {rows} rows and {columns} columns, and each of its rows is a dimension. Which of the two axes of the "
    "picture counts positions, and what should a row of the table be?",
    es="Tu array tiene {rows} filas y {columns} columnas, y cada fila es una dimensión. ¿Cuál de los dos ejes de la imagen "
    "cuenta posiciones, y qué debe ser una fila de la tabla?",
)
def _still_lying(observations):
    return turned(observations, np.transpose) or turned(observations, lambda table: table.T[::-1])


@mistake(
    "origin-flipped",
    "read_a_figure",
    en="The rows are the positions, but the dimensions run backwards: your first column is the picture's top row. At "
    "which edge of the picture is dimension 0?",
    es="Las filas son las posiciones, pero las dimensiones van al revés: tu primera columna es la fila de arriba de la "
    "imagen. ¿En qué borde de la imagen está la dimensión 0?",
)
def _dimensions_backwards(observations):
    return turned(observations, np.fliplr)


@mistake(
    "rows-reversed",
    "read_a_figure",
    en="The positions run backwards: your first row is the last position. At which edge of the picture is position 0, "
    "and which way round did you turn it?",
    es="Las posiciones van al revés: tu primera fila es la última posición. ¿En qué borde de la imagen está la posición 0, "
    "y en qué sentido la giraste?",
)
def _positions_backwards(observations):
    return turned(observations, np.flipud) or turned(observations, lambda table: table[::-1, ::-1])


def cut_anew(table: np.ndarray) -> Iterator[np.ndarray]:
    """The picture's numbers in the table's shape, as a reshape gives them, mirrored before or after it, or not."""
    ways = [np.s_[::row, ::column] for row in (1, -1) for column in (1, -1)]
    for before, after, order in product(ways, ways, "CF"):
        yield table.T[before].reshape(table.shape, order=order)[after]


@mistake(
    "wrong-stack-axis",
    "read_a_figure",
    en="Your array has the right shape, but a row of it mixes positions. A reshape keeps the order of the numbers in memory "
    "and only cuts it into rows anew. Which operation exchanges two axes?",
    es="Tu array tiene la forma pedida, pero cada fila mezcla posiciones. Un reshape conserva el orden de los números en "
    "memoria y solo los corta en otras filas. ¿Qué operación intercambia dos ejes?",
)
def _reshaped(observations):
    seen = [(each.actual, np.asarray(each.expected)) for each in observations]
    if not all(isinstance(actual, np.ndarray) and actual.shape == right.shape for actual, right in seen):
        return None
    if any(actual.dtype.kind != "f" or min(right.shape) < 2 for actual, right in seen):
        return None
    cuts = zip(*(cut_anew(right) for _, right in seen))
    whole = any(all(np.abs(actual - cut).max() < 1e-5 for (actual, _), cut in zip(seen, each)) for each in cuts)
    return {} if whole else None
