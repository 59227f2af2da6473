"""The mistakes of lab 07 in tables that are built by doubling.

A table is read as numbers z[p, k] = sin + i cos of one angle. Row n times a phase is row n + p, so the phases themselves can
be read off any table, and how they are off tells how it was built.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation

NEAR = 2e-3  # of an entry: far above all rounding at the sizes looked at, far below the step to another position


def tables(observations: Sequence[Observation], shaped: bool = True) -> Iterator[tuple[int, int, np.ndarray]]:
    """T, d and the table that came back, as float64, where it holds finite numbers; of shape (T, d), if `shaped`."""
    for seen in observations:
        (T, d), table = seen.args, seen.actual
        usable = isinstance(table, np.ndarray) and table.dtype.kind in "iuf" and table.ndim == 2
        if usable and np.isfinite(table).all() and (table.shape == (T, d) or not shaped):
            yield T, d, table.astype(np.float64)


def wrong(observations: Sequence[Observation]) -> list[tuple[int, int, np.ndarray, np.ndarray]]:
    """T, d, the table and the right one, of each table of the right shape that is off."""
    known = [seen for seen in observations if seen.expected is not None]
    shaped = [(*found, np.asarray(seen.expected), seen) for seen in known for found in tables([seen])]
    return [
        (T, d, table, right)
        for T, d, table, right, seen in shaped
        if table.size and np.abs(table - right).max() > seen.exercise.tolerance.absolute
    ]


def as_phases(table: np.ndarray) -> np.ndarray:
    """The rows as complex numbers sin + i cos, shape (T, d/2)."""
    return table[:, 0::2] + 1j * table[:, 1::2]


def frequencies(d: int) -> np.ndarray:
    return 10000.0 ** (-2.0 * np.arange(d // 2) / d)


@mistake(
    "power-of-two",
    "by_doubling",
    en="For T = {T} you returned {rows} rows. Doubling goes from one power of two to the next. How many rows does the last "
    "step have to add, so that there are T in the end?",
    es="Para T = {T} devolviste {rows} filas. Al duplicar se pasa de una potencia de dos a la siguiente. ¿Cuántas filas debe "
    "añadir el último paso para que al final haya T?",
)
def power_of_two(observations):
    for T, d, table in tables(observations, shaped=False):
        rows = len(table)
        if T > 1 and rows != T and table.shape[1] == d and rows & (rows - 1) == 0 and T / 2 < rows < 2 * T:
            return {"T": T, "rows": rows}


@mistake(
    "no-empty-table",
    "by_doubling",
    en="For T = 0 you returned {rows} row. A table of no positions has shape (0, d). Which row do you start from, and is "
    "there always room for it?",
    es="Para T = 0 devolviste {rows} fila. Una tabla sin posiciones tiene forma (0, d). ¿De qué fila partes, y hay siempre "
    "sitio para ella?",
)
def no_empty_table(observations):
    for T, d, table in tables(observations, shaped=False):
        if T == 0 and table.shape == (1, d):
            return {"rows": 1}


@mistake(
    "wrong-container",
    "by_doubling",
    en="For T = {T}, d = {d} you returned {dtype}, shape {shape:shape}; float32 of shape ({T}, {d}) is asked for. A complex "
    "number of 64 bits is two float32 in a row. What does a view of it as float32 look like?",
    es="Para T = {T}, d = {d} devolviste {dtype}, forma {shape:shape}; se pide float32 de forma ({T}, {d}). Un complejo de 64 "
    "bits son dos float32 seguidos. ¿Qué aspecto tiene visto como float32?",
)
def wrong_container(observations):
    for seen in observations:
        (T, d), table = seen.args, seen.actual
        if isinstance(table, np.ndarray) and (
            table.dtype.kind == "c" or table.dtype == np.float64 and table.shape == (T, d) and not seen_off(seen)
        ):
            return {"T": T, "d": d, "dtype": str(table.dtype), "shape": table.shape}


def seen_off(seen: Observation) -> bool:
    """Whether there is more wrong than the dtype."""
    return bool(seen.difference) and seen.difference.id != "dtype"


@mistake(
    "swapped-sin-cos",
    "by_doubling",
    en="Row 0 is 1, 0, 1, 0. At position 0 the sine is 0 and the cosine 1, and the sine comes first. So which complex number "
    "does every pair start from: what are its real and its imaginary part?",
    es="La fila 0 es 1, 0, 1, 0. En la posición 0 el seno es 0 y el coseno 1, y el seno va primero. ¿De qué número complejo "
    "parte entonces cada par: cuáles son su parte real y su parte imaginaria?",
)
def swapped(observations):
    off = wrong(observations)
    return {} if off and all(np.abs(t[0] - np.roll(right[0], 1)).max() < NEAR for _, _, t, right in off) else None


@mistake(
    "halves-layout",
    "by_doubling",
    en="Row 0 has its zeros in the first half and its ones in the second. In this course sine and cosine of a pair stand "
    "side by side. How does a complex array lie in memory, and does joining two parts keep that?",
    es="La fila 0 tiene los ceros en la primera mitad y los unos en la segunda. En este curso el seno y el coseno de un par "
    "van juntos. ¿Cómo está un array complejo en memoria, y lo conserva la unión de dos partes?",
)
def halves(observations):
    off = [found for found in wrong(observations) if found[1] > 2]
    apart = [np.abs(t[0] - np.repeat((0.0, 1.0), d // 2)).max() < NEAR for _, d, t, _ in off]
    return {} if off and all(apart) else None


@mistake(
    "rows-unwritten",
    "by_doubling",
    en="At T = {T} the rows from {first} on are all alike, zeros as a rule: nothing was written there. Where does your loop "
    "stop when T is no power of two?",
    es="Con T = {T} las filas desde la {first} son todas iguales, normalmente ceros: ahí no se escribió nada. ¿Dónde se "
    "detiene tu bucle cuando T no es una potencia de dos?",
)
def rows_unwritten(observations):
    for T, d, table, right in wrong(observations):
        rows_off = np.abs(table - right).max(axis=1) > NEAR
        if rows_off.any():
            first = int(np.argmax(rows_off))
            if 0 < first < T - 2 and not np.abs(table[first:]).any() and not rows_off[:first].any():
                return {"T": T, "first": first}


@mistake(
    "other-position",
    "by_doubling",
    en="Row {row} holds the encoding of position {seen}. Row n + q comes from row q by a turn of n positions. By how many "
    "do you turn, in which sense, and to which rows do you write?",
    es="La fila {row} contiene la codificación de la posición {seen}. La fila n + q sale de la fila q con un giro de n "
    "posiciones. ¿Cuántas giras tú, en qué sentido, y en qué filas escribes?",
)
def other_position(observations):
    first = None
    for T, d, table, right in wrong(observations):
        row = int(np.argmax(np.abs(table - right).max(axis=1) > NEAR))
        if np.abs(table[row] - right[row]).max() <= NEAR or d < 4 or T > 3_000:
            continue
        near, pairs = np.arange(-3 * T, 4 * T), np.unique(np.linspace(0, d // 2 - 1, 8).astype(int))
        rows = np.exp(-1j * near[:, None] * frequencies(d)[pairs]) * 1j
        gap = np.abs(as_phases(table[row : row + 1])[:, pairs] - rows).max(axis=1)
        if gap.min() > NEAR:
            return None
        first = first or {"row": row, "seen": int(near[np.argmin(gap)])}
    return first


def rounding(table: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """By how many radians each pair's angle is off; None where an entry is off by more than rounding explains."""
    if len(table) < 200 or np.abs(table - right).max() > 0.05:
        return None
    return np.angle(as_phases(table) / as_phases(right))


def is_block_wise(error: np.ndarray) -> bool:
    """Whether all rows from a power of two to the next are off by what the rows before are, and one number for each pair."""
    shares = [1 << power for power in range(3, len(error).bit_length() - 1)]
    for n in shares:
        more = error[n : 2 * n] - error[: len(error[n : 2 * n])]
        if np.abs(more - np.median(more, axis=0)).max() > 1e-6:
            return False
    return bool(shares)


@mistake(
    "float32-phase",
    "by_doubling",
    en="All rows of a block are off alike, by up to {error:.1g} at T = {T}: each phase is off, and a phase is used for a whole "
    "block. Which dtype has the angle of a phase, and does one phase come from another, or serve again and again?",
    es="Todas las filas de un bloque se desvían igual, hasta {error:.1g} con T = {T}: cada fase se desvía, y una fase sirve "
    "para un bloque entero. ¿Qué dtype tiene el ángulo de una fase, y sale una fase de otra, o sirve una y otra vez?",
)
def float32_phase(observations):
    for T, d, table, right in wrong(observations):
        error = rounding(table, right)
        if error is not None and is_block_wise(error) and np.abs(error).max() > 1e-6:
            return {"T": T, "error": float(np.abs(table - right).max())}


@mistake(
    "accumulated-angle",
    "by_doubling",
    en="The error grows row by row, to {error:.1g} at T = {T}. Each row is made from the one before it, and takes over its "
    "rounding. How many steps lie between row 0 and the last row when a block is doubled?",
    es="El error crece fila a fila, hasta {error:.1g} con T = {T}. Cada fila sale de la anterior y hereda su redondeo. "
    "¿Cuántos pasos hay entre la fila 0 y la última cuando se duplica un bloque?",
)
def accumulated_angle(observations):
    for T, d, table, right in wrong(observations):
        error = rounding(table, right)
        if error is not None and not is_block_wise(error) and grows_step_by_step(error):
            return {"T": T, "error": float(np.abs(table - right).max())}


def grows_step_by_step(error: np.ndarray) -> bool:
    """Whether an angle's error is a long walk of small steps, not drawn anew in each row: beyond rounding, it is smooth."""
    largest = np.abs(error).max(axis=0)
    steps = np.abs(np.diff(error, axis=0)).max(axis=0)
    worst = int(np.argmax(largest))
    return bool(largest[worst] > 2e-6 and steps[worst] < 0.1 * largest[worst])


@mistake(
    "float32-angles",
    "by_doubling",
    en="At T = {T} an entry is off by {error:.1g}, and at small T none is: as if the angles of all rows were float32, as in "
    "the locked formula. How many angles does doubling need, and which dtype can they have?",
    es="Con T = {T} un elemento se desvía {error:.1g}, y con T pequeño ninguno: como si los ángulos de todas las filas fueran "
    "float32, como en la fórmula protegida. ¿Cuántos ángulos necesita la duplicación, y qué dtype pueden tener?",
)
def float32_angles(observations):
    for T, d, table, right in wrong(observations):
        error = rounding(table, right)
        if error is None or is_block_wise(error) or grows_step_by_step(error):
            continue
        late, early = np.abs(error[T // 2 :]).max(), np.abs(error[: T // 16]).max()
        if late > 3 * early and late < 1e-6 * T:
            return {"T": T, "error": float(np.abs(table - right).max())}


@mistake(
    "low-precision",
    "by_doubling",
    en="All entries are off by about {error:.1g}, near and far alike: they were rounded to few digits. Which dtype, or which "
    "rounding, does a row pass through?",
    es="Todos los elementos se desvían alrededor de {error:.1g}, los cercanos y los lejanos: se redondearon a pocas cifras. "
    "¿Por qué dtype, o por qué redondeo, pasa una fila?",
)
def low_precision(observations):
    off = [np.abs(table - right).max(axis=1) for T, d, table, right in wrong(observations) if T > 16]
    if off and all(1e-5 < each.max() < 5e-3 and np.median(each[1:9]) > 0.1 * each.max() for each in off):
        return {"error": float(off[0].max())}


@mistake(
    "shared-state",
    "by_doubling",
    en="When the first table is written over, the second call of by_doubling({T}, {d}) is off: the two share memory. Does "
    "each call make its own table, or is a kept one handed out again?",
    es="Al escribir encima de la primera tabla, la segunda llamada de by_doubling({T}, {d}) está mal: comparten memoria. "
    "¿Hace cada llamada su propia tabla, o se entrega otra vez una guardada?",
)
def shared_state(observations):
    for seen in observations:
        if seen.twice and seen.difference and isinstance(seen.actual, np.ndarray) and (seen.actual == 7).any():
            return {"T": seen.args[0], "d": seen.args[1]}
