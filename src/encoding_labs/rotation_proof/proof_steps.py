"""Check lab 03's proof: does each step have the required form, and is it right?

Steps are checked one by one. A step also counts as right if it follows correctly from an earlier step with a known slip: a pair
with the cosine above the sine, or a matrix that turns the other way.
"""

from __future__ import annotations

from functools import lru_cache

from encoding_labs.rotation_proof.formulas import nodes, rows_of, symbols_in
from encoding_labs.rotation_proof.identities import NoValue, Unknowns, near
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation

STEPS = {  # shape, allowed symbols, and whether every angle is a single turn or the sum of two
    1: ((2, 1), {"p", "a", "omega"}, ("p", "a")),
    2: ((2, 1), {"p", "a", "omega"}, "single"),
    3: ((2, 2), {"a", "omega"}, "any"),
    4: ((2, 2), {"b", "a", "omega"}, "single"),
    5: ((2, 2), {"b", "a", "omega"}, ("b", "a")),
    6: ((2, 2), {"a", "omega"}, "any"),
}

Rows = list[list[complex]]


def judge_proof(observation: Observation) -> Finding | None:
    """Report the first wrong step, and which steps are right. Returns None if all are right."""
    proof = observation.actual
    if odd := _no_list(proof):
        return odd
    found = {step: check_step(proof, step) for step in STEPS}
    wrong, right = [each for each in found.values() if each], [step for step, each in found.items() if not each]
    return Finding("right-steps", {"right": right, "first": wrong[0]}) if wrong and right else next(iter(wrong), None)


def judge_step(observation: Observation, step: int) -> Finding | None:
    """Check one step of the proof."""
    return _no_list(observation.actual) or check_step(observation.actual, step)


def _no_list(proof: tuple) -> Finding | None:
    if proof[0] == "steps":
        return None
    seen = _other(proof, whole=True) if proof[0] == "other" else Finding("one-formula")
    return Finding("no-list", {"steps": len(STEPS), "seen": seen})


def _other(node: tuple, whole: bool = False) -> Finding:
    _, kind, name = node
    if kind == "nothing" and whole:
        return Finding("nothing")
    return Finding(f"other-{kind}", {"name": name})


@lru_cache(maxsize=2 * len(STEPS))  # the check and the tests ask for each step
def check_step(proof: tuple, step: int) -> Finding | None:
    """Return the first fault in a step, or None if the step is right."""
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
    """The expected values of a step. With `slip`, the cosine is above the sine, or the matrix turns the other way."""
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
    """The formula for the sum of turns[name] * name * omega."""
    return "add", *(("mul", ("integer", times), ("symbol", name), ("symbol", "omega")) for name, times in turns.items())


def _follows(unknowns: Unknowns, proof: tuple, step: int) -> bool:
    """Whether the earlier step that this one builds on has a slip; see `has_slip`."""
    before = min(step - 1, 3)
    return before > 0 and has_slip(proof, before, unknowns)


def has_slip(proof: tuple, step: int, unknowns: Unknowns | None = None) -> bool:
    """Whether a step is right except that the cosine is above the sine, or the matrix turns the other way."""
    unknowns = unknowns or Unknowns(repr(proof))
    try:
        return _equal(_values(unknowns, proof, step), _right(unknowns, step, slip=True))
    except NoValue:
        return False


def _values(unknowns: Unknowns, proof: tuple, step: int) -> Rows:
    """The values of a step. Errors: NoValue, also if the step has the wrong shape."""
    if step >= len(proof) or _shape(proof[step]) != STEPS[step][0]:
        raise NoValue("matrix")
    return [[unknowns.value(entry) for entry in row] for row in rows_of(proof[step])]


def _shape(step: tuple) -> tuple[int, int] | None:
    rows = rows_of(step)
    return (len(rows), len(rows[0])) if rows else None


def _equal(one: Rows, other: Rows) -> bool:
    return all(near(a, b) for row, wanted in zip(one, other) for a, b in zip(row, wanted))
