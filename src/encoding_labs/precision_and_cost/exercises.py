"""Lab 07, precision and cost: what is asked, and how what depends on the machine is judged.

The float32 formula errs a little differently on every machine, since their float32 powers do, so its errors are held between
bounds that hold on all of them. At d = 2 the one frequency is 1 on every machine. There angles are exact up to 2**24, and beyond it
the float32 position is all that is off, so that the error is known to the last digit.
"""

from numbers import Real

import numpy as np

from encoding_labs.precision_and_cost import made_up
from encoding_labs.precision_and_cost.arguments import Positions, Timings, turning
from labkit.judging.compare import kind_of
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, call_text
from labkit.judging.words import register
from labkit.model.course import Exercise, Lab, Probe, Tolerance

EXACT_UP_TO = 2**24  # float32 holds every whole number up to here
ROUNDED = 1e-9  # at d = 2 some of many errors exceed this, in any float32: entries are rounded to 6e-8 and less

TEXTS = {
    "en": {
        "one_each": "{call} should return one error for each position, an array of shape ({n},); it returned {seen}.",
        "small": "{call}: the error at index {index} is smaller than float32 allows. Print the dtype of positions, "
        "frequencies and angles in each of your two tables: all three are to be float32 in the one, and float64 in the other. "
        "And do you compare every column?",
        "large": "{call}: the error at index {index} is larger than rounding explains. Is the angle rounded once, or again "
        "and again? Which of the two tables is the exact one?",
        "speeds": "{call}: the error at index {index} is larger than rounding explains. At d = 4 there are two frequencies, "
        "and 1 is one of them. Print the other, in both of your tables.",
        "exact": "{call}: all errors are 0. The angles are exact there, but their sines and cosines are not. Which dtype "
        "do those of your float32 table have, and do you round your errors?",
        "one_position": "{call} should return one position, a whole number; it returned {seen}.",
        "early": "{call} returned {seen}, and the formula is better than that: no entry is off so far yet. What does your "
        "float32_error say at that position? If it is small, look at your search: is an index within a block a position? If "
        "it is large, look at float32_error: is it an entry's error, not one relative to it?",
        "late": "{call} returned {seen}, and an entry is off by more than that long before. Does your search look at "
        "every position, and at every column?",
        "not_there": "{call} returned {seen}. What does your float32_error say at that position, at the one before it, and "
        "at the one after it?",
        "row_0": "{call} returned 0, and row 0 is exact. It can be the start of a block, the last position that is good, or "
        "the argmax of a search that found nothing. Which one do you return?",
        "far_out": "{call} returned 2**24 + 1, where an angle is off for the first time. But entries are rounded as well, and "
        "by more than {tolerance:g} from row 1 on. Do you compare your float32_error itself, with the tolerance that is passed in "
        "and with nothing added to it?",
        "own-within": "By your own float32_error the row that {call} returns is still within the tolerance. Does your search "
        "use the tolerance and the d that are passed in?",
        "any-within": "The row that {call} returns is still within the tolerance. Does your search use the tolerance and the d "
        "that are passed in?",
        "any-passed-over": "A row before the one that {call} returns is already off by more than the tolerance. Does your "
        "search look at every position, also where one block ends and the next begins?",
        "own-passed-over": "By your own float32_error a row before the one that {call} returns is already off by more than "
        "the tolerance. Does your search look at every position, also where one block ends and the next begins, and does it "
        "use the d and the tolerance that are passed in?",
        "made-up": "We called your search with made-up errors in place of your float32_error, and it did not return the first "
        "position below 200,000 whose error is over the tolerance. Does it look at every position, also where one block ends "
        "and the next begins, and far enough?",
        "two_exponents": "{call} should return two numbers: the exponent in T, then the exponent in d.",
        "exponents": "{call}: the exponent in {which} is off by more than 0.05. On logarithmic axes a power is a straight "
        "line. Is your line fitted to warm times alone, and to both sizes at once?",
    },
    "es": {
        "one_each": "{call} debe devolver un error por posición, un array de forma ({n},); devolvió {seen}.",
        "small": "{call}: el error en el índice {index} es menor de lo que permite float32. Imprime el dtype de las posiciones, "
        "las frecuencias y los ángulos en cada una de tus dos tablas: los tres deben ser float32 en una y float64 en la otra. "
        "¿Y comparas todas las columnas?",
        "large": "{call}: el error en el índice {index} es mayor de lo que explica el redondeo. ¿Se redondea el ángulo una "
        "vez, o una y otra vez? ¿Cuál de las dos tablas es la exacta?",
        "speeds": "{call}: el error en el índice {index} es mayor de lo que explica el redondeo. Con d = 4 hay dos "
        "frecuencias, y una es 1. Imprime la otra, en tus dos tablas.",
        "exact": "{call}: todos los errores son 0. Ahí los ángulos son exactos, pero sus senos y cosenos no. ¿Qué dtype "
        "tienen los de tu tabla float32? ¿Redondeas los errores?",
        "one_position": "{call} debe devolver una posición, un número entero; devolvió {seen}.",
        "early": "{call} devolvió {seen}, y la fórmula es mejor que eso: hasta ahí ningún elemento se desvía tanto. ¿Qué "
        "dice tu float32_error en esa posición? Si es poco, revisa la búsqueda: ¿es una posición el índice dentro de un "
        "bloque? Si es mucho, revisa float32_error: ¿da el error de un elemento, no uno relativo a él?",
        "late": "{call} devolvió {seen}, y mucho antes hay un elemento que se desvía más que eso. ¿Mira tu búsqueda todas "
        "las posiciones, y todas las columnas?",
        "not_there": "{call} devolvió {seen}. ¿Qué dice tu float32_error en esa posición, en la anterior y en la "
        "siguiente?",
        "row_0": "{call} devolvió 0, y la fila 0 es exacta. Puede ser el comienzo de un bloque, la última posición buena o el "
        "argmax de una búsqueda que no encontró nada. ¿Cuál de ellas devuelves?",
        "far_out": "{call} devolvió 2**24 + 1, donde por primera vez se desvía un ángulo. Pero también los elementos se "
        "redondean, y desde la fila 1 en más de {tolerance:g}. ¿Comparas tu propio float32_error, con la tolerancia que se "
        "recibe y sin sumarle nada?",
        "own-within": "Según tu propio float32_error, la fila que devuelve {call} aún está dentro de la tolerancia. ¿Usa tu "
        "búsqueda la tolerancia y el d que recibe?",
        "any-within": "La fila que devuelve {call} aún está dentro de la tolerancia. ¿Usa tu búsqueda la tolerancia y el d que "
        "recibe?",
        "any-passed-over": "Una fila anterior a la que devuelve {call} ya se desvía más que la tolerancia. ¿Mira tu búsqueda "
        "todas las posiciones, también donde acaba un bloque y empieza el siguiente?",
        "own-passed-over": "Según tu propio float32_error, una fila anterior a la que devuelve {call} ya se desvía más que la "
        "tolerancia. ¿Mira tu búsqueda todas las posiciones, también donde acaba un bloque y empieza el siguiente, y usa el d "
        "y la tolerancia que recibe?",
        "made-up": "Llamamos a tu búsqueda con errores inventados en lugar de tu float32_error, y no devolvió la primera posición "
        "menor que 200 000 cuyo error supera la tolerancia. ¿Mira todas las posiciones, también donde acaba un bloque y "
        "empieza el siguiente, y llega lo bastante lejos?",
        "two_exponents": "{call} debe devolver dos números: el exponente en T y después el exponente en d.",
        "exponents": "{call}: el exponente en {which} se desvía más de 0,05. En ejes logarítmicos una potencia es una "
        "recta. ¿Ajustas la recta solo a tiempos en caliente, y a los dos tamaños a la vez?",
    },
}
register(TEXTS, "float32_error", "first_bad_position", "cost")


def reals_of(value: object) -> np.ndarray | None:
    """Real numbers, in an array or in (nested) lists and tuples, as float64; None for anything else."""
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    usable = isinstance(value, (np.ndarray, np.generic, list, tuple, Real)) and array.dtype.kind in "iuf"
    return array.astype(np.float64) if usable else None


def numbers_of(value: object) -> np.ndarray | None:
    """The same, if all are finite."""
    array = reals_of(value)
    return array if array is not None and np.isfinite(array).all() else None


def kind_seen(value: object) -> Finding:
    """What came back in place of what was asked for: a shape where there is one."""
    array = reals_of(value)
    if array is None:
        return kind_of(value)
    return Finding("array", {"shape": str(array.shape)}) if array.ndim else Finding("one-number")


def judge_errors(observation: Observation) -> Finding | None:
    """`expected` holds the least and the largest error that any machine's float32 can have, a column for each position."""
    call, seen = call_text(observation), reals_of(observation.actual)
    least, largest = observation.expected
    if seen is None or seen.shape != least.shape:
        return Finding("one_each", {"call": call, "n": least.size, "seen": kind_seen(observation.actual)})
    if not np.isfinite(seen).all():
        index = int(np.argmin(np.isfinite(seen)))
        return Finding(
            "finite", {"call": call, "seen": str(seen[index]), "where": Finding("at-index", {"index": index})}
        )
    positions, d = observation.args
    if d == 2 and max(positions.each) <= EXACT_UP_TO and not (seen > ROUNDED).any():
        return Finding("exact", {"call": call})
    small, large = seen < least, seen > largest
    if not (small | large).any():
        return None
    index = int(np.argmax(small | large))
    kind = "small" if small[index] else "speeds" if d == 4 else "large"
    return Finding(kind, {"call": call, "index": index})


def judge_position(observation: Observation) -> Finding | None:
    """`expected` holds the first and the last position that can be right: at d = 2 they are the same."""
    if observation.expected is None:  # where a rule of the autograder alone has something to say
        return None
    call, seen = call_text(observation), numbers_of(observation.actual)
    if seen is None or seen.ndim or seen % 1:
        return Finding("one_position", {"call": call, "seen": kind_seen(observation.actual)})
    first, last = observation.expected
    if first <= seen <= last:
        return None
    kind = "not_there" if first == last else "early" if seen < first else "late"
    if seen == 0:
        kind = "row_0"
    elif first == last and seen == EXACT_UP_TO + 1:
        kind = "far_out"
    facts = {"call": call, "seen": int(seen) if observation.public else "…", "tolerance": observation.args[1]}
    return Finding(kind, facts)


def judge_exponents(observation: Observation) -> Finding | None:
    """Two exponents, each right within 0.05: the rows are off by half a percent at most."""
    call, seen = call_text(observation), numbers_of(observation.actual)
    if seen is None or seen.shape != (2,):
        return Finding("two_exponents", {"call": call})
    wrong = np.abs(seen - observation.expected) > 0.05
    return Finding("exponents", {"call": call, "which": "Td"[int(np.argmax(wrong))]}) if wrong.any() else None


FLOAT32_ERROR = Exercise(
    name="float32_error",
    probes=(
        Probe((Positions((0, 1, 100, 1_000, 10_000, 100_000, 1_000_000)), 32)),
        # Here every float32 frequency errs by more than rounding an exact angle once does.
        Probe((Positions((312_062, 1_239, 325_550, 4_000_000, 20_351)), 128)),
        Probe((Positions(tuple(EXACT_UP_TO + step for step in (-1, 0, 1, 2, 3, 5, 7, 9))), 2)),
        Probe((Positions(tuple(range(1, 65))), 2)),
        Probe((Positions((147_586, 152_346, 297_197, 301_957, 594_284, 602_929, 1_180_478, 2_363_786)), 4)),
    ),
    judge=judge_errors,
)

FIRST_BAD_POSITION = Exercise(
    name="first_bad_position",
    kind=made_up.KIND,
    probes=(Probe((32, 1e-3)), Probe((128, 5e-5)), Probe((2, 1e-9))),
    judge=judge_position,
)

# A product in complex64 is off by 2e-7 at most; a turn whose angle is float32 by 1.8e-5 at n = 700.
DOUBLE = Exercise(
    name="double",
    probes=(
        Probe(turning(5, 3, 0.97, 500.0, 1)),
        Probe(turning(1, 2, 0.83, 20.0, 2)),
        Probe(turning(8, 4, 1.13, 3_000.0, 3)),
        Probe(turning(5, 3, 0.97, 500.0, 1), twice=True),
        Probe(turning(700, 6, 0.91, 40_000.0, 4)),
    ),
    tolerance=Tolerance(absolute=1e-6, per_position=0),
    dtype="float32",
)

COST = Exercise(
    name="cost",
    probes=(Probe((Timings(1.0, 1.0, 1),)), Probe((Timings(2.0, 1.0, 2),)), Probe((Timings(1.0, 0.5, 3),))),
    judge=judge_exponents,
)

HOW_FAR = Exercise(name="how_far", points=2, kind="written")

LAB = Lab(name="07_precision_and_cost", exercises=(FLOAT32_ERROR, FIRST_BAD_POSITION, DOUBLE, COST, HOW_FAR))
