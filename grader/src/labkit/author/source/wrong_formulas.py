"""Compute the values that common mistakes give in the public calls, so that checks can recognize the mistakes.

`WRONG` in `tests/autograder/<lab>/mistakes.py` has the formulas. For each exercise, it maps a mistake's id to one formula, or
to several that share a feedback sentence. A formula takes the exercise's arguments and returns the wrong value. The sentence
is in the lab's `words.en.toml`, under the same id. Two ids separated by a space stand for two mistakes in the same answer:
feedback then has both sentences. For short answers (kind "value"), only a digest of each wrong answer
is stored; the function `reference.<exercise>` computes it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from string import Formatter
from typing import Any

import numpy as np

from labkit.student.judging.compare import difference
from labkit.student.judging.diagnosis import CLOSE, DIGITS, catalogue, compared, same, signature
from labkit.student.judging.finding import plain, to_json
from labkit.student.judging.observation import Observation, call_of
from labkit.student.judging.words import FINDINGS, SHIPPED, TITLES, WORDS, templates
from labkit.student.model.course import Exercise, Lab, Probe, SymbolicArgument
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project, read_toml

Formula = Callable[..., object]
SENTENCE = "write one under [{exercise}] in words.en.toml, or remove the formula"


@dataclass(frozen=True)
class Telling:
    """A wrong value, and facts for the placeholders in its feedback sentence."""

    value: object
    facts: Mapping[str, object]


def telling(value: object, **facts: object) -> Telling:
    """Return a wrong formula's value together with facts for the placeholders in its feedback sentence."""
    return Telling(value, facts)


def in_column(column: int, formula: Formula) -> Formula:
    """Mark a wrong formula, so that answers are compared with it in this column only."""
    formula.column = column  # type: ignore[attr-defined]
    return formula


def within(close: float, formula: Formula) -> Formula:
    """Mark a wrong formula, so that answers are compared with it within `close`, for example because they may be rounded."""
    formula.close = close  # type: ignore[attr-defined]
    return formula


def formulas_of(wrong: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, Formula]]:
    """Yield each formula with its exercise and the id of its mistake, or the ids of its mistakes separated by spaces."""
    for exercise, by_id in wrong.items():
        for id, stated in by_id.items():
            for formula in stated if isinstance(stated, (list, tuple)) else (stated,):
                yield exercise, id, formula


def stored_mistakes(
    lab: Lab, wrong: Mapping[str, Mapping[str, Any]], reference: object
) -> dict[str, list[dict[str, Any]]]:
    """Evaluate a lab's wrong formulas. Returns the entries for the expected data, by exercise.

    Errors: UserError if a formula has no sentence, if its value is within the tolerance of the right one, or if no public
    call distinguishes two ids.
    """
    asked = {exercise.name: exercise for exercise in lab.exercises}
    stored: dict[str, list[dict[str, Any]]] = {}
    for name, id, formula in sorted(formulas_of(wrong), key=lambda each: " " in each[1]):  # combinations last
        if name not in asked:
            raise UserError(
                f"{id!r} is listed under {name!r}, which is not an exercise of the lab; its exercises are {', '.join(asked)}"
            )
        known = stored.setdefault(name, [])
        known.append(_stored(asked[name], id, formula, reference, _parts(id, known)))
    for name, known in stored.items():
        _all_differ(name, known)
    return stored


def _parts(id: str, known: Sequence[Mapping[str, Any]]) -> list[Sequence[Mapping[str, Any] | None]]:
    """For a combination of two mistakes, the stored values of each mistake alone."""
    alone = {one.partition("/")[0] for one in id.split()} if " " in id else set()
    return [each["values"] for each in known if each["id"].partition("/")[0] in alone]


def _stored(
    exercise: Exercise,
    id: str,
    formula: Formula,
    reference: object,
    parts: Sequence[Sequence[Mapping[str, Any] | None]] = (),
) -> dict[str, Any]:
    """Evaluate one formula at all public calls. Its facts are from the first call that shows all its mistakes.

    Errors: UserError.
    """
    names = {id: _placeholders(exercise.name, id) for id in id.split()}
    how = {name: getattr(formula, name) for name in ("column", "close") if hasattr(formula, name)}
    values: list[dict[str, Any] | None] = []
    # For each wrong call: whether it shows one mistake alone, and the facts.
    told: list[tuple[bool, Mapping[str, object]]] = []
    right, kept_of = _truth(exercise, reference, how.get("column"))
    for probe in exercise.probes or (Probe(),):
        found, further = _value_of(formula, probe)
        values.append(found if found is None else kept_of(found))
        if values[-1] is None:
            continue
        seen = Observation(exercise, probe.args, found, right(probe))
        if _differs(seen):
            alone = any(same(values[-1], part[len(values) - 1]) for part in parts)
            told.append((alone, {**_facts(seen, formula), **further}))
    if not told:
        raise UserError(
            f"the formula {exercise.name}.{id} gives the right values for every public call: add a probe where it is wrong, or remove it"
        )
    _, facts = min(told, key=lambda each: each[0])
    for one, named in names.items():
        if unknown := sorted(named - set(facts)):
            raise UserError(
                f"the sentence for {exercise.name}.{one} uses {{{unknown[0]}}}; it can use {', '.join(sorted(facts))}, "
                "and facts that the formula adds with `telling`"
            )
    kept = {name: to_json(_rounded(plain(facts[name]))) for name in sorted(set().union(*names.values()))}
    return {"id": id, **how, **({"facts": kept} if kept else {}), "values": values}


def _placeholders(exercise: str, id: str) -> set[str]:
    """The placeholders in a mistake's sentence. Errors: UserError if it has no sentence."""
    sentence = templates(exercise, id).get("en")
    if sentence is None:
        raise UserError(f"the formula {exercise}.{id} has no sentence: {SENTENCE.format(exercise=exercise)}")
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def _rounded(fact: object) -> object:
    """Round a fact, so that it is the same on all machines."""
    if isinstance(fact, list):
        return [_rounded(each) for each in fact]
    return float(f"{fact:.{DIGITS}g}") if isinstance(fact, float) else fact


def _truth(
    exercise: Exercise, reference: object, column: int | None
) -> tuple[Callable[[Probe], object], Callable[[object], Any]]:
    """Return two functions: one gives the right value for a probe, the other converts an answer for storing."""
    own = getattr(reference, exercise.name)
    if exercise.kind == "value":
        return lambda probe: getattr(reference, exercise.name.upper()), own
    return lambda probe: own(*probe.inputs()), lambda found: signature(found, column)


def _value_of(formula: Formula, probe: Probe) -> tuple[object, Mapping[str, object]]:
    """Return a formula's value and its facts. The value is None if the probe expects an error, or the formula raises one.

    It is also None if the probe calls an answer twice, because that tests whether the answer changes its arguments.
    """
    if probe.raises or probe.twice:
        return None, {}
    with np.errstate(all="ignore"):
        try:
            value = formula(*probe.inputs())
        except (ValueError, IndexError, ZeroDivisionError, OverflowError):
            return None, {}
    return (value.value, value.facts) if isinstance(value, Telling) else (value, {})


def _differs(seen: Observation) -> bool:
    if seen.exercise.judge:
        return seen.exercise.judge(seen) is not None
    return difference(seen.actual, seen.expected, seen.exercise.tolerance) is not None


def _facts(seen: Observation, formula: Formula) -> dict[str, object]:
    """Collect the facts that a sentence can use: the call, its arguments by name, shapes, and the first wrong entry."""
    facts: dict[str, object] = {"call": call_of(seen)}
    for name, argument in zip(inspect.signature(formula).parameters, seen.args):
        if isinstance(argument, SymbolicArgument):
            facts |= {each.name: getattr(argument, each.name) for each in fields(argument)}  # type: ignore[arg-type]
        facts[name] = argument.described() if isinstance(argument, SymbolicArgument) else argument
    actual, right = np.asarray(seen.actual), np.asarray(seen.expected)
    facts |= {"shape": list(actual.shape), "size": actual.size, "right_shape": list(right.shape)}
    if actual.shape == right.shape and actual.dtype.kind in "biuf" and right.dtype.kind in "biuf":
        facts |= _first_wrong(actual.astype(float), right.astype(float), seen.exercise)
    return facts


def _first_wrong(actual: np.ndarray, right: np.ndarray, exercise: Exercise) -> dict[str, object]:
    wrong = np.argwhere(~(np.abs(actual - right) <= max(CLOSE, exercise.tolerance.absolute)))
    if not len(wrong):
        return {}
    place = tuple(map(int, wrong[0]))
    facts: dict[str, object] = {"seen": float(actual[place]), "place": place[0] if len(place) == 1 else list(place)}
    if len(place) == 2:
        facts |= {"row": place[0], "column": place[1]}
    if right[place]:
        facts["factor"] = float(actual[place] / right[place])
    return facts


def _all_differ(name: str, known: Sequence[Mapping[str, Any]]) -> None:
    """Check that any two mistakes give different values in at least one public call. Errors: UserError."""
    for number, one in enumerate(known):
        for other in known[:number]:
            if one["id"] == other["id"] or one.get("column") != other.get("column"):
                continue
            both = {call for call, _ in compared(one)} & {call for call, _ in compared(other)}
            close = max(one.get("close", 0), other.get("close", 0))
            if all(same(one["values"][call], other["values"][call], close) for call in both):
                raise UserError(
                    f"{name}.{other['id']} and {name}.{one['id']} give the same values for every public call: add a probe "
                    "that tells them apart, or give them the same id"
                )


def check_words(project: Project, lab: Lab, wrong: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that each sentence belongs to a mistake, and each mistake has a sentence. Errors: UserError."""
    ids = {(exercise, one) for exercise, id, _ in formulas_of(wrong) for one in id.split()}
    ids |= {
        (exercise.name, id) for exercise in lab.exercises for id, _ in catalogue(project.course).get(exercise.name, ())
    }
    path = project.course.expected_of(lab.name).with_name(WORDS)
    named = f"{path.parent.name}/{path.name}"
    tables = read_toml(path) if path.exists() else {}
    unknown = sorted({*tables.pop(TITLES, {})} - {"lab", *(exercise.name for exercise in lab.exercises)})
    if unknown:
        raise UserError(f"{named}: [{TITLES}] has {unknown[0]!r}, which is not an exercise of the lab")
    for names, sentences in tables.items():
        for exercise in names.split():
            stated = {*sentences, *sentences.get(SHIPPED, {})} - {FINDINGS, SHIPPED}
            if alone := sorted(id for id in stated if (exercise, id) not in ids):
                raise UserError(
                    f"{named}: [{exercise}] has a sentence for {alone[0]!r}, but no formula in mistakes.py has this id: "
                    "write the formula, or remove the sentence"
                )
    for exercise, id in sorted(ids):
        if "en" not in templates(exercise, id):
            raise UserError(f"{exercise}.{id} has no sentence: {SENTENCE.format(exercise=exercise)}")
