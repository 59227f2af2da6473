"""The mistakes of lab 07 in errors, positions and exponents; `wrong_tables.py` has those in tables.

At d = 2 the frequency is 1, and from 2**24 on the float32 position alone is off. So the error is known there to the last
digit, and so is what each wrong measure of it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.precision_and_cost import wrong_tables  # noqa: F401  its mistakes are entered too
from encoding_labs.precision_and_cost.arguments import Positions
from encoding_labs.precision_and_cost.exercises import EXACT_UP_TO, numbers_of
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, judge

CLOSE = 1e-5  # of errors between 0.1 and 2


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
    if errors.size < 3 or not all((np.abs(seen) < 1e-6).all() for seen in (errors, *beyond)):
        return None
    return {"largest": float(np.abs(np.concatenate([errors, *beyond])).max())}


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
    return {} if unseen and not (errors.size and (np.abs(errors) < 1e-6).all()) else None


@mistake(
    "accumulated-angle",
    "float32_error",
    en="At position {position:,.0f} your error is {error:.2g}, more than rounding once can do. Repeated adding or "
    "multiplying repeats rounding. How does the locked module get from a position to its angle?",
    es="En la posición {position:,.0f} tu error es {error:.2g}, más de lo que puede un solo redondeo. Sumar o multiplicar "
    "repetidamente repite el redondeo. ¿Cómo pasa el módulo bloqueado de una posición a su ángulo?",
)
def accumulated_angle(observations):
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
    es="Con d = 2 tu error es solo el de una de las dos columnas. Donde un seno es plano, su coseno es empinado. ¿Qué "
    "columnas entran en tu comparación?",
)
def one_function(observations):
    return {} if measured_as("one-function", observations) else None


@mistake(
    "not-the-largest",
    "float32_error",
    en="Your numbers are a mean, a sum, a norm or a square of the differences in a row. The largest one is asked for: it "
    "says what to expect at worst. Which function takes a row to its largest entry?",
    es="Tus números son una media, una suma, una norma o un cuadrado de las diferencias de una fila. Se pide la mayor: dice "
    "qué esperar en el peor caso. ¿Qué función lleva una fila a su mayor elemento?",
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
    es="Para {n} posiciones devolviste un solo número. El laboratorio mira cómo crece el error con la posición, así que se "
    "pide uno por cada una. ¿A lo largo de qué eje buscas el mayor?",
)
def one_number(observations):
    for seen in observations:
        actual, n = numbers_of(seen.actual), len(getattr(seen.args[0], "each", ()))
        if actual is not None and actual.ndim == 0 and n > 1:
            return {"n": n}


def known_positions(observations: Sequence[Observation]) -> Iterator[float]:
    """What came back at d = 2, where position 1 is right and row 0 exact: its angles are exact, its entries rounded."""
    for seen in observations:
        actual = numbers_of(seen.actual)
        if seen.args[0] == 2 and actual is not None and actual.ndim == 0 and seen.expected is not None:
            yield float(actual)


@mistake(
    "off-by-one",
    "first_bad_position",
    en="At d = 2 you are one position away. The first one that is off is asked for, counted from 0. What does the index "
    "that you found count from, and is it that of the last good position?",
    es="Con d = 2 estás a una posición. Se pide la primera que se desvía, contando desde 0. ¿Desde dónde cuenta el índice "
    "que hallaste, y es el de la última posición buena?",
)
def off_by_one(observations):
    found = list(known_positions(observations))
    return {} if found and all(seen in (0, 2) for seen in found) and right_elsewhere(observations) else None


def right_elsewhere(observations: Sequence[Observation]) -> bool:
    """Whether nothing is wrong with the other calls, where a range of positions can be right."""
    return all(judge(seen) is None for seen in observations if seen.args[0] != 2)


@mistake(
    "angle-error",
    "first_bad_position",
    en="At d = 2 you stop at 2**24 + 1, where an angle is off for the first time. An entry is its sine or cosine, and is "
    "rounded itself. Is it your float32_error that you compare with the tolerance?",
    es="Con d = 2 te detienes en 2**24 + 1, donde se desvía por primera vez un ángulo. Un elemento es su seno o su coseno, y "
    "se redondea él mismo. ¿Es tu float32_error lo que comparas con la tolerancia?",
)
def angle_tolerance(observations):
    found = list(known_positions(observations))
    return {} if found and all(seen == EXACT_UP_TO + 1 for seen in found) and right_elsewhere(observations) else None


@mistake(
    "not-the-first",
    "first_bad_position",
    en="At d = 2 you say {seen:,.0f}, and an entry is off by more than the tolerance long before. From row to row the error "
    "goes up and down, so one good position says nothing of those before it. Does your search step over some?",
    es="Con d = 2 dices {seen:,.0f}, y mucho antes hay un elemento que se desvía más que la tolerancia. De fila en fila el "
    "error sube y baja, así que una posición buena no dice nada de las anteriores. ¿Se salta algunas tu búsqueda?",
)
def not_the_first(observations):
    found = list(known_positions(observations))
    return {"seen": found[0]} if found and all(2 < seen < EXACT_UP_TO and not seen % 1 for seen in found) else None


@mistake(
    "nothing-found",
    "first_bad_position",
    en="You say {seen}, where nothing can be off yet. An argmax over answers that are all False is 0 as well. Does your "
    "search go far enough, and does it look whether it found anything?",
    es="Dices {seen}, donde aún nada puede desviarse. Un argmax sobre respuestas que son todas False también es 0. ¿Llega "
    "tu búsqueda lo bastante lejos, y mira si halló algo?",
)
def nothing_found(observations):
    for seen in observations:
        actual = numbers_of(seen.actual)
        nothing = actual is not None and actual.ndim == 0 and (actual == -1 or actual == 0 and seen.args[0] != 2)
        if seen.actual is None or nothing:
            return {"seen": "None" if seen.actual is None else int(actual)}


def fits(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Exponents that a wrong fit finds in rows of T, d and seconds."""
    T, d, seconds = rows.T
    sizes, which = np.unique(rows[:, :2], axis=0, return_inverse=True)
    of_size = [seconds[which.ravel() == number] for number in range(len(sizes))]
    warm = np.array([np.median(each) for each in of_size])
    cold = {
        "every row": (rows[:, :2], seconds),
        "means": (sizes, np.array([each.mean() for each in of_size])),
        "largest": (sizes, np.array([each.max() for each in of_size])),
        "first": (sizes, np.array([each[0] for each in of_size])),
    }
    found = {f"cold-call/{name}": _slopes(np.log(at), np.log(times)) for name, (at, times) in cold.items()}
    found["exponents-exchanged"] = _slopes(np.log(sizes), np.log(warm))[::-1]
    found["no-logarithm/neither"] = _slopes(sizes, warm)
    found["no-logarithm/of the seconds"] = _slopes(np.log(sizes), warm)
    found["no-logarithm/of the sizes"] = _slopes(sizes, np.log(warm))
    found["no-constant/"] = np.linalg.lstsq(np.log(sizes), np.log(warm))[0]
    return found


def _slopes(at: np.ndarray, heights: np.ndarray) -> np.ndarray:
    design = np.column_stack([np.ones(len(at)), at])
    return np.linalg.lstsq(design, heights)[0][1:]


def explained(kind: str, observations: Sequence[Observation]) -> dict | None:
    """The first wrong answer's numbers, if one wrong fit of this kind explains all of those answers."""
    answers = [(seen.args[0].build(), numbers_of(seen.actual), seen.expected) for seen in observations]
    if any(actual is None or actual.shape != (2,) for _, actual, _ in answers):
        return None
    off = [(rows, actual) for rows, actual, right in answers if (np.abs(actual - right) > 0.05).any()]
    tried = [{name: fit for name, fit in fits(rows).items() if name.startswith(kind)} for rows, _ in off]
    for name in tried[0] if tried else ():
        if all(np.allclose(actual, each[name], rtol=2e-2, atol=1e-12) for (_, actual), each in zip(off, tried)):
            return {"in_T": float(off[0][1][0]), "in_d": float(off[0][1][1])}
    return None


@mistake(
    "cold-call",
    "cost",
    en="Your exponents are {in_T:.2f} and {in_d:.2f}: the first, cold call of each size is among what you fitted. It pays "
    "for what happens once, and that weighs most on the small sizes. Which number sums up five rounds without it?",
    es="Tus exponentes son {in_T:.2f} y {in_d:.2f}: entre lo que ajustaste está la primera llamada de cada tamaño, en frío. "
    "Paga lo que ocurre una sola vez, y eso pesa más en los tamaños pequeños. ¿Qué número resume cinco rondas sin ella?",
)
def cold_call(observations):
    return explained("cold-call", observations)


@mistake(
    "exponents-exchanged",
    "cost",
    en="Your two exponents are in the other order: {in_T:.2f} comes first. The one in T is asked for first. Which column of "
    "the rows holds T?",
    es="Tus dos exponentes están en el otro orden: {in_T:.2f} va primero. Se pide primero el de T. ¿Qué columna de las filas "
    "contiene T?",
)
def exponents_exchanged(observations):
    return explained("exponents-exchanged", observations)


@mistake(
    "no-logarithm",
    "cost",
    en="You have {in_T:.3g} and {in_d:.3g}: the slopes of a line through numbers that are not all logarithms. On which axes "
    "is a power a straight line with the exponent for its slope?",
    es="Tienes {in_T:.3g} y {in_d:.3g}: las pendientes de una recta por números que no son todos logaritmos. ¿En qué ejes "
    "es una potencia una recta cuya pendiente es el exponente?",
)
def no_logarithm(observations):
    return explained("no-logarithm", observations)


@mistake(
    "no-constant",
    "cost",
    en="You have {in_T:.2f} and {in_d:.2f}: the line was made to pass through 1 second at T = 1 and d = 1. What does one "
    "entry cost, and where does that number stand in your fit?",
    es="Tienes {in_T:.2f} y {in_d:.2f}: se obligó a la recta a pasar por 1 segundo en T = 1 y d = 1. ¿Cuánto cuesta un "
    "elemento, y dónde está ese número en tu ajuste?",
)
def no_constant(observations):
    return explained("no-constant", observations)
