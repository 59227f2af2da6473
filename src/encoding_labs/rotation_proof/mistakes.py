"""The mistakes of lab 03, rotation proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from encoding_labs.rotation_proof.proof_steps import STEPS, check_step, lands_at
from encoding_labs.tables import Table
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, Raised

NEAR = 1e-3  # a fit from float32 rows is this good at least; every mistake is off by more
HUGE = 1e6  # no mistake of this catalogue gives such numbers, and their products may overflow


@dataclass(frozen=True)
class Shift:
    """One wrong or right shift as a matrix, beside the matrix that is right."""

    k: int
    d: int
    matrix: np.ndarray
    right: np.ndarray

    @property
    def angles(self) -> np.ndarray | None:
        """The angle by which each pair is turned, in radians; None when the matrix is no rotation of the pairs."""
        even = np.arange(0, self.d, 2)
        cosine, sine = self.matrix[even, even], self.matrix[even, even + 1]
        turned = np.zeros_like(self.matrix)
        turned[even, even] = turned[even + 1, even + 1] = cosine
        turned[even, even + 1], turned[even + 1, even] = sine, -sine
        whole = near(self.matrix, turned) and near(np.hypot(sine, cosine), np.ones(self.d // 2))
        return np.arctan2(sine, cosine) if whole else None


def near(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool(np.abs(a - b).max(initial=0) < NEAR)


def arrays(observations: Sequence[Observation]) -> Iterator[tuple[Observation, np.ndarray]]:
    """The observations that returned finite numbers in the right shape, with these in float64."""
    for each in observations:
        if not isinstance(each.actual, Raised) and each.expected is not None:
            found = each.difference
            if found is None or found.id in ("values", "dtype") and np.asarray(each.actual).dtype.kind in "biuf":
                values = np.asarray(each.actual, dtype=np.float64)
                if np.abs(values).max(initial=0) < HUGE:
                    yield each, values


def given_table(seen: Observation) -> np.ndarray | None:
    """The table that is to be shifted, in float64; None where a matrix is asked for."""
    given = seen.args[0].build() if isinstance(seen.args[0], Table) else seen.args[0]
    return given.astype(np.float64) if isinstance(given, np.ndarray) else None


def shifts(observations: Sequence[Observation]) -> list[Shift]:
    """Every observation as a Shift; a shifted table counts where one map of each pair explains all its rows."""
    found = []
    for each, actual in arrays(observations):
        if (table := given_table(each)) is not None:
            k = each.args[1]
            matrix, right = pair_maps(table, actual), pair_maps(table, each.expected)
            if near(table @ matrix.T, actual):
                found.append(Shift(k, table.shape[1], matrix, right))
        else:
            found.append(Shift(*each.args, actual, each.expected))
    return found


def pair_maps(table: np.ndarray, shifted: np.ndarray) -> np.ndarray:
    """The block-diagonal matrix that takes each pair of `table` closest to that of `shifted`."""
    matrix = np.zeros((table.shape[1],) * 2)
    for start in range(0, table.shape[1], 2):
        pair = slice(start, start + 2)
        matrix[pair, pair] = np.linalg.lstsq(table[:, pair], shifted[:, pair], rcond=None)[0].T
    return matrix


def moving(observations: Sequence[Observation]) -> list[Shift]:
    """The shifts by something other than 0."""
    return [shift for shift in shifts(observations) if shift.k]


@mistake(
    "rotation-transposed",
    "shift_matrix",
    "shift",
    en="With k = {k}, position 5 lands at {lands} and not at {wanted}. Your pairs turn the other way. Where do the "
    "two signs of the sine stand, and what does the vector (0, 1) of position 0 have to become?",
    es="Con k = {k}, la posición 5 llega a {lands} y no a {wanted}. Tus pares giran al revés. ¿Dónde van los dos "
    "signos del seno, y en qué se debe convertir el vector (0, 1) de la posición 0?",
)
def rotation_transposed(observations):
    found = moving(observations)
    if found and all(near(shift.matrix, shift.right.T) for shift in found):
        k = found[0].k
        return {"k": k, "lands": 5 - k, "wanted": 5 + k}
    return None


@mistake(
    "reflection",
    "shift_matrix",
    "shift",
    en="The entries of pair {pair} have the right sizes, but not all their signs: with k = {k} its determinant is "
    "{det:.3f}, and a rotation has 1. What does your matrix do at k = 0, and does it keep the length of every "
    "vector?",
    es="Las entradas del par {pair} tienen el tamaño correcto, pero no todos los signos: con k = {k} su "
    "determinante es {det:.3f}, y el de una rotación es 1. ¿Qué hace tu matriz con k = 0, y conserva la "
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
                return {"pair": start // 2, "k": shift.k, "det": det}
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
    "uses-position",
    "shift_matrix",
    "shift",
    en="A shift by 0 should change nothing, but yours turns pair 0 by {turn:.3f} radians at position {p}. Which "
    "position has gone into the angle, and may the map know it?",
    es="Un desplazamiento de 0 no debe cambiar nada, pero el tuyo gira el par 0 {turn:.3f} radianes en la posición "
    "{p}. ¿Qué posición ha entrado en el ángulo, y puede conocerla la transformación?",
)
def uses_position(observations):
    for each, actual in arrays(observations):
        table = given_table(each)
        if each.args[0 if table is None else 1] != 0:
            continue
        if table is not None:
            clock, turned = phases(table), phases(actual)
            step = turned / clock
            steady = near(abs(step), np.ones(len(step))) and near(step[2:] * step[:-2], step[1:-1] ** 2)
            if steady and len(step) > 1 and abs(step[1] - step[0]) > NEAR:
                return {"turn": float(np.angle(step[1])), "p": 1}
            continue
        angles = Shift(0, each.args[1], actual, each.expected).angles
        if angles is not None and np.ptp(angles) > NEAR:
            return {"turn": float(angles[0]), "p": 0}
    return None


def phases(table: np.ndarray) -> np.ndarray:
    """The pair 0 of every row as a complex number whose angle is the angle of the clock."""
    return table[:, 1].astype(np.float64) + 1j * table[:, 0]


@mistake(
    "one-angle",
    "shift_matrix",
    "shift",
    en="With k = {k}, pair 0 turns by {first:.4f} radians and the last pair by {last:.4f}. Does every clock turn "
    "at its own frequency, and is the unit of your angle the radian?",
    es="Con k = {k}, el par 0 gira {first:.4f} radianes y el último {last:.4f}. ¿Gira cada reloj con su propia "
    "frecuencia, y es el radián la unidad de tu ángulo?",
)
def one_angle(observations):
    found = [shift for shift in moving(observations) if shift.d > 2]
    turns = [shift.angles for shift in found]
    if not found or any(angles is None for angles in turns):
        return None
    degrees = all(abs(angles[0] - np.deg2rad(shift.k)) < NEAR / 10 for shift, angles in zip(found, turns))
    same = all(np.abs(np.exp(1j * angles) - np.exp(1j * angles[0])).max() < NEAR < abs(angles[0]) for angles in turns)
    if degrees or same:
        return {"k": found[0].k, "first": float(turns[0][0]), "last": float(turns[0][-1])}
    return None


@mistake(
    "powered-entries",
    "shift_matrix",
    en="Your matrix for k = 3 is off by {error:.2g} from three shifts by 1, one after the other. What does one "
    "shift after another do to the matrices: does it act on their entries one by one?",
    es="Tu matriz para k = 3 difiere en {error:.2g} de tres desplazamientos de 1, uno tras otro. ¿Qué les hace a "
    "las matrices aplicar uno tras otro: actúa sobre sus entradas una por una?",
)
def powered_entries(observations):
    found = {(shift.k, shift.d): shift for shift in shifts(observations)}
    one, three = found.get((1, 8)), found.get((3, 8))
    if not one or not three or not near(one.matrix, one.right):
        return None
    if near(three.matrix, one.matrix**3) or near(three.matrix, 3 * one.matrix):
        return {"error": float(np.abs(three.matrix - np.linalg.matrix_power(one.matrix, 3)).max())}
    return None


@mistake(
    "fitted-rotation",
    "shift_matrix",
    en="At d = {d} and k = {k} your matrix is off by {close:.1g} at the first positions, but by {far:.2g} near "
    "position 1,500. Was it fitted to some rows? Many matrices fit these. Which one holds for every p?",
    es="Con d = {d} y k = {k} tu matriz falla por {close:.1g} en las primeras posiciones, pero por {far:.2g} cerca "
    "de la posición 1500. ¿Se ajustó a unas filas? Muchas matrices sirven para ellas. ¿Cuál vale para todo p?",
)
def fitted_rotation(observations):
    for shift in moving(observations):
        if not 0 < shift.k <= 12 or near(shift.matrix @ shift.matrix.T, np.eye(shift.d)):
            continue
        table = Table(1600, shift.d).build().astype(np.float64)
        error = np.abs(table[: -shift.k] @ shift.matrix.T - table[shift.k :]).max(axis=1)
        close, far = float(error[: 16 - shift.k].max()), float(error[1500:].max())
        if close < 50 * NEAR and far > max(50 * NEAR, 20 * close):
            return {"d": shift.d, "k": shift.k, "close": close, "far": far}
    return None


@mistake(
    "circular-roll",
    "shift",
    en="All rows are right but the last {k}: these hold the first positions again. The row after the last one is "
    "not row 0. Can you turn each row instead of moving it?",
    es="Todas las filas son correctas menos las últimas {k}: estas contienen otra vez las primeras posiciones. "
    "Tras la última fila no viene la fila 0. ¿Puedes girar cada fila en vez de moverla?",
)
def circular_roll(observations):
    moved = [(given_table(each), each.args[1], actual) for each, actual in arrays(observations) if each.args[1]]
    rolled = [near(actual, np.roll(table, -k, axis=0)) for table, k, actual in moved]
    return {"k": abs(moved[0][1])} if rolled and all(rolled) else None


@mistake(
    "uses-position",
    "proof",
    en="Step 3 contains p. The point of the proof is a matrix that does for every position. Which symbols may it know?",
    es="El paso 3 contiene p. Lo que se quiere demostrar es que una matriz vale para toda posición. ¿Qué símbolos "
    "puede conocer?",
)
def proof_uses_position(observations):
    proof = whole_proof(observations)
    found = check_step(proof, 3) if proof else None
    return {} if found and found.id == "symbols" and "p" in found.facts["seen"] else None


@mistake(
    "rotation-transposed",
    "proof",
    en="The matrix of step 3 takes the pair at p to p - k. Compare it with step 2 row by row: which sign goes with "
    "sin(k*omega)?",
    es="La matriz del paso 3 lleva el par de p a p - k. Compárala fila a fila con el paso 2: ¿qué signo acompaña a "
    "sin(k*omega)?",
)
def proof_transposed(observations):
    proof = whole_proof(observations)
    return {} if proof and not check_step(proof, 2) and lands_at(proof, 3, p=1, k=-1) else None


def whole_proof(observations: Sequence[Observation]) -> tuple | None:
    """The proof, when it has as many steps as are asked for."""
    proof = observations[0].actual
    whole = isinstance(proof, tuple) and proof and proof[0] == "steps" and len(proof) - 1 == len(STEPS)
    return proof if whole else None
