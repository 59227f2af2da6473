"""Mistakes of `rope`: by how much was each pair of each row turned?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from encoding_labs.order_for_attention.evidence import near, numbers, once
from encoding_labs.order_for_attention.exercises import as_clocks, built
from encoding_labs.tables import Table
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


@dataclass(frozen=True, eq=False)
class Turned:
    """What went in and what came out, and the table's own turns, as complex numbers of shape (T, d/2)."""

    rows: np.ndarray  # what went in
    mine: np.ndarray  # what came out
    right: np.ndarray
    positions: np.ndarray

    def clocks(self, positions: np.ndarray) -> np.ndarray:
        """exp(i p omega_k), read off the locked table."""
        return as_clocks(Table(int(positions.max()) + 1, self.rows.shape[1]).build().astype(np.float64))[positions]

    def turned_by(self, turn: np.ndarray) -> bool:
        """Whether each pair came out turned by this, read off what went in and what came out."""
        before, after = as_clocks(self.rows), as_clocks(self.mine)
        return near(after * before.conj(), turn * abs(before) ** 2, 5e-3) and near(abs(after), abs(before), 5e-3)

    @property
    def steps(self) -> np.ndarray:
        """omega_k, as angles of the table's row 1."""
        return np.angle(self.clocks(np.array([1]))[0])


def answers(observations: Sequence[Observation]) -> list[Turned] | None:
    """Every call; None when one of them gave no numbers of the right shape."""
    found = []
    for seen in once(observations):
        rows, positions = (np.asarray(built(arg)) for arg in seen.args)
        mine = numbers(seen.actual, rows.shape)
        if mine is None or (positions < 0).any():
            return None
        found.append(Turned(rows.astype(np.float64), mine, np.asarray(seen.expected), positions))
    return found


def recognised(observations: Sequence[Observation], told: Callable[[Turned], bool]) -> Mapping | None:
    """The first call that shows it, when it is so in each, and not because the call was right."""
    found = answers(observations) or []
    wrong = [each for each in found if not near(each.mine, each.right, 2e-3)]
    if not wrong or not all(map(told, found)):
        return None
    row = next(row for row in range(len(wrong[0].mine)) if not near(wrong[0].mine[row], wrong[0].right[row], 2e-3))
    return {"d": wrong[0].rows.shape[1], "row": row, "position": int(wrong[0].positions[row])}


@mistake(
    "turned-twice",
    "rope",
    en="Row {row}, at position {position}, is turned by twice its angle. "
    "Is the rotation applied once more than it should be, or is there a 2 too many in the angle?",
    es="La fila {row}, en la posición {position}, gira el doble de su ángulo. "
    "¿Se aplica la rotación una vez de más, o sobra un 2 en el ángulo?",
)
def turned_twice(observations):
    return recognised(observations, lambda turned: turned.turned_by(turned.clocks(turned.positions) ** 2))


@mistake(
    "positions-ignored",
    "rope",
    en="Row {row} stands at position {position}, and you turn it as if it stood at {row}. "
    "Which argument says where each row stands?",
    es="La fila {row} está en la posición {position}, y la giras como si estuviera en la {row}. "
    "¿Qué argumento dice dónde está cada fila?",
)
def positions_ignored(observations):
    return recognised(observations, lambda turned: turned.turned_by(turned.clocks(np.arange(len(turned.rows)))))


@mistake(
    "positions-from-one",
    "rope",
    en="Row {row} stands at position {position}, and you turn it by one position more. "
    "By how much is a token at position 0 to be turned?",
    es="La fila {row} está en la posición {position}, y la giras una posición de más. "
    "¿Cuánto hay que girar un token en la posición 0?",
)
def positions_from_one(observations):
    return recognised(observations, lambda turned: turned.turned_by(turned.clocks(turned.positions + 1)))


@mistake(
    "not-turned",
    "rope",
    en="Row {row} comes back as it went in, though it stands at position {position}. "
    "Which angle does each of its pairs turn by?",
    es="La fila {row} vuelve como entró, aunque está en la posición {position}. "
    "¿Qué ángulo gira cada uno de sus pares?",
)
def not_turned(observations):
    return recognised(observations, lambda turned: near(turned.mine, turned.rows, 2e-3))


@mistake(
    "added",
    "rope",
    en="To row {row} you added the row of position {position}. That was the way before this one. "
    "Here nothing is added: pairs keep their length. What is done to them?",
    es="A la fila {row} le sumaste la fila de la posición {position}. Esa era la manera anterior. "
    "Aquí no se suma nada: los pares conservan su longitud. ¿Qué se les hace?",
)
def added(observations):
    def told(turned):
        return near(as_clocks(turned.mine) - as_clocks(turned.rows), turned.clocks(turned.positions), 2e-3)

    return recognised(observations, told)


@mistake(
    "halves-layout",
    "rope",
    en="At d = {d} you turn column 0 together with column {partner}. That is the pairing of halves, which some libraries "
    "use. Which two columns are a pair in this course's table?",
    es="Con d = {d} giras la columna 0 junto con la columna {partner}. Es el emparejado por mitades, que usan algunas "
    "bibliotecas. ¿Qué dos columnas forman un par en la tabla de este curso?",
)
def halves_layout(observations):
    def told(turned):
        half = turned.rows.shape[1] // 2
        pairs, mine = (rows[:, half:] + 1j * rows[:, :half] for rows in (turned.rows, turned.mine))
        clocks = turned.clocks(turned.positions)
        turns = (clocks, clocks.conj())
        return half > 1 and any(near(mine * pairs.conj(), turn * abs(pairs) ** 2, 5e-3) for turn in turns)

    found = recognised(observations, told)
    return found and {**found, "partner": found["d"] // 2}


@mistake(
    "one-angle",
    "rope",
    en="All pairs of row {row} turn by the same angle. Then one pair would do. Which frequency belongs to which pair?",
    es="Todos los pares de la fila {row} giran el mismo ángulo. Entonces bastaría uno. "
    "¿Qué frecuencia corresponde a cada par?",
)
def one_angle(observations):
    def told(turned):
        turns = turned.clocks(turned.positions)[:, :1]
        return any(turned.turned_by(np.broadcast_to(turn, turned.rows[:, ::2].shape)) for turn in (turns, turns.conj()))

    return recognised(observations, told)


@mistake(
    "degrees",
    "rope",
    en="The angles of row {row} are nearly 60 times too small: they were taken for degrees. "
    "Which unit do sin and cos expect?",
    es="Los ángulos de la fila {row} son casi 60 veces menores: se tomaron por grados. ¿Qué unidad esperan sin y cos?",
)
def degrees(observations):
    def told(turned):
        angles = np.deg2rad(turned.positions[:, None] * turned.steps)
        return turned.turned_by(np.exp(1j * angles)) or turned.turned_by(np.exp(-1j * angles))

    return recognised(observations, told)


@mistake(
    "exponent-k-over-d",
    "rope",
    en="Pair 0 of your rows turns as it should, the later ones too fast: at d = {d} your frequencies end too high. "
    "How far apart should the first and the last frequency be?",
    es="El par 0 de tus filas gira como debe, los siguientes demasiado rápido: con d = {d} tus frecuencias acaban "
    "demasiado altas. ¿Cuánto deben distar la primera y la última?",
)
def exponent_k_over_d(observations):
    def told(turned):
        angles = turned.positions[:, None] * np.sqrt(turned.steps)
        return turned.turned_by(np.exp(1j * angles)) or turned.turned_by(np.exp(-1j * angles))

    return recognised(observations, told)


@mistake(
    "reflection",
    "rope",
    en="In row {row} pairs change their length. Of the four products of a rotation one has a minus. "
    "In which line of the matrix of lab 03 does it stand?",
    es="En la fila {row} los pares cambian de longitud. De los cuatro productos de una rotación uno lleva un menos. "
    "¿En qué línea de la matriz del laboratorio 03 está?",
)
def reflection(observations):
    def told(turned):
        """One column of each pair is right; in the other the product with the sine has the wrong sign."""
        even, odd = (turned.mine - turned.right)[:, 0::2], (turned.mine - turned.right)[:, 1::2]
        sines = 2 * turned.clocks(turned.positions).imag
        plus = near(even, 0) and near(odd, turned.rows[:, 0::2] * sines, 2e-3)
        return plus or near(odd, 0) and near(even, -turned.rows[:, 1::2] * sines, 2e-3)

    return recognised(observations, told)


def from_new_columns(turned: Turned, first: int) -> bool:
    """Whether these columns (0: even, 1: odd) are right, in either sense, and their partners were computed from them."""
    columns, mine = (turned.rows[:, first::2], turned.rows[:, 1 - first :: 2]), turned.mine
    clocks = turned.clocks(turned.positions)
    for sines in (clocks.imag, -clocks.imag):
        new = columns[0] * clocks.real + columns[1] * sines
        partners = columns[1] * clocks.real - new * sines
        if near(mine[:, first::2], new, 2e-3) and near(mine[:, 1 - first :: 2], partners, 2e-3):
            return True
    return False


def half_overwritten(which: str, first: int, en: str, es: str) -> None:
    """Half of the columns written before the other half was computed from them."""

    @mistake(
        f"half-overwritten/{which}",
        "rope",
        en=f"{en} Which line overwrites columns that a later line still reads?",
        es=f"{es} ¿Qué línea sobrescribe columnas que otra posterior todavía lee?",
    )
    def recognise(observations):
        return recognised(observations, lambda turned: from_new_columns(turned, first))


half_overwritten(
    "even",
    0,
    "Your even columns are right. The odd ones were computed from these new even columns, and they need the old ones.",
    "Tus columnas pares son correctas. Las impares se calcularon con esas columnas nuevas, y necesitan las antiguas.",
)
half_overwritten(
    "odd",
    1,
    "Your odd columns are right. The even ones were computed from these new odd columns, and they need the old ones.",
    "Tus columnas impares son correctas. Las pares se calcularon con esas columnas nuevas, y necesitan las antiguas.",
)
