"""The mistakes of lab 07 in float32_error.

At d = 2 the frequency is 1, and from 2**24 on the float32 position alone is off. So the error is known there to the last
digit, and so is what each wrong measure of it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.precision_and_cost.arguments import Positions
from encoding_labs.precision_and_cost.exercises import EXACT_UP_TO, numbers_of
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, judge

CLOSE = 1e-5  # of errors between 0.1 and 2
ENTRY = 3.1e-8  # what rounding an entry to float32 costs at most is 2**-25


def differences(positions: np.ndarray) -> np.ndarray:
    """At d = 2: how far sine and cosine of the float32 position are from those of the position, signed, shape (n, 2)."""
    exact, rounded = positions.astype(np.float64), positions.astype(np.float32).astype(np.float64)
    return np.stack([np.sin(rounded) - np.sin(exact), np.cos(rounded) - np.cos(exact)], axis=1)


# What a wrong measure makes of the signed differences at d = 2 and of the positions.
MEASURES = {
    "signed-error": (
        lambda off, p: off.max(axis=1),
        lambda off, p: (-off).max(axis=1),
        lambda off, p: off.min(axis=1),
        lambda off, p: np.abs(off.max(axis=1)),
        lambda off, p: np.abs((-off).max(axis=1)),
    ),
    "angle-error": (lambda off, p: np.abs(p.astype(np.float32).astype(np.float64) - p),),
    "relative-error": (
        lambda off, p: np.abs(off / row_of(p)).max(axis=1),
        lambda off, p: np.abs(off / (row_of(p) + off)).max(axis=1),
        lambda off, p: np.abs(off).max(axis=1) / np.abs(row_of(p)).max(axis=1),
    ),
    "one-function": (lambda off, p: np.abs(off[:, 0]), lambda off, p: np.abs(off[:, 1])),
    "not-the-largest": (
        lambda off, p: np.abs(off).mean(axis=1),
        lambda off, p: np.abs(off).sum(axis=1),
        lambda off, p: np.abs(off).min(axis=1),
        lambda off, p: (off**2).max(axis=1),
        lambda off, p: (off**2).mean(axis=1),
        lambda off, p: np.sqrt((off**2).mean(axis=1)),
        lambda off, p: np.linalg.norm(off, axis=1),
    ),
}


def row_of(positions: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(positions.astype(np.float64)), np.cos(positions.astype(np.float64))], axis=1)


def known_errors(observations: Sequence[Observation]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Positions beyond 2**24 and the errors that came back for them, of each call at d = 2."""
    for seen in observations:
        positions, d = seen.args
        actual = numbers_of(seen.actual)
        if (
            d == 2
            and isinstance(positions, Positions)
            and actual is not None
            and actual.shape == (len(positions.each),)
        ):
            beyond = np.array(positions.each) > EXACT_UP_TO
            if beyond.sum() >= 3:
                yield np.array(positions.each)[beyond], actual[beyond]


def measured_as(kind: str, observations: Sequence[Observation]) -> bool:
    """Whether one wrong measure of this kind explains every error at d = 2, and the right one does not."""
    found = list(known_errors(observations))
    right = all(np.allclose(seen, np.abs(differences(p)).max(axis=1), rtol=0, atol=CLOSE) for p, seen in found)
    return (
        bool(found)
        and not right
        and any(
            all(np.allclose(seen, measure(differences(p), p), rtol=1e-4, atol=CLOSE) for p, seen in found)
            for measure in MEASURES[kind]
        )
    )


def ordinary_errors(observations: Sequence[Observation]) -> tuple[np.ndarray, np.ndarray]:
    """Positions of 1,000 and more below 2**24, and the errors that came back for them, of all calls at d >= 32."""
    positions, errors = [], []
    for seen in observations:
        given, d = seen.args
        actual = numbers_of(seen.actual)
        if d >= 32 and isinstance(given, Positions) and actual is not None and actual.shape == (len(given.each),):
            positions += given.each
            errors += actual.tolist()
    each = np.array(positions, dtype=float)
    chosen = (each >= 1_000) & (each < EXACT_UP_TO)
    return each[chosen], np.array(errors)[chosen]


@mistake(
    "float64-everywhere",
    "float32_error",
    en="Your largest error is {largest:.1g}: that is what rounding the finished entries costs, or less. So the angles of "
    "both tables are float64. Print the dtype of positions, frequencies and angles, one after the other.",
    es="Tu mayor error es {largest:.1g}: eso es lo que cuesta redondear los elementos ya acabados, o menos. Entonces los "
    "ángulos de las dos tablas son float64. Imprime el dtype de posiciones, frecuencias y ángulos, uno tras otro.",
)
def float64_everywhere(observations):
    _, errors = ordinary_errors(observations)
    beyond = [seen for _, seen in known_errors(observations)]
    if errors.size < 3 or not all((np.abs(seen) < ENTRY).all() for seen in (errors, *beyond)):
        return None
    largest = float(np.abs(np.concatenate([errors, *beyond])).max())
    return {"largest": largest} if largest else None


@mistake(
    "compared-with-itself",
    "float32_error",
    en="Your errors are all exactly 0, as if a table were compared with itself. Print the dtype of positions, frequencies and "
    "angles in each of your two tables. Where do the two differ?",
    es="Tus errores son todos exactamente 0, como si una tabla se comparase consigo misma. Imprime el dtype de las posiciones, "
    "las frecuencias y los ángulos en cada una de tus dos tablas. ¿En qué se diferencian?",
)
def compared_with_itself(observations):
    _, errors = ordinary_errors(observations)
    beyond = [seen for _, seen in known_errors(observations)]
    return {} if errors.size >= 3 and not any(seen.any() for seen in (errors, *beyond)) else None


@mistake(
    "positions-sorted",
    "float32_error",
    en="Your errors are those of the positions in ascending order, and the positions do not always come in that order. Which "
    "error belongs to the first of them?",
    es="Tus errores son los de las posiciones en orden creciente, y no siempre vienen en ese orden. ¿Qué error corresponde a la "
    "primera?",
)
def positions_sorted(observations):
    for seen in observations:
        actual, bounds = numbers_of(seen.actual), seen.expected
        if not isinstance(seen.args[0], Positions) or actual is None or actual.shape != bounds[0].shape:
            return None
        least, largest = bounds[:, np.argsort(seen.args[0].each)]
        if (actual < least).any() or (actual > largest).any():
            return None
    return {}


@mistake(
    "positions-ignored",
    "float32_error",
    en="The first error of each call is exactly 0, and your largest is {largest:.1g}: rows 0, 1, 2, … of a table have such "
    "errors, whatever the positions are. Which argument says where the rows stand?",
    es="El primer error de cada llamada es exactamente 0, y el mayor es {largest:.1g}: así se desvían las filas 0, 1, 2, … de "
    "una tabla, sean cuales sean las posiciones. ¿Qué argumento dice dónde están las filas?",
)
def positions_counted(observations):
    found = [numbers_of(seen.actual) for seen in observations]
    if not found or any(errors is None or errors.ndim != 1 or errors.size < 3 for errors in found):
        return None
    small = all(errors[0] == 0 and 0 < errors.max() < 1e-5 for errors in found)
    return {"largest": float(max(errors.max() for errors in found))} if small else None


@mistake(
    "same-position",
    "float32_error",
    en="At d = 2 you find no error beyond 2**24 = 16,777,216. Yet float32 holds only every other whole number there. Do "
    "your two tables get the same position? Print the dtype of the positions in each, just before they are multiplied.",
    es="Con d = 2 no encuentras error más allá de 2**24 = 16.777.216. Pero ahí float32 solo contiene uno de cada dos números "
    "enteros. ¿Reciben tus dos tablas la misma posición? Imprime el dtype de las posiciones en cada una, justo antes de "
    "multiplicarlas.",
)
def same_position(observations):
    _, errors = ordinary_errors(observations)
    beyond = [seen for _, seen in known_errors(observations)]
    unseen = beyond and all((np.abs(seen) < 1e-6).all() for seen in beyond)
    # Exactly 0 is also what the pairs after the first give, but not with angles in float64.
    same = unseen and (np.concatenate(beyond).any() or angles_unrounded(observations))
    return {} if same and (errors > 1e-5).any() else None


def angles_unrounded(observations: Sequence[Observation]) -> bool:
    """Whether at d = 4 the errors are those of a frequency that is off by a little, in every row by the same."""
    for seen in observations:
        positions, d = seen.args
        actual = numbers_of(seen.actual)
        if (
            d == 4
            and isinstance(positions, Positions)
            and actual is not None
            and actual.shape == (len(positions.each),)
        ):
            p = np.array(positions.each, dtype=np.float64)
            off = actual / p / np.maximum(abs(np.sin(p / 100)), abs(np.cos(p / 100)))
            return bool(np.ptp(off) < 0.01 * off.max())
    return False


@mistake(
    "float64-sines",
    "float32_error",
    en="Your errors are right where angles are rounded. But at d = 2, up to 2**24, no angle is, and there you find no error at "
    "all. The sines and cosines of the locked formula are float32 as well. Print the dtype of yours.",
    es="Tus errores son correctos donde se redondean los ángulos. Pero con d = 2, hasta 2**24, no se redondea ninguno, y ahí no "
    "encuentras ningún error. En la fórmula protegida también los senos y los cosenos son float32. Imprime el dtype de los tuyos.",
)
def float64_sines(observations):
    wrong = [found.id for found in map(judge, observations) if found]
    _, errors = ordinary_errors(observations)
    return {} if set(wrong) == {"exact"} and (errors != errors.round(7)).any() else None


@mistake(
    "accumulated-angle",
    "float32_error",
    en="At position {position:,.0f} your error is {error:.2g}, more than rounding once can do. Repeated adding or "
    "multiplying repeats rounding. How does the locked module get from a position to its angle?",
    es="En la posición {position:,.0f} tu error es {error:.2g}, más de lo que puede un solo redondeo. Sumar o multiplicar "
    "repetidamente repite el redondeo. ¿Cómo pasa el módulo protegido de una posición a su ángulo?",
)
def accumulated_angle(observations):
    if positions_sorted(observations) is not None:
        return None
    positions, errors = ordinary_errors(observations)
    right = [
        np.allclose(seen, np.abs(differences(p)).max(axis=1), rtol=0, atol=CLOSE)
        for p, seen in known_errors(observations)
    ]
    off = errors > 6e-7 * positions + 1e-6
    if (
        not off.any()
        or not all(right)
        or (errors > 2.1).any()
        or not (errors[positions == positions.min()] < 0.1).all()
    ):
        return None
    first = np.flatnonzero(off)[np.argmin(positions[off])]
    return {"position": positions[first], "error": errors[first]}


@mistake(
    "signed-error",
    "float32_error",
    en="Some of your errors are those of the one sign alone. An entry that is too small is as wrong as one that is too "
    "large. What has to be done to a difference before you look for its largest value?",
    es="Algunos de tus errores son solo los de un signo. Un elemento demasiado pequeño está tan mal como uno demasiado "
    "grande. ¿Qué hay que hacer con una diferencia antes de buscar su mayor valor?",
)
def signed_error(observations):
    return {} if measured_as("signed-error", observations) else None


@mistake(
    "angle-error",
    "float32_error",
    en="At d = 2, beyond 2**24, your errors are whole numbers of radians: these are the errors of the angles. The table "
    "holds sines and cosines. How far off are those, and can they be off by more than 2?",
    es="Con d = 2, más allá de 2**24, tus errores son números enteros de radianes: son los errores de los ángulos. La tabla "
    "contiene senos y cosenos. ¿Cuánto se desvían estos, y pueden desviarse más de 2?",
)
def angle_error(observations):
    return {} if measured_as("angle-error", observations) else None


@mistake(
    "relative-error",
    "float32_error",
    en="Your errors are divided by the entries. An entry near 0 then counts as badly off, though it is as exact as its "
    "neighbours. All entries lie between -1 and 1; is there anything to divide by?",
    es="Tus errores están divididos entre los elementos. Así un elemento cercano a 0 parece muy desviado, aunque es tan "
    "exacto como sus vecinos. Todos están entre -1 y 1; ¿hay algo entre lo que dividir?",
)
def relative_error(observations):
    return {} if measured_as("relative-error", observations) else None


@mistake(
    "one-function",
    "float32_error",
    en="At d = 2 your error is that of one of the two columns alone. Where a sine is flat, its cosine is steep. Which "
    "columns does your comparison take in?",
    es="Con d = 2 tu error es solo el de una de las dos columnas. Donde un seno es plano, su coseno tiene mucha pendiente. ¿Qué "
    "columnas entran en tu comparación?",
)
def one_function(observations):
    return {} if measured_as("one-function", observations) else None


@mistake(
    "not-the-largest",
    "float32_error",
    en="Your numbers are a mean, a median, a sum, a norm, a square or the smallest of the differences in a row. The largest one "
    "is asked for: it says what to expect at worst. Which function takes a row to its largest entry?",
    es="Tus números son una media, una mediana, una suma, una norma, un cuadrado o la menor de las diferencias de una fila. Se "
    "pide la mayor: dice qué esperar en el peor caso. ¿Qué función lleva una fila a su mayor elemento?",
)
def not_the_largest(observations):
    return {} if measured_as("not-the-largest", observations) else None


@mistake(
    "wrong-axis",
    "float32_error",
    en="For {n} positions at d = {d} you returned shape {shape:shape}. One error for each position is asked for. Which axis "
    "of a table counts positions, and over which one do you look for the largest?",
    es="Para {n} posiciones con d = {d} devolviste la forma {shape:shape}. Se pide un error por posición. ¿Qué eje de una "
    "tabla cuenta posiciones, y a lo largo de cuál buscas el mayor?",
)
def wrong_axis(observations):
    for seen in observations:
        positions, d = seen.args
        actual, n = numbers_of(seen.actual), len(getattr(positions, "each", ()))
        if actual is not None and n != d and actual.shape in {(d,), (n, d), (d // 2,), (n, d // 2), (1, d)}:
            return {"n": n, "d": d, "shape": actual.shape}


@mistake(
    "wrong-axis/one-number",
    "float32_error",
    en="For {n} positions you returned one number. How the error grows with the position is what the lab looks at, so one "
    "for each is asked for. Over which axis do you look for the largest?",
    es="Para {n} posiciones devolviste un solo número. El laboratorio estudia cómo crece el error con la posición, así que se "
    "pide uno por cada una. ¿A lo largo de qué eje buscas el mayor?",
)
def one_number(observations):
    for seen in observations:
        actual, n = numbers_of(seen.actual), len(getattr(seen.args[0], "each", ()))
        if actual is not None and actual.ndim == 0 and n > 1:
            return {"n": n}
