"""The judge of lab 03's proof: is each step of the form that is asked for, and is it the right one?

Steps are judged apart. One that follows rightly from a step before it that is upside down, or turned the other way, is right.
"""

from __future__ import annotations

from encoding_labs.rotation_proof.formulas import nodes, rows_of, symbols_in
from encoding_labs.rotation_proof.identities import NoValue, Unknowns, near
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation
from labkit.judging.words import register

STEPS = {  # shape, symbols that may occur, and whether every angle is a single turn or a sum of these two
    1: ((2, 1), {"p", "a", "omega"}, ("p", "a")),
    2: ((2, 1), {"p", "a", "omega"}, "single"),
    3: ((2, 2), {"a", "omega"}, "any"),
    4: ((2, 2), {"b", "a", "omega"}, "single"),
    5: ((2, 2), {"b", "a", "omega"}, ("b", "a")),
    6: ((2, 2), {"a", "omega"}, "any"),
}
TEXTS = {
    "en": {
        "steps": "proof needs a list of {steps} steps; this has {seen}.",
        "no-list": "proof needs a list of {steps} steps; this is {seen}.",
        "one-formula": "a single formula or matrix",
        "right-steps": "Right: {right}. {first}",
        "no-step": "Step {step} is missing.",
        "other": "Step {step}: {seen}.",
        "other-nothing": "None (is it still to be written?)",
        "other-symbol": "a symbol that was not handed in, {name}",
        "other-function": "{name}; use +, *, whole powers, sin, cos, tan, exp, I and Matrix",
        "other-number": "the decimal number {name}; SymPy's Rational(1, 2) is exact, and a proof has to be",
        "other-infinite": "a division by 0",
        "other-nested": "a matrix inside of a matrix",
        "other-type": "something of type {name}; a formula or a matrix is asked for",
        "matrix": "Step {step} has the shape {seen}; {wanted} is asked for.",
        "no-matrix": "of no matrix",
        "symbols": "Step {step} contains {seen}, and may not: it has to hold whatever that is.",
        "angle": "Step {step} has a sine or cosine of something other than turns by p*omega, a*omega or b*omega. "
        "What are the angles in this proof?",
        "zero": "Step {step} divides by something that is 0 for every p, a, b and omega.",
        "single": "Step {step} still has the sine or cosine of a sum. Which identity takes the sum apart?",
        "sum": "Step {step} is to be written with the sines and cosines of a sum, {a} + {b}, and no others.",
        "step-1": "Step 1 is not the pair at position p + a: look at row {row}. What is the angle there, and which of sin "
        "and cos comes first?",
        "step-2": "Step 2 does not follow from step 1: row {row} is not the same number. What does the addition identity "
        "say, sign by sign?",
        "step-3": "Step 3 does not follow: row {row} of your matrix, times the pair at p, is not row {row} of the pair at "
        "p + a. What are the coefficients of sin(p*omega) and cos(p*omega)?",
        "step-4": "Step 4 does not follow: row {row}, times the pair at p, does not give the pair at p + a + b. Multiply "
        "R(b) by R(a), row by column.",
        "step-5": "Step 5 does not follow from step 4: row {row} is not the same. Which identity do you read backwards?",
        "step-6": "Step 6 does not follow: your matrix, times R(a), is not the identity; look at row {row}. Which shift "
        "takes a shift by a back?",
    },
    "es": {
        "steps": "proof necesita una lista de {steps} pasos; esta tiene {seen}.",
        "no-list": "proof necesita una lista de {steps} pasos; esto es {seen}.",
        "one-formula": "una sola fórmula o matriz",
        "right-steps": "Correctos: {right}. {first}",
        "no-step": "Falta el paso {step}.",
        "other": "Paso {step}: {seen}.",
        "other-nothing": "None (¿está aún por escribir?)",
        "other-symbol": "un símbolo que proof no recibió, {name}",
        "other-function": "{name}; usa +, *, potencias enteras, sin, cos, tan, exp, I y Matrix",
        "other-number": "el número decimal {name}; Rational(1, 2) de SymPy es exacto, y una demostración debe serlo",
        "other-infinite": "una división por 0",
        "other-nested": "una matriz dentro de otra",
        "other-type": "algo de tipo {name}; se pide una fórmula o una matriz",
        "matrix": "El paso {step} tiene la forma {seen}; se pide {wanted}.",
        "no-matrix": "de ninguna matriz",
        "symbols": "El paso {step} contiene {seen}, y no puede: tiene que valer sea cual sea su valor.",
        "angle": "El paso {step} tiene un seno o coseno de algo que no es un giro de p*omega, a*omega o b*omega. "
        "¿Cuáles son los ángulos de esta demostración?",
        "zero": "El paso {step} divide por algo que es 0 para todo p, a, b y omega.",
        "single": "El paso {step} aún tiene el seno o coseno de una suma. ¿Qué identidad separa la suma?",
        "sum": "El paso {step} se escribe con los senos y cosenos de una suma, {a} + {b}, y con ningún otro.",
        "step-1": "El paso 1 no es el par en la posición p + a: mira la fila {row}. ¿Cuál es el ángulo, y cuál va "
        "primero, sin o cos?",
        "step-2": "El paso 2 no se sigue del paso 1: la fila {row} no es el mismo número. ¿Qué dice la identidad de la "
        "suma, signo a signo?",
        "step-3": "El paso 3 no se sigue: la fila {row} de tu matriz, por el par en p, no es la fila {row} del par en "
        "p + a. ¿Cuáles son los coeficientes de sin(p*omega) y cos(p*omega)?",
        "step-4": "El paso 4 no se sigue: la fila {row}, por el par en p, no da el par en p + a + b. Multiplica R(b) por "
        "R(a), fila por columna.",
        "step-5": "El paso 5 no se sigue del paso 4: la fila {row} no es la misma. ¿Qué identidad se lee al revés?",
        "step-6": "El paso 6 no se sigue: tu matriz, por R(a), no es la identidad; mira la fila {row}. ¿Qué "
        "desplazamiento deshace uno de a?",
    },
}
register(TEXTS, "proof")

Rows = list[list[complex]]


def judge_proof(observation: Observation) -> Finding | None:
    """The first step that is not right, and which ones are; None when all are."""
    proof = observation.actual
    if odd := _no_list(proof):
        return odd
    found = {step: check_step(proof, step) for step in STEPS}
    wrong, right = [each for each in found.values() if each], [step for step, each in found.items() if not each]
    return Finding("right-steps", {"right": right, "first": wrong[0]}) if wrong and right else next(iter(wrong), None)


def judge_step(observation: Observation, step: int) -> Finding | None:
    """The same for one step of the proof alone."""
    return _no_list(observation.actual) or check_step(observation.actual, step)


def _no_list(proof: tuple) -> Finding | None:
    if proof[0] == "steps":
        return None
    seen = _other(proof) if proof[0] == "other" else Finding("one-formula")
    return Finding("no-list", {"steps": len(STEPS), "seen": seen})


def _other(node: tuple) -> Finding:
    _, kind, name = node
    return Finding(f"other-{kind}", {"name": name})


def check_step(proof: tuple, step: int) -> Finding | None:
    """Why a step is not right; None when it is."""
    if step >= len(proof):
        return Finding("no-step", {"step": step})
    if step == len(STEPS) and len(proof) - 1 > len(STEPS):
        return Finding("steps", {"steps": len(STEPS), "seen": len(proof) - 1})
    other = next((node for node in nodes(proof[step]) if node[0] == "other"), None)
    if other:
        return Finding("other", {"step": step, "seen": _other(other)})
    unknowns = Unknowns(repr(proof))
    try:
        return _check_form(unknowns, proof, step) or _check_values(unknowns, proof, step)
    except NoValue as error:
        return Finding(str(error), {"step": step})


def _check_form(unknowns: Unknowns, proof: tuple, step: int) -> Finding | None:
    shape, allowed, angles = STEPS[step]
    seen = _shape(proof[step])
    if seen != shape:
        return Finding(
            "matrix", {"step": step, "seen": str(seen) if seen else Finding("no-matrix"), "wanted": str(shape)}
        )
    extra = symbols_in(proof[step]) - allowed
    if extra:
        return Finding("symbols", {"step": step, "seen": sorted(extra)})
    turns = unknowns.angles(proof[step])
    if angles == "single" and any(len(turn) > 1 for turn in turns):
        return Finding("single", {"step": step})
    if isinstance(angles, tuple) and not (turns and all(set(turn) == set(angles) for turn in turns)):
        return Finding("sum", {"step": step, "a": angles[0], "b": angles[1]})
    return None


def _check_values(unknowns: Unknowns, proof: tuple, step: int) -> Finding | None:
    values, right = _values(unknowns, proof, step), _right(unknowns, step)
    if _equal(values, right) or _follows(unknowns, proof, step) and _equal(values, _right(unknowns, step, slip=True)):
        return None
    row = next(row for row, (a, b) in enumerate(zip(values, right), start=1) if not _equal([a], [b]))
    return Finding(f"step-{step}", {"row": row})


def _right(unknowns: Unknowns, step: int, slip: bool = False) -> Rows:
    """What a step has to be; with the slip, the column is upside down and the matrix turned the other way."""
    turns = {
        1: {"p": 1, "a": 1},
        2: {"p": 1, "a": 1},
        3: {"a": 1},
        4: {"b": 1, "a": 1},
        5: {"b": 1, "a": 1},
        6: {"a": -1},
    }
    sine, cosine = (unknowns.value((name, _angle(turns[step]))) for name in ("sin", "cos"))
    if step <= 2:
        return [[cosine], [sine]] if slip else [[sine], [cosine]]
    return [[cosine, -sine], [sine, cosine]] if slip else [[cosine, sine], [-sine, cosine]]


def _angle(turns: dict[str, int]) -> tuple:
    """The formula of the sum of turns[name] * name * omega."""
    return "add", *(("mul", ("integer", times), ("symbol", name), ("symbol", "omega")) for name, times in turns.items())


def _follows(unknowns: Unknowns, proof: tuple, step: int) -> bool:
    """Whether the step that this one is made from has the slip."""
    before = min(step - 1, 3)
    return before > 0 and has_slip(proof, before, unknowns)


def has_slip(proof: tuple, step: int, unknowns: Unknowns | None = None) -> bool:
    """Whether a step is the right one upside down, or turned the other way."""
    unknowns = unknowns or Unknowns(repr(proof))
    try:
        return _equal(_values(unknowns, proof, step), _right(unknowns, step, slip=True))
    except NoValue:
        return False


def _values(unknowns: Unknowns, proof: tuple, step: int) -> Rows:
    """Errors: NoValue, also for a step of another shape."""
    if step >= len(proof) or _shape(proof[step]) != STEPS[step][0]:
        raise NoValue("matrix")
    return [[unknowns.value(entry) for entry in row] for row in rows_of(proof[step])]


def _shape(step: tuple) -> tuple[int, int] | None:
    rows = rows_of(step)
    return (len(rows), len(rows[0])) if rows else None


def _equal(one: Rows, other: Rows) -> bool:
    return all(near(a, b) for row, wanted in zip(one, other) for a, b in zip(row, wanted))
