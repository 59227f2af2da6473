"""Lab 04, dot-product decay: what is asked."""

import math
from numbers import Real

import numpy as np

from encoding_labs.tables import Table
from labkit.course import Arange, Exercise, Lab, Probe, Tolerance
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, call_text
from labkit.judging.words import register

TEXTS = {
    "en": {
        "one_number": "{call} should return one number, and it has to be finite.",
        "no_rounding": "{call} returned {seen:.2g}. Rounding in {dtype} leaves more than that. Which dtype do the table "
        "and the product really have, and is it the product's entries that you compare?",
        "too_large": "{call} returned {seen:.2g}. In {dtype} the entries of a diagonal lie closer together. Which dtype do "
        "the table and the product really have? Do you compare entries of one diagonal with each other?",
        "two_offsets": "{call} should return two whole numbers: the first local minimum and the first offset where the sum "
        "is not positive.",
        "order": "{call} has its two landmarks in the other order: the first local minimum is asked for first.",
        "minimum": "{call}: the first local minimum is not at {seen}. Print the sum just before that offset, at it and "
        "just after it. Is there an earlier offset that is lower than both its neighbours?",
        "crossing": "{call}: {seen} is not the first offset where the sum is not positive. What is the sum there, and one "
        "offset earlier?",
    },
    "es": {
        "one_number": "{call} debe devolver un solo número, y finito.",
        "no_rounding": "{call} devolvió {seen:.2g}. El redondeo en {dtype} deja más que eso. ¿Qué dtype tienen de verdad "
        "la tabla y el producto, y son los elementos del producto los que comparas?",
        "too_large": "{call} devolvió {seen:.2g}. En {dtype} los elementos de una diagonal están más cerca entre sí. ¿Qué "
        "dtype tienen de verdad la tabla y el producto? ¿Comparas entre sí elementos de una misma diagonal?",
        "two_offsets": "{call} debe devolver dos enteros: el primer mínimo local y el primer desplazamiento en que la suma "
        "no es positiva.",
        "order": "{call} da los dos puntos en el otro orden: primero se pide el primer mínimo local.",
        "minimum": "{call}: el primer mínimo local no está en {seen}. Imprime la suma justo antes de ese desplazamiento, "
        "en él y justo después. ¿Hay uno anterior que sea menor que sus dos vecinos?",
        "crossing": "{call}: {seen} no es el primer desplazamiento en que la suma no es positiva. ¿Cuánto vale la suma "
        "ahí, y un desplazamiento antes?",
    },
}
register(TEXTS, "offset_only", "landmarks")


def judge_spread(observation: Observation) -> Finding | None:
    """Rounding differs between machines, so `expected` holds the smallest and the largest spread that it can explain."""
    call, seen = call_text(observation), single_number(observation.actual)
    if seen is None:
        return Finding("one_number", {"call": call})
    smallest, largest = observation.expected
    if smallest <= seen <= largest:
        return None
    kind = "no_rounding" if seen < smallest else "too_large"
    return Finding(kind, {"call": call, "seen": seen, "dtype": observation.args[-1]})


def judge_landmarks(observation: Observation) -> Finding | None:
    """Two offsets, each right or wrong by itself; which is right is not told."""
    call, pair = call_text(observation), pair_of(observation.actual)
    if pair is None:
        return Finding("two_offsets", {"call": call})
    if in_the_other_order(pair, observation.expected):
        return Finding("order", {"call": call})
    right = pair_of(observation.expected)
    wrong = [which for which, one, other in zip(("minimum", "crossing"), pair, right) if one != other]
    if not wrong:
        return None
    seen = pair[("minimum", "crossing").index(wrong[0])]
    return Finding(wrong[0], {"call": call, "seen": seen})


def in_the_other_order(pair: tuple[object, object], right: object) -> bool:
    return pair == pair_of(right)[::-1]


def single_number(value: object) -> float | None:
    """A finite real number, from Python's or NumPy's kinds of number; None for anything else."""
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf":
        value = value[()]
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value) else None


def pair_of(value: object) -> tuple[object, object] | None:
    """The two items of a list, tuple or array; whole numbers as int, arrays as lists, and whatever else as it is."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    numbers = map(single_number, value)
    value = [item.tolist() if isinstance(item, np.ndarray) else item for item in value]
    return tuple(item if number is None or number % 1 else int(number) for item, number in zip(value, numbers))


# The locked table is float32 and differs a little between machines: its products err by 2e-6 at (64, 32).
SIMILARITY = Exercise(
    name="similarity",
    probes=(Probe((Table(64, 32), 0)), Probe((Table(64, 32), 5)), Probe((Table(40, 12), 17))),
    tolerance=Tolerance(absolute=1e-4, per_position=0),
)

# Angles in float32 cost 2e-6 at 64 offsets and d = 32, 4e-5 at 300 offsets and d = 128.
CLOSED_FORM = Exercise(
    name="closed_form",
    probes=(Probe((Arange(0, 64), 32)), Probe((Arange(-10, 11), 16)), Probe((Arange(0, 1), 6))),
    tolerance=Tolerance(absolute=1e-4, per_position=0),
)

OFFSET_ONLY = Exercise(
    name="offset_only",
    probes=(
        Probe((64, 32, "float64")),
        Probe((64, 32, "float32")),
        Probe((200, 16, "float64")),
        Probe((200, 16, "float32")),
    ),
    judge=judge_spread,
)

LANDMARKS = Exercise(name="landmarks", probes=(Probe((32,)), Probe((128,)), Probe((512,))), judge=judge_landmarks)

IS_IT_MONOTONE = Exercise(name="is_it_monotone", points=2, kind="written")

LAB = Lab(name="04_dot_product_decay", exercises=(SIMILARITY, CLOSED_FORM, OFFSET_ONLY, LANDMARKS, IS_IT_MONOTONE))
