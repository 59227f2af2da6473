"""The mistakes of lab 03 that a table shows whose pairs have many lengths: rebuilt rows, and angles alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.rotation_proof.rotations import arrays, near, phases
from encoding_labs.rotation_proof.symbolic_arguments import Pattern
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


@mistake(
    "table-rebuilt",
    "shift",
    en="For {call} you return rows of the course's table, but that is not the table you were given. Where do the numbers "
    "in pe come in?",
    es="Para {call} devuelves filas de la tabla del curso, pero esa no es la tabla que recibiste. ¿Dónde entran los "
    "números de pe?",
)
def table_rebuilt(observations):
    for each, actual in _unit_pairs(observations):
        if _of_the_course(actual):
            return {"call": f"shift({each.args[0]}, {each.args[1]})"}
    return None


@mistake(
    "length-lost",
    "shift",
    en="For {call} every pair that you return has length 1, but the pairs you were given have other lengths. Do you keep "
    "only an angle of each pair? What does a rotation do to the length of a pair?",
    es="Para {call} cada par que devuelves tiene longitud 1, pero los pares que recibiste tienen otras. ¿Conservas solo "
    "un ángulo de cada par? ¿Qué le hace una rotación a la longitud de un par?",
)
def length_lost(observations):
    for each, actual in _unit_pairs(observations):
        if not _of_the_course(actual):
            return {"call": f"shift({each.args[0]}, {each.args[1]})"}
    return None


def _unit_pairs(observations: Sequence[Observation]) -> Iterator[tuple[Observation, np.ndarray]]:
    """Shifts of a table whose pairs have many lengths, that gave pairs of length 1."""
    for each, actual in arrays(observations):
        if isinstance(each.args[0], Pattern):
            lengths = [np.hypot(table[:, 0::2], table[:, 1::2]) for table in (actual, each.expected)]
            if near(lengths[0], np.ones(lengths[0].shape)) and not near(lengths[1], lengths[0]):
                yield each, actual


def _of_the_course(rows: np.ndarray) -> bool:
    """Whether pair 0 moves on by one position from row to row, in one direction, as in a table that was rebuilt."""
    steps = np.diff(np.unwrap(np.angle(phases(rows))))
    return near(abs(steps), np.ones(len(steps)))
