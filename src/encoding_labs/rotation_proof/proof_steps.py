"""The judge of lab 03's proof: does each step have the form that is asked for, and does it follow from the one before?"""

from __future__ import annotations

from collections.abc import Iterable

from encoding_labs.rotation_proof.identities import NoValue, Unknowns, near
from labkit.calls.formulas import rows_of, symbols_in
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation
from labkit.judging.words import register

STEPS = {  # shape, symbols that may occur, and whether every angle is a single turn or a sum of these two
    1: ((2, 1), {"p", "k", "omega"}, ("p", "k")),
    2: ((2, 1), {"p", "k", "omega"}, "single"),
    3: ((2, 2), {"k", "omega"}, "any"),
    4: ((2, 2), {"j", "k", "omega"}, "single"),
    5: ((2, 2), {"j", "k", "omega"}, ("j", "k")),
    6: ((2, 2), {"k", "omega"}, "any"),
}
TEXTS = {
    "en": {
        "steps": "proof needs a list of {steps} steps; this has {seen}.",
        "matrix": "Step {step} has the shape {seen}; {wanted} is asked for.",
        "no-matrix": "of no matrix",
        "symbols": "Step {step} contains {seen}, and may not: it has to hold whatever that is.",
        "angle": "Step {step} has a sine or cosine of something other than turns by p*omega, k*omega or j*omega. "
        "What are the angles in this proof?",
        "zero": "Step {step} divides by 0.",
        "before": "Step {step} cannot be judged: the step that it follows from has the wrong shape.",
        "single": "Step {step} still has the sine or cosine of a sum. Which identity takes the sum apart?",
        "sum": "Step {step} is to be written with the sines and cosines of a sum, {a} + {b}, and no others.",
        "step-1": "Step 1 is not the pair at position p + k: look at row {row}. What is the angle there, and which of sin "
        "and cos comes first?",
        "step-2": "Step 2 does not follow from step 1: row {row} is not the same number. What does the addition identity "
        "say, sign by sign?",
        "step-3": "Step 3 does not follow: row {row} of your matrix, times the pair at p, is not row {row} of step 2. "
        "Which factors stand before sin(p*omega) and cos(p*omega)?",
        "step-4": "Step 4 does not follow: row {row}, times the pair at p, does not give the pair at p + k + j. Multiply "
        "R(j) by R(k), row by column.",
        "step-5": "Step 5 does not follow from step 4: row {row} is not the same. Which identity do you read backwards?",
        "step-6": "Step 6 does not follow: your matrix, times step 3, is not the identity in row {row}. Which shift takes "
        "a shift by k back?",
    },
    "es": {
        "steps": "proof necesita una lista de {steps} pasos; esta tiene {seen}.",
        "matrix": "El paso {step} tiene la forma {seen}; se pide {wanted}.",
        "no-matrix": "de ninguna matriz",
        "symbols": "El paso {step} contiene {seen}, y no puede: tiene que valer sea cual sea su valor.",
        "angle": "El paso {step} tiene un seno o coseno de algo que no es un giro de p*omega, k*omega o j*omega. "
        "¿Cuáles son los ángulos de esta demostración?",
        "zero": "El paso {step} divide por 0.",
        "before": "El paso {step} no se puede juzgar: el paso del que se sigue tiene otra forma.",
        "single": "El paso {step} aún tiene el seno o coseno de una suma. ¿Qué identidad separa la suma?",
        "sum": "El paso {step} se escribe con los senos y cosenos de una suma, {a} + {b}, y con ningún otro.",
        "step-1": "El paso 1 no es el par en la posición p + k: mira la fila {row}. ¿Cuál es el ángulo, y cuál va "
        "primero, sin o cos?",
        "step-2": "El paso 2 no se sigue del paso 1: la fila {row} no es el mismo número. ¿Qué dice la identidad de la "
        "suma, signo a signo?",
        "step-3": "El paso 3 no se sigue: la fila {row} de tu matriz, por el par en p, no es la fila {row} del paso 2. "
        "¿Qué factores acompañan a sin(p*omega) y a cos(p*omega)?",
        "step-4": "El paso 4 no se sigue: la fila {row}, por el par en p, no da el par en p + k + j. Multiplica R(j) por "
        "R(k), fila por columna.",
        "step-5": "El paso 5 no se sigue del paso 4: la fila {row} no es la misma. ¿Qué identidad se lee al revés?",
        "step-6": "El paso 6 no se sigue: tu matriz, por el paso 3, no es la identidad en la fila {row}. ¿Qué "
        "desplazamiento deshace uno de k?",
    },
}
register(TEXTS, "proof")


def judge_proof(observation: Observation, steps: Iterable[int] = tuple(STEPS)) -> Finding | None:
    """The first of these steps that is not of its form or does not follow; None when all do."""
    proof = observation.actual
    seen = len(proof) - 1 if isinstance(proof, tuple) and proof and proof[0] == "steps" else 1
    if seen != len(STEPS):
        return Finding("steps", {"steps": len(STEPS), "seen": seen})
    return next(filter(None, (check_step(proof, step) for step in steps)), None)


def check_step(proof: tuple, step: int) -> Finding | None:
    """Why a step is not right; None when it is."""
    shape, allowed, angles = STEPS[step]
    rows = rows_of(proof[step])
    seen = (len(rows), len(rows[0])) if rows else None
    if seen != shape:
        return Finding(
            "matrix", {"step": step, "seen": str(seen) if seen else Finding("no-matrix"), "wanted": str(shape)}
        )
    extra = symbols_in(proof[step]) - allowed
    if extra:
        return Finding("symbols", {"step": step, "seen": sorted(extra)})
    unknowns = Unknowns(repr(proof))
    try:
        turns = unknowns.angles(proof[step])
        if angles == "single" and any(len(turn) > 1 for turn in turns):
            return Finding("single", {"step": step})
        if isinstance(angles, tuple) and not (turns and all(set(turn) == set(angles) for turn in turns)):
            return Finding("sum", {"step": step, "a": angles[0], "b": angles[1]})
        left, right = _sides(unknowns, proof, step)
    except NoValue as error:
        return Finding(str(error), {"step": step})
    wrong = [row for row, (a, b) in enumerate(zip(left, right), start=1) if not all(map(near, a, b))]
    return Finding(f"step-{step}", {"row": wrong[0]}) if wrong else None


def _sides(unknowns: Unknowns, proof: tuple, step: int) -> tuple[list, list]:
    """The rows that have to be equal, as values in the unknowns: what the step gives, and what it follows from."""

    def pair(**turns: int) -> list:
        return [[number] for number in unknowns.pair(**turns)]

    this = _values(unknowns, proof, step)
    match step:
        case 1:
            return this, pair(p=1, k=1)
        case 3:
            return _times(this, pair(p=1)), _values(unknowns, proof, 2)
        case 4:
            return _times(this, pair(p=1)), pair(p=1, k=1, j=1)
        case 6:
            return _times(this, _values(unknowns, proof, 3)), [[1, 0], [0, 1]]
    return this, _values(unknowns, proof, step - 1)


def _values(unknowns: Unknowns, proof: tuple, step: int) -> list[list[float]]:
    rows = rows_of(proof[step])
    if not rows or (len(rows), len(rows[0])) != STEPS[step][0]:
        raise NoValue("before")
    return [[unknowns.value(entry) for entry in row] for row in rows]


def _times(a: list[list[float]], b: list[list[float]]) -> list[list[float]]:
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def lands_at(proof: tuple, step: int, **turns: int) -> bool:
    """Whether the matrix of a step takes the pair at p to the pair whose angle is the sum of these turns."""
    unknowns = Unknowns(repr(proof))
    try:
        here, there = ([[x] for x in unknowns.pair(**angle)] for angle in ({"p": 1}, turns))
        got = _times(_values(unknowns, proof, step), here)
        return all(near(x, y) for (x,), (y,) in zip(got, there))
    except NoValue:
        return False
