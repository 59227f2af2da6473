"""Judge a positional encoding: right, right in another layout, wrong in a known way, or wrong in an unknown one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from encoding_labs import COURSE
from encoding_labs.diagnose.foreign import SHORT, Unreadable, table_of, turned_by
from labkit.model.course import Exercise, Tolerance
from labkit.student.judging.diagnosis import diagnose
from labkit.student.judging.observation import Observation, judge
from labkit.student.judging.words import load, say_each
from labkit.student.notebook.expected import expected_of, mistakes_of

TABLE, ROPE = "sinusoidal_pe", "rope"
SEEN = {TABLE: 3, ROPE: 2}  # so many of the exercise's public calls are made; the others test what only a lab asks for
# Conventions other than the paper's. A program with any of them works, but only with weights and code that have the same.
LAYOUTS = {
    "halves-layout": "all sines come first, then all cosines",
    "halves-swapped": "all cosines come first, then all sines",
    "swapped-sin-cos": "in each pair the cosine comes first",
}
CONVENTIONS = {**LAYOUTS, "exponent-d-minus-2": "the exponents run from 0 to 1, as in tensor2tensor"}
TURNED = {"halves-layout": "columns half a row apart turn together, as in Hugging Face's Llama and GPT-NeoX"}


@dataclass(frozen=True)
class Verdict:
    """What was found. `mistakes` has the ids of known mistakes or of other conventions."""

    kind: str  # right, convention, wrong or unknown
    mistakes: tuple[str, ...]
    lines: tuple[str, ...]  # in words
    observation: Observation  # the call to draw

    @property
    def fine(self) -> bool:
        return self.kind in ("right", "convention")


def judge_table(function: object, name: str = "f") -> Verdict:
    """Judge a function, class or module that makes a table. Errors: Unreadable."""
    kinds: set[str] = set()

    def call(T: int, d: int) -> np.ndarray:
        table, dtype = table_of(function, T, d)
        kinds.add(dtype)
        return table

    verdict = _judged(COURSE.exercises[TABLE], call, CONVENTIONS, name, kinds)
    return replace(verdict, lines=(*verdict.lines, *_properties(verdict), *_for_an_odd_d(function, name)))


def judge_rope(function: Callable, name: str = "f") -> Verdict:
    """Judge a rotary encoding f(x, positions). Errors: Unreadable."""
    kinds: set[str] = set()

    def call(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
        rows, dtype = turned_by(function, x, positions)
        kinds.add(dtype)
        return rows

    return _judged(COURSE.exercises[ROPE], call, TURNED, name, kinds)


def _judged(exercise: Exercise, call: Callable, conventions: dict[str, str], name: str, kinds: set[str]) -> Verdict:
    load(COURSE)
    expected = expected_of(COURSE, COURSE.lab_of(exercise.name))
    probes = exercise.probes[: SEEN[exercise.name]]
    plain = replace(exercise, dtype=None)
    seen = [
        Observation(plain, probe.args, call(*probe.inputs()), expected[exercise.name][probe.key]) for probe in probes
    ]
    short = next((kind for kind in SHORT if kind in kinds), None)
    if short and all(judge(replace(each, exercise=_looser(plain, SHORT[short]))) is None for each in seen):
        return Verdict("right", (), (f"Right. The numbers are exact to {short}, in which they are returned.",), seen[0])
    if all(judge(each) is None for each in seen):
        return Verdict("right", (), ("Right.",), seen[0])
    stored = [{**known, "values": known["values"][: len(seen)]} for known in expected.get(mistakes_of(exercise), ())]
    findings = diagnose(COURSE, seen, stored)
    ids = tuple(finding.mistake for finding in findings if finding.mistake)
    lines = [text.replace(f"{exercise.name}(", f"{name}(") for text in say_each(exercise.name, findings)]
    drawn = next(each for each in seen if judge(each))
    if ids and {*ids} <= {*conventions}:
        stated = "; ".join(conventions[id] for id in ids)
        told = (
            f"Right, in another convention: {stated} ({', '.join(ids)}).",
            "Weights fit only the convention they were trained with.",
        )
        return Verdict("convention", ids, told, drawn)
    if ids:
        return Verdict("wrong", ids, (f"Wrong: {', '.join(ids)}.", *lines), drawn)
    return Verdict("unknown", (), ("Wrong, in a way that has no name here.", *lines), drawn)


def _looser(exercise: Exercise, absolute: float) -> Exercise:
    rule = exercise.tolerance
    return replace(exercise, tolerance=Tolerance(rule.absolute + absolute, rule.per_position, rule.relative))


def properties(table: np.ndarray, right: np.ndarray) -> dict[str, bool]:
    """What holds for a table of shape (T, d), T > d, by description."""
    table = np.asarray(table, dtype=np.float64)
    with np.errstate(all="ignore"):
        product = table @ table.T
        size = max(1.0, float(np.abs(product).max()))
        offsets = [np.ptp(np.diagonal(product, k)) for k in range(len(table))]
        step, *_ = np.linalg.lstsq(table[:-1], table[1:], rcond=None)
        gaps = np.abs(table[:, None] - table[None]).max(axis=2) + 9 * np.eye(len(table))
        return {
            "all rows have the same length": bool(np.ptp(np.diagonal(product)) < 1e-3 * size),
            "the product of two rows depends only on their offset": bool(max(offsets) < 1e-3 * size),
            "a shift by one position is one linear map": bool(np.abs(table[:-1] @ step - table[1:]).max() < 1e-3),
            "no two rows are equal": bool(gaps.min() > 1e-3),
            "the numbers in a row are the paper's, in some order": _same_numbers(table, right),
            "the columns are in the paper's order": bool(np.abs(table - right).max() < 1e-3),
        }


def _same_numbers(table: np.ndarray, right: np.ndarray) -> bool:
    return bool(np.abs(np.sort(table, axis=1) - np.sort(right, axis=1)).max() < 1e-3)


def _properties(verdict: Verdict) -> Sequence[str]:
    """Lines with the properties that hold and those that don't, for any table but the right one."""
    seen = verdict.observation
    if (
        verdict.kind == "right"
        or np.shape(seen.actual) != np.shape(seen.expected)
        or not np.isfinite(seen.actual).all()
    ):
        return ()
    found = properties(seen.actual, np.asarray(seen.expected))
    return [f"  {'holds:' if holds else 'does not hold:':15}{text}" for text, holds in found.items()]


def _for_an_odd_d(function: object, name: str) -> Sequence[str]:
    """A note if the function accepts an odd d, where the last sine has no cosine."""
    try:
        table_of(function, 8, 7)
    except Unreadable:
        return ()
    return ("Note: d = 7 is accepted (odd-d-accepted). The last sine then has no cosine.",)
