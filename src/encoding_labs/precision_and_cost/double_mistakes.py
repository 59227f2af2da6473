"""The mistakes of `double`: which rows came back, and by what were their pairs turned?

A pair is read as one complex number sin + i cos of its angle, so a turn is one factor, and the factors tell the mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, judge

NEAR = 2e-3  # of an entry: far above rounding, far below the step to another position


def as_pairs(rows: np.ndarray) -> np.ndarray:
    """The rows as complex numbers sin + i cos, shape (n, m)."""
    return rows[:, 0::2].astype(np.float64) + 1j * rows[:, 1::2]


def near(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool(np.abs(a - b).max(initial=0) < NEAR)


@dataclass(frozen=True, eq=False)
class Doubled:
    """One call as pairs, each of shape (n, m), and its m frequencies."""

    given: np.ndarray  # what went in
    first: np.ndarray  # the first n rows that came out
    second: np.ndarray  # the last n
    right: np.ndarray  # what the last n should be
    omega: np.ndarray

    @property
    def n(self) -> int:
        return len(self.given)

    @property
    def m(self) -> int:
        return len(self.omega)

    @property
    def off(self) -> float:
        return float(max(np.abs(self.first - self.given).max(), np.abs(self.second - self.right).max()))

    @property
    def turn(self) -> np.ndarray:
        """The factor of each pair that is right, read off the right rows."""
        return (self.right * self.given.conj()).sum(axis=0) / (np.abs(self.given) ** 2).sum(axis=0)

    def turned_by(self, turn: np.ndarray) -> bool:
        return near(self.second, self.given * turn)

    def turned_at(self, omega: np.ndarray) -> bool:
        """Whether turning the second half back by n positions at these frequencies gives what went in."""
        return near(self.second * np.exp(1j * self.n * omega), self.given)


def answers(observations: Sequence[Observation]) -> list[Doubled]:
    """Every call that gave finite numbers of the right shape, but no second call with the same arrays."""
    found = []
    for seen in (seen for seen in observations if not seen.twice):
        right, actual = seen.expected, seen.actual
        usable = right is not None and isinstance(actual, np.ndarray) and actual.dtype.kind in "iuf"
        if usable and actual.shape == np.shape(right) and np.isfinite(actual).all():
            n = len(actual) // 2
            given, omega = (arg.build() for arg in seen.args)
            halves = (given, actual[:n], actual[n:], np.asarray(right)[n:])
            found.append(Doubled(*map(as_pairs, halves), omega))
    return found


def recognised(observations: Sequence[Observation], told: Callable[[Doubled], bool]) -> Mapping | None:
    """The numbers of the first wrong call, when all wrong calls show the mistake."""
    wrong = [each for each in answers(observations) if each.off > NEAR]
    return {"n": wrong[0].n, "m": wrong[0].m} if wrong and all(map(told, wrong)) else None


@mistake(
    "new-half-only",
    "double",
    en="From {n} rows you make {n}, and these are right. What is asked for has twice as many: which rows stand above them?",
    es="De {n} filas sacas {n}, y son correctas. Se piden el doble: ¿qué filas van encima?",
)
def new_half_only(observations):
    for seen in observations:
        right, actual = np.asarray(seen.expected), seen.actual
        if isinstance(actual, np.ndarray) and actual.dtype.kind == "f" and near(actual, right[len(right) // 2 :]):
            return {"n": len(actual)}


@mistake(
    "first-half-changed",
    "double",
    en="Of the {n} rows that came in, row {row} came out changed. Rows 0 to n - 1 stay as they are, and the turned ones go "
    "below them. Does a line of yours write into rows, and in which order do you join the two halves?",
    es="De las {n} filas recibidas, la {row} sale cambiada. Las filas de 0 a n - 1 quedan como están, y las giradas van debajo. "
    "¿Escribe alguna línea tuya en rows, y en qué orden unes las dos mitades?",
)
def first_half_changed(observations):
    def told(each):
        return not near(each.first, each.given) and (near(each.second, each.right) or near(each.second, each.given))

    if found := recognised(observations, told):
        wrong = next(each for each in answers(observations) if each.off > NEAR)
        row = int(np.argmax(np.abs(wrong.first - wrong.given).max(axis=1) > NEAR))
        return {"n": found["n"], "row": row}


@mistake(
    "input-overwritten",
    "double",
    en="The first call is right; a second one with the same array is off. Leave rows as it came. Print it before and after a "
    "call: which line writes into it?",
    es="La primera llamada es correcta; la segunda, con el mismo array, ya no. Deja rows como llegó. Imprímelo antes y después "
    "de una llamada: ¿qué línea escribe en él?",
)
def input_overwritten(observations):
    off = [seen for seen in observations if judge(seen) is not None]
    alone = [seen for seen in observations if not seen.twice and off and seen.args == off[0].args]
    return {} if alone and all(seen.twice for seen in off) else None


@mistake(
    "table-rebuilt",
    "double",
    en="Every pair of your new rows has length 1, as sin and cos of one angle have. The pairs that came in are shorter: {length:.2f} "
    "is the length of pair 0. Which of your lines uses rows?",
    es="Cada par de tus filas nuevas tiene longitud 1, como el seno y el coseno de un mismo ángulo. Los pares recibidos son más "
    "cortos: {length:.2f} es la longitud del par 0. ¿Qué línea tuya usa rows?",
)
def table_rebuilt(observations):
    if recognised(observations, lambda each: near(np.abs(each.second), np.ones((each.n, each.m)))):
        return {"length": float(np.abs(answers(observations)[0].given[0, 0]))}


@mistake(
    "rotation-transposed",
    "double",
    en="Row {n} is row 0 turned by {n} positions, but back instead of forward. Which sign has the exponent, or where in the matrix "
    "is the minus?",
    es="La fila {n} es la fila 0 girada {n} posiciones, pero hacia atrás en vez de hacia delante. ¿Qué signo lleva el exponente, o "
    "dónde está el menos en la matriz?",
)
def rotation_transposed(observations):
    return recognised(observations, lambda each: each.turned_by(each.turn.conj()))


@mistake(
    "other-position",
    "double",
    en="You got {n} rows, and your row {n} is what row {seen} should be: row 0 turned by {seen} positions. By how many do "
    "you turn, and in which order do you write the rows?",
    es="Recibiste {n} filas, y tu fila {n} es lo que debería ser la fila {seen}: la fila 0 girada {seen} posiciones. ¿Cuántas "
    "giras, y en qué orden escribes las filas?",
)
def other_position(observations):
    first = None
    for each in answers(observations):
        if each.off <= NEAR or each.n > 3_000:
            continue
        positions = np.arange(-3 * each.n, 4 * each.n)
        back = each.second[0] * np.exp(1j * positions[:, None] * each.omega)
        gap = np.abs(back - each.given[0]).max(axis=1)
        seen = int(positions[np.argmin(gap)])
        if gap.min() > NEAR or seen in (each.n, -each.n) or not near(each.first, each.given):
            return None
        first = first or {"n": each.n, "seen": seen}
    return first


@mistake(
    "degrees",
    "double",
    en="Your pairs turn by angles nearly 60 times too small: they were taken for degrees. Which unit has omega?",
    es="Tus pares giran ángulos casi 60 veces menores: se tomaron por grados. ¿En qué unidad está omega?",
)
def degrees(observations):
    return recognised(observations, lambda each: each.turned_at(np.deg2rad(each.omega)))


@mistake(
    "omega-ignored",
    "double",
    en="Your pairs turn at powers of 10000. The frequencies are handed in as omega, and here they are others. Print them.",
    es="Tus pares giran con potencias de 10000. Las frecuencias se reciben en omega, y aquí son otras. Imprímelas.",
)
def omega_ignored(observations):
    exponents = (lambda k, d: -2 * k / d, lambda k, d: -k / d, lambda k, d: 2 * k / d)
    laws = [lambda m, e=e: 10_000.0 ** e(np.arange(m), 2 * m) for e in exponents]
    found = (recognised(observations, lambda each, law=law: each.turned_at(law(each.m))) for law in laws)
    return {} if any(each is not None for each in found) else None


@mistake(
    "one-angle",
    "double",
    en="All {m} pairs of your new rows turn by the same angle. Which entry of omega belongs to which pair?",
    es="Los {m} pares de tus filas nuevas giran el mismo ángulo. ¿Qué elemento de omega corresponde a cada par?",
)
def one_angle(observations):
    ways = (lambda each: np.ones(each.m), lambda each: np.full(each.m, each.omega[0]))
    found = (recognised(observations, lambda each, way=way: each.turned_at(way(each))) for way in ways)
    return next(filter(None, found), None)


@mistake(
    "frequencies-reversed",
    "double",
    en="Pair 0 turns at the frequency of pair {last}, and pair {last} at that of pair 0. In which order are the frequencies, "
    "and in which the columns?",
    es="El par 0 gira con la frecuencia del par {last}, y el par {last} con la del par 0. ¿En qué orden están las frecuencias, "
    "y en cuál las columnas?",
)
def frequencies_reversed(observations):
    found = recognised(observations, lambda each: each.turned_at(each.omega[::-1]))
    return found and {"last": found["m"] - 1}


@mistake(
    "reflection",
    "double",
    en="Half of your columns are right; in the other half a product with the sine has the wrong sign. Of the four products of "
    "a rotation one has a minus. In which line of the matrix of lab 03 is it?",
    es="La mitad de tus columnas es correcta; en la otra, un producto con el seno tiene el signo equivocado. De los cuatro "
    "productos de una rotación uno lleva un menos. ¿En qué línea de la matriz del laboratorio 03 está?",
)
def reflection(observations):
    def told(each):
        """In one column of each pair the product with the sine has the sign of a turn back."""
        back = each.given * each.turn.conj()
        return near(each.second, each.right.real + 1j * back.imag) or near(
            each.second, back.real + 1j * each.right.imag
        )

    return recognised(observations, told)


@mistake(
    "half-overwritten",
    "double",
    en="Half of your columns are right. The other half was computed from the new columns, and it needs the old ones. Which line "
    "overwrites columns that a later line still reads?",
    es="La mitad de tus columnas es correcta. La otra mitad se calculó con las columnas nuevas, y necesita las antiguas. ¿Qué "
    "línea sobrescribe columnas que otra posterior todavía lee?",
)
def half_overwritten(observations):
    def told(each):
        even = ((each.right.real + 1j * each.given.imag) * each.turn).imag
        odd = ((each.given.real + 1j * each.right.imag) * each.turn).real
        return near(each.second, each.right.real + 1j * even) or near(each.second, odd + 1j * each.right.imag)

    return recognised(observations, told)


@mistake(
    "column-twice",
    "double",
    en="In your new rows the two columns of each pair are equal. One is right. Which line was copied and left unchanged?",
    es="En tus filas nuevas las dos columnas de cada par son iguales. Una es correcta. ¿Qué línea se copió sin cambiarla?",
)
def column_twice(observations):
    def told(each):
        same = near(each.second.real, each.second.imag)
        return same and (near(each.second.real, each.right.real) or near(each.second.imag, each.right.imag))

    return recognised(observations, told)


@mistake(
    "swapped-sin-cos",
    "double",
    en="In your new rows sine and cosine of each pair have changed places. Which of them is the real part of your complex "
    "numbers, and which column does it go to?",
    es="En tus filas nuevas el seno y el coseno de cada par han cambiado de lugar. ¿Cuál es la parte real de tus números "
    "complejos, y a qué columna va?",
)
def swapped(observations):
    return recognised(observations, lambda each: near(each.second, each.right.imag + 1j * each.right.real))


@mistake(
    "halves-layout",
    "double",
    en="With {m} pairs you take column 0 together with column {m}, or write them that far apart. Which two columns are a "
    "pair in this course's table?",
    es="Con {m} pares tomas la columna 0 junto con la columna {m}, o las escribes a esa distancia. ¿Qué dos columnas forman un "
    "par en la tabla de este curso?",
)
def halves_layout(observations):
    def columns(pairs):
        return np.stack([pairs.real, pairs.imag], axis=-1).reshape(len(pairs), -1)

    def told(each):
        given, m = columns(each.given), each.m
        turned = (given[:, :m] + 1j * given[:, m:]) * each.turn
        apart = [np.concatenate([pairs.real, pairs.imag], axis=1) for pairs in (turned, each.right)]
        return m > 1 and any(near(columns(each.second), rows) for rows in apart)

    return recognised(observations, told)


@mistake(
    "wrong-container",
    "double",
    en="For {n} rows of {m} pairs you returned {dtype}, shape {shape:shape}; float32 of shape ({rows}, {columns}) is asked "
    "for. A complex64 number is two float32 in a row. What does a view of it as float32 look like?",
    es="Para {n} filas de {m} pares devolviste {dtype}, forma {shape:shape}; se pide float32 de forma ({rows}, {columns}). Un "
    "complex64 son dos float32 seguidos. ¿Qué aspecto tiene visto como float32?",
)
def wrong_container(observations):
    for seen in observations:
        actual = seen.actual
        off = bool(seen.difference) and seen.difference.id != "dtype"
        if isinstance(actual, np.ndarray) and (actual.dtype.kind == "c" or actual.dtype == np.float64 and not off):
            n, m = seen.args[0].n, seen.args[1].m
            facts = {"n": n, "m": m, "rows": 2 * n, "columns": 2 * m}
            return {**facts, "dtype": str(actual.dtype), "shape": actual.shape}
