"""The mistakes of lab 03 in how code moves numbers: columns overwritten too early, whole numbers, the sign of an offset."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from encoding_labs.rotation_proof.rotations import arrays, given_table, near, pair_maps
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, judge


def from_new_columns(observations: Sequence[Observation], first: int) -> bool:
    """Whether columns `first`, `first` + 2, … are right, and their partners were made from these and not from the table's."""
    moved = [(given_table(each), each.expected, actual) for each, actual in arrays(observations) if each.args[1]]
    for table, right, actual in moved:
        turns, half, other = pair_maps(table, right), np.s_[first::2], np.s_[1 - first :: 2]
        kept, mixed = np.diag(turns)[other], np.diag(turns[other, half])
        made = right.copy()
        made[:, other] = table[:, other] * kept + right[:, half] * mixed
        if not near(actual, made) or near(made, right):
            return False
    return bool(moved)


def _half_overwritten(id: str, first: int, en: str, es: str) -> None:
    """Half of the columns written before the other half was computed from them."""

    @mistake(
        id,
        "shift",
        en=f"{en} Which line overwrites columns that a later line still reads?",
        es=f"{es} ¿Qué línea sobrescribe columnas que otra posterior todavía lee?",
    )
    def recognise(observations):
        return {} if from_new_columns(observations, first) else None


_half_overwritten(
    "half-overwritten/even",
    0,
    "Your even columns are right. The odd ones were computed from these new even columns, and they need the old ones.",
    "Tus columnas pares son correctas. Las impares se calcularon con esas columnas nuevas, y necesitan las antiguas.",
)
_half_overwritten(
    "half-overwritten/odd",
    1,
    "Your odd columns are right. The even ones were computed from these new odd columns, and they need the old ones.",
    "Tus columnas impares son correctas. Las pares se calcularon con esas columnas nuevas, y necesitan las antiguas.",
)


@mistake(
    "integer-table",
    "shift_matrix",
    "shift",
    en="Every entry that you return is a whole number: the part after the point was lost. Which dtype has the array that "
    "receives the values?",
    es="Todo lo que devuelves son números enteros: se perdió la parte decimal. ¿De qué dtype es el array que recibe los "
    "valores?",
)
def integer_table(observations):
    seen = list(arrays(observations))
    ways = (np.trunc, np.round, np.floor)
    return {} if seen and any(all(_cut(way, *each) for each in seen) for way in ways) else None


def _cut(way, seen: Observation, actual: np.ndarray) -> bool:
    """Whether nearly all entries are the right ones as whole numbers; an entry near a whole number may go either way."""
    right = np.asarray(seen.expected, dtype=np.float64)
    sure = np.abs(right - np.round(right)) > 1e-6
    return bool(
        (actual == np.round(actual)).all()
        and (actual == way(right))[sure].all()
        and (sure.any() or near(actual, right))
    )


def backwards(observations: Sequence[Observation]) -> list[tuple[Observation, np.ndarray]]:
    """The shifts by negative offsets, with what they gave, where these alone are wrong."""
    found = [(each, actual) for each, actual in arrays(observations) if offset_of(each) < 0]
    wrong = [offset_of(each) for each in observations if judge(each) is not None]
    ahead = any(offset_of(each) > 0 for each in observations)
    return found if ahead and all(offset < 0 for offset in wrong) else []


def offset_of(seen: Observation) -> int:
    return next(each for each in seen.args if isinstance(each, int))


@mistake(
    "sign-lost",
    "shift_matrix",
    "shift",
    en="Every shift forwards is right. With offset {offset} you shift forwards too, by {forwards}. Where does your code "
    "lose the sign of the offset?",
    es="Todo desplazamiento hacia delante es correcto. Con offset {offset} también desplazas hacia delante, {forwards}. "
    "¿Dónde pierde tu código el signo del offset?",
)
def sign_lost(observations):
    found = backwards(observations)
    if not found or not all(near(actual, _forwards(each)) for each, actual in found):
        return None
    offset = offset_of(found[0][0])
    return {"offset": offset, "forwards": -offset}


def _forwards(seen: Observation) -> np.ndarray:
    """What the shift by the same number forwards gives: the right one turns back, and its transpose forwards."""
    table = given_table(seen)
    return seen.expected.T if table is None else table @ pair_maps(table, seen.expected)


@mistake(
    "sign-lost/unmoved",
    "shift_matrix",
    "shift",
    en="Every shift forwards is right. With offset {offset} nothing moves. What does your code do when the offset is below 0?",
    es="Todo desplazamiento hacia delante es correcto. Con offset {offset} no se mueve nada. ¿Qué hace tu código cuando el "
    "offset es menor que 0?",
)
def unmoved(observations):
    found = backwards(observations)
    still = found and all(
        near(actual, np.eye(len(actual)) if (table := given_table(each)) is None else table) for each, actual in found
    )
    return {"offset": offset_of(found[0][0])} if still else None
