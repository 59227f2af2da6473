"""The mistakes of lab 03, rotation proof: in the matrix of a shift, and in the shift of a table."""

from __future__ import annotations

import numpy as np

from encoding_labs.rotation_proof import mistakes_further, mistakes_in_lengths  # noqa: F401  (registers more of them)
from encoding_labs.rotation_proof.kept_table import Overwritten
from encoding_labs.rotation_proof.mistakes_in_code import backwards, integer_table
from encoding_labs.rotation_proof.rotations import (
    NEAR,
    Shift,
    arrays,
    exchanged,
    given_table,
    moved_tables,
    moving,
    near,
    pair_maps,
    phases,
    shifts,
)
from encoding_labs.tables import Table
from labkit.judging.diagnosis import mistake

FAR = 1000  # offsets beyond this show the precision of the angles, and are left to `low_precision`


@mistake(
    "rotation-transposed",
    "shift_matrix",
    "shift",
    en="With offset {offset}, position 5 lands at {lands} and not at {wanted}. Your pairs turn the other way. Where do "
    "the two signs of the sine stand, and what does the vector (0, 1) of position 0 have to become?",
    es="Con offset {offset}, la posición 5 llega a {lands} y no a {wanted}. Tus pares giran al revés. ¿Dónde van los "
    "dos signos del seno, y en qué se debe convertir el vector (0, 1) de la posición 0?",
)
def rotation_transposed(observations):
    found = moving(observations)
    if found and all(near(shift.matrix, shift.right.T) for shift in found):
        offset = found[0].offset
        return {"offset": offset, "lands": 5 - offset, "wanted": 5 + offset}
    return None


@mistake(
    "reflection",
    "shift_matrix",
    "shift",
    en="The entries of pair {pair} have the right sizes, but not all their signs: with offset {offset} its determinant "
    "is {det:.3f}, and a rotation has 1. What does your matrix do at offset 0, and does it keep the length of every "
    "vector?",
    es="Las entradas del par {pair} tienen el tamaño correcto, pero no todos los signos: con offset {offset} su "
    "determinante es {det:.3f}, y el de una rotación es 1. ¿Qué hace tu matriz con offset 0, y conserva la "
    "longitud de cada vector?",
)
def reflection(observations):
    found = moving(observations)
    if not found or not all(near(abs(shift.matrix), abs(shift.right)) for shift in found):
        return None
    for shift in found:
        for start in range(0, shift.d, 2):
            det = float(np.linalg.det(shift.matrix[start : start + 2, start : start + 2]))
            if abs(det - 1) > NEAR:
                return {"pair": start // 2, "offset": shift.offset, "det": det}
    return None


@mistake(
    "halves-blocks",
    "shift_matrix",
    "shift",
    en="At d = {d} your rotation mixes column 0 with column {partner}. That fits a table with all sines first. "
    "Which two columns of this course's table belong to one clock?",
    es="Con d = {d} tu rotación mezcla la columna 0 con la columna {partner}. Eso sirve para una tabla con todos "
    "los senos primero. ¿Qué dos columnas de la tabla de este curso forman un mismo reloj?",
)
def halves_blocks(observations):
    found = 0
    for each, actual in arrays(observations):
        table = given_table(each)
        d = each.args[1] if table is None else table.shape[1]
        right = each.expected if table is None else pair_maps(table, each.expected)
        order = np.r_[0:d:2, 1:d:2]
        moved = [matrix[np.ix_(order, order)] for matrix in (right, right.T)]
        if d < 4 or near(right, np.eye(d)):
            continue
        if not any(near(actual, matrix if table is None else table @ matrix.T) for matrix in moved):
            return None
        found = found or d
    return {"d": found, "partner": found // 2} if found else None


@mistake(
    "swapped-sin-cos",
    "shift_matrix",
    "shift",
    en="Sine and cosine have changed places in each pair of what you return. Which of them stands in the even columns "
    "of the table, and what should a shift by 0 give?",
    es="Seno y coseno han cambiado de lugar en cada par de lo que devuelves. ¿Cuál está en las columnas pares de la "
    "tabla, y qué debería dar un desplazamiento de 0?",
)
def swapped(observations):
    seen = list(arrays(observations))
    if not seen:
        return None
    if given_table(seen[0][0]) is not None:
        return {} if all(near(actual, exchanged(each.expected)) for each, actual in seen) else None
    return {} if all(_exchanges(Shift(*each.args, actual, each.expected)) for each, actual in seen) else None


def _exchanges(shift: Shift) -> bool:
    """The rows of each pair exchanged, or sine and cosine in the matrix itself."""
    angles, right = shift.angles, Shift(shift.offset, shift.d, shift.right, shift.right).angles
    if angles is not None:
        return near(np.exp(1j * (angles + right)), np.full(len(right), 1j))
    return near(shift.matrix, exchanged(shift.right.T).T)


@mistake(
    "offset-ignored",
    "shift_matrix",
    "shift",
    en="The offset changes nothing in what you return. Where does it enter the angle?",
    es="El offset no cambia nada de lo que devuelves. ¿Dónde entra en el ángulo?",
)
def offset_ignored(observations):
    if integer_table(observations) is not None:
        return None
    moved = moved_tables(observations)
    if moved and moved[0][0] is not None:
        still = all(near(actual, table) for table, _, actual in moved)
        return {} if still or _turns_by_one_offset(observations) else None
    found = {(shift.offset, shift.d): shift.matrix for shift in shifts(observations)}
    one, three = found.get((1, 8)), found.get((3, 8))
    return {} if one is not None and three is not None and near(one, three) else None


def _turns_by_one_offset(observations) -> bool:
    """Whether every table, whatever the offset, is turned by the angles that belong to one offset other than 0."""
    found = shifts(observations)
    if len(found) < len(observations) or any(shift.angles is None for shift in found):
        return False
    offset = float(found[0].angles[0])  # the frequency of pair 0 is 1
    near_whole = abs(offset) > NEAR and abs(offset - round(offset)) < NEAR
    frequencies = [10000.0 ** (-np.arange(0, shift.d, 2) / shift.d) for shift in found]
    return near_whole and all(
        abs(turn(shift.angles, offset * each)).max() < NEAR for shift, each in zip(found, frequencies)
    )


@mistake(
    "uses-position",
    "shift_matrix",
    "shift",
    en="A shift by 0 should change nothing, but yours turns pair 0 by {turn:.3f} radians at position {p}. Which "
    "position has gone into the angle, and may the map know it?",
    es="Un desplazamiento de 0 no debe cambiar nada, pero el tuyo gira el par 0 {turn:.3f} radianes en la posición "
    "{p}. ¿Qué posición ha entrado en el ángulo, y puede conocerla la transformación?",
)
def uses_position(observations):
    if swapped(observations) is not None or offset_ignored(observations) is not None:
        return None
    for shift in shifts(observations):
        if shift.offset == 0 and shift.angles is not None and np.ptp(shift.angles) > NEAR:
            return {"turn": float(shift.angles[0]), "p": 0}
    for each, actual in arrays(observations):
        table = given_table(each)
        if table is None or each.args[1] != 0:
            continue
        step = phases(actual) / phases(table)
        steady = near(abs(step), np.ones(len(step))) and near(step[2:] * step[:-2], step[1:-1] ** 2)
        if steady and len(step) > 1 and abs(step[1] - step[0]) > NEAR:
            return {"turn": float(np.angle(step[1])), "p": 1}
    return None


@mistake(
    "one-angle",
    "shift_matrix",
    "shift",
    en="With offset {offset}, pair 0 turns by {first:.4f} radians and the last pair by {last:.4f}. Does every clock turn "
    "at its own frequency, and is the radian the unit of your angle?",
    es="Con offset {offset}, el par 0 gira {first:.4f} radianes y el último {last:.4f}. ¿Gira cada reloj con su propia "
    "frecuencia, y es el radián la unidad de tu ángulo?",
)
def one_angle(observations):
    found = [shift for shift in moving(observations) if shift.d > 2]
    turns = [shift.angles for shift in found]
    if not found or any(angles is None for angles in turns) or offset_ignored(observations) is not None:
        return None
    degrees = all(abs(turn(angles[0], np.deg2rad(shift.offset))) < NEAR / 10 for shift, angles in zip(found, turns))
    same = all(abs(turn(angles, angles[0])).max() < 0.05 * abs(angles[0]) for angles in turns)
    if degrees or same:
        return {"offset": found[0].offset, "first": float(turns[0][0]), "last": float(turns[0][-1])}
    return None


def turn(angle: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The turn from one angle to another, from -pi to pi."""
    return np.angle(np.exp(1j * (np.asarray(angle) - other)))


@mistake(
    "powered-entries",
    "shift_matrix",
    en="Your matrix for offset 3 is off by {error:.2g} from three shifts by 1, one after the other. What does one "
    "shift after another do to the matrices: does it act on their entries one by one?",
    es="Tu matriz para offset 3 difiere en {error:.2g} de tres desplazamientos de 1, uno tras otro. ¿Qué les hace a "
    "las matrices aplicar uno tras otro: actúa sobre sus entradas una por una?",
)
def powered_entries(observations):
    found = {(shift.offset, shift.d): shift for shift in shifts(observations)}
    one, three = found.get((1, 8)), found.get((3, 8))
    if not one or not three or not near(one.matrix, one.right):
        return None
    if near(three.matrix, one.matrix**3) or near(three.matrix, 3 * one.matrix):
        return {"error": float(np.abs(three.matrix - np.linalg.matrix_power(one.matrix, 3)).max())}
    return None


@mistake(
    "fitted-rotation",
    "shift_matrix",
    en="At d = {d} and offset {offset} your matrix is off by {close:.1g} at the first positions, but by {far:.2g} near "
    "position 1,500. Was it fitted to some rows? Many matrices fit these. Which one holds for every p?",
    es="Con d = {d} y offset {offset} el error de tu matriz es {close:.1g} en las primeras posiciones, pero {far:.2g} "
    "cerca de la posición 1500. ¿Se ajustó a unas filas? Muchas matrices sirven para ellas. ¿Cuál vale para todo p?",
)
def fitted_rotation(observations):
    for shift in moving(observations):
        if not 0 < shift.offset <= 12 or near(shift.matrix @ shift.matrix.T, np.eye(shift.d)):
            continue
        table = Table(1600, shift.d).build().astype(np.float64)
        error = np.abs(table[: -shift.offset] @ shift.matrix.T - table[shift.offset :]).max(axis=1)
        close, far = float(error[: 16 - shift.offset].max()), float(error[1500:].max())
        if close < 50 * NEAR and far > max(50 * NEAR, 20 * close):
            return {"d": shift.d, "offset": shift.offset, "close": close, "far": far}
    return None


@mistake(
    "low-precision",
    "shift_matrix",
    en="Your matrix holds {dtype}; with offset {offset} its entries are off by {error:.0e}, and in float64 it would be "
    "1e-12 at most. In which precision are your angles, and from what were they made?",
    es="Tu matriz contiene {dtype}; con offset {offset} sus elementos tienen un error de {error:.0e}; en float64 sería de 1e-12 "
    "como mucho. ¿En qué precisión están tus ángulos, y de qué se hicieron?",
)
def low_precision(observations):
    found = [(each.args[0], each.difference, actual, each.expected) for each, actual in arrays(observations)]
    if len(found) < len(observations) or any(seen and seen.id != "dtype" for k, seen, *_ in found if abs(k) < FAR):
        return None
    if not all(np.asarray(each.actual).dtype.kind == "f" for each in observations):
        return None
    for offset, seen, actual, expected in found:
        error = float(np.abs(actual - expected).max())
        if seen and abs(offset) >= FAR and error < 0.1:
            return {"dtype": str(observations[0].actual.dtype), "offset": offset, "error": error}
    return None


@mistake(
    "wrong-frequencies",
    "shift_matrix",
    "shift",
    en="What you return turns pair by pair, as it should. But with offset {offset} the angle of pair {pair} is not "
    "right. What is the frequency of this pair?",
    es="Lo que devuelves gira par por par, como debe. Pero con offset {offset} el ángulo del par {pair} no es correcto. "
    "¿Cuál es la frecuencia de ese par?",
)
def wrong_frequencies(observations):
    others = (rotation_transposed, halves_blocks, swapped, offset_ignored, uses_position, one_angle, reflection)
    found = [shift for shift in shifts(observations) if abs(shift.offset) < FAR]
    if any(shift.angles is None for shift in found) or any(other(observations) is not None for other in others):
        return None
    if backwards(observations) or not _in_proportion(found):
        return None
    for shift in found:
        off = abs(turn(shift.angles, Shift(shift.offset, shift.d, shift.right, shift.right).angles))
        if off.max() > 10 * NEAR:
            return {"offset": shift.offset, "pair": int(np.argmax(off > 10 * NEAR))} if shift.offset else None
    return None


def _in_proportion(found: list[Shift]) -> bool:
    """Whether the angles at offset 3 are three times those at offset 1, as with any frequencies."""
    at = {(shift.offset, shift.d): shift.angles for shift in found}
    one, three = at.get((1, 8)), at.get((3, 8))
    return one is None or three is None or abs(turn(three, 3 * one)).max() < 10 * NEAR


@mistake(
    "input-overwritten",
    "shift",
    en="The table that you were given has changed during the call. Which line writes into it, and does a later line "
    "still need what stood there?",
    es="La tabla que recibiste ha cambiado durante la llamada. ¿Qué línea escribe en ella, y necesita una línea "
    "posterior lo que había ahí?",
)
def input_overwritten(observations):
    return {} if any(isinstance(each.actual, Overwritten) for each in observations) else None


@mistake(
    "circular-roll",
    "shift",
    en="Your rows are the given ones, rolled by {offset}: what leaves at one end comes back at the other. But the row "
    "after the last one is not row 0. Can you turn each row instead of moving it?",
    es="Tus filas son las que recibiste, desplazadas {offset} lugares en círculo: lo que sale por un extremo vuelve "
    "por el otro. Pero tras la última fila no viene la fila 0. ¿Puedes girar cada fila en vez de moverla?",
)
def circular_roll(observations):
    moved = moved_tables(observations)
    for sign in (-1, 1):
        if moved and all(near(actual, np.roll(table, sign * offset, axis=0)) for table, offset, actual in moved):
            return {"offset": abs(moved[0][1])}
    return None


@mistake(
    "rows-lost",
    "shift",
    en="Your rows are those that the table holds from row {offset} on, and the last ones are missing, or only fill the "
    "place. Row p of the table is enough to compute row p of the result. How?",
    es="Tus filas son las que la tabla contiene desde la fila {offset}, y las últimas faltan, o solo ocupan el lugar. "
    "La fila p de la tabla basta para calcular la fila p del resultado. ¿Cómo?",
)
def rows_lost(observations):
    seen = [each for each in observations if each.args[1] > 0 and isinstance(each.actual, np.ndarray)]
    if not seen or circular_roll(observations) is not None:
        return None
    for each in seen:
        left, actual = given_table(each)[each.args[1] :], np.asarray(each.actual)
        if actual.ndim != 2 or actual.dtype.kind != "f" or not near(actual[: len(left)], left):
            return None
        rest = actual[len(left) :]
        if len(rest) and not near(rest, np.broadcast_to(rest[:1], rest.shape)):
            return None
    return {"offset": seen[0].args[1]}
