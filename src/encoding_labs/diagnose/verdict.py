"""Judge a positional encoding: right, right in another layout, wrong in a known way, or wrong in an unknown one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from encoding_labs import COURSE
from encoding_labs.diagnose.foreign import SHORT, Unreadable, table_of, turned_by
from encoding_labs.diagnose.rounded import unrounded
from labkit.model.course import Exercise, Tolerance
from labkit.student.judging.diagnosis import diagnose
from labkit.student.judging.observation import Observation, judge
from labkit.student.judging.words import load, say_each
from labkit.student.notebook.expected import expected_of, mistakes_of
from labkit.student.notebook.language import deferred, spoken
from labkit.student.notebook.language import translated as _

TABLE, ROPE = "sinusoidal_pe", "rope"
SEEN = {TABLE: 3, ROPE: 2}  # so many of the exercise's public calls are made; the others test what only a lab asks for
# Conventions other than the paper's. A program with any of them works, but only with weights and code that have the same.
LAYOUTS = {
    "halves-layout": deferred("all sines come first, then all cosines"),
    "halves-swapped": deferred("all cosines come first, then all sines"),
    "swapped-sin-cos": deferred("in each pair the cosine comes first"),
}
CONVENTIONS = {**LAYOUTS, "exponent-d-minus-2": deferred("the exponents run from 0 to 1, as in tensor2tensor")}
TRAINED = deferred("Weights fit only the convention they were trained with.")
TURNED = {"halves-layout": deferred("columns half a row apart turn together, as in Hugging Face's Llama and GPT-NeoX")}


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
    return replace(verdict, lines=(*verdict.lines, *_properties(verdict), *_for_an_odd_d(function)))


def judge_numbers(table: np.ndarray, unit: float) -> Verdict:
    """Judge the numbers of a table of shape (T, d), which are rounded to multiples of `unit`. Errors: Unreadable."""
    from minimodel.positional.sinusoidal import sinusoidal_pe

    T, d = table.shape
    if T < 3 or d < 4 or d % 2:
        needed = _("{T} rows of {d} numbers; at least 3 positions and 4 dimensions are needed, and an even d", T=T, d=d)
        raise Unreadable(needed)
    exercise = replace(_looser(COURSE.exercises[TABLE], 0.51 * unit), dtype=None)
    seen = Observation(exercise, (T, d), table.astype(np.float32), sinusoidal_pe(T, d))
    if judge(seen) is None:
        return Verdict("right", (), (_("Right."),), seen)
    if unit > 1e-7 and (exact := unrounded(table, np.asarray(seen.expected, dtype=np.float64), unit)) is not None:
        seen = replace(seen, actual=exact.astype(np.float32), exercise=_looser(exercise, 0))
    asked = [probe.args for probe in exercise.probes]
    stored = _stored(exercise, [asked.index((T, d))]) if (T, d) in asked else []
    verdict = _named(exercise, [seen], stored, CONVENTIONS, "")
    few = verdict.kind == "unknown" and unit > 1e-10
    more = _("The numbers are rounded, which may hide the mistake: paste more digits, or the function.")
    return replace(verdict, lines=(*verdict.lines, *[more] * few, *_properties(verdict)))


def judge_rope(function: Callable, name: str = "f") -> Verdict:
    """Judge a rotary encoding f(x, positions). Errors: Unreadable."""
    kinds: set[str] = set()

    def call(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
        rows, dtype = turned_by(function, x, positions)
        kinds.add(dtype)
        return rows

    return _judged(COURSE.exercises[ROPE], call, TURNED, name, kinds)


def _judged(exercise: Exercise, call: Callable, conventions: dict[str, str], name: str, kinds: set[str]) -> Verdict:
    right = expected_of(COURSE, COURSE.lab_of(exercise.name))[exercise.name]
    probes = exercise.probes[: SEEN[exercise.name]]
    plain = replace(exercise, dtype=None)
    seen = [Observation(plain, probe.args, call(*probe.inputs()), right[probe.key]) for probe in probes]
    if all(judge(each) is None for each in seen):
        return Verdict("right", (), (_("Right."),), seen[0])
    short = next((kind for kind in SHORT if kind in kinds), None)
    if short and all(judge(replace(each, exercise=_looser(plain, SHORT[short]))) is None for each in seen):
        told = _("Right. The numbers are exact to {short}, in which they are returned.", short=short)
        return Verdict("right", (), (told,), seen[0])
    return _named(plain, seen, _stored(exercise, range(len(seen))), conventions, name)


def _stored(exercise: Exercise, calls: Iterable[int]) -> list[dict]:
    """The stored mistakes of an exercise, with their values for some of its public calls."""
    known = expected_of(COURSE, COURSE.lab_of(exercise.name)).get(mistakes_of(exercise), ())
    return [{**each, "values": [each["values"][call] for call in calls]} for each in known]


def _named(
    exercise: Exercise, seen: Sequence[Observation], stored: Iterable[dict], conventions: dict[str, str], name: str
) -> Verdict:
    """Name the mistakes in wrong values."""
    load(COURSE)
    findings = diagnose(COURSE, seen, stored)
    ids = tuple(finding.mistake for finding in findings if finding.mistake)
    lines = [_of(text, exercise.name, name) for text in say_each(exercise.name, findings, spoken())]
    drawn, names = next(each for each in seen if judge(each)), ", ".join(ids)
    if ids and {*ids} <= {*conventions}:
        stated = "; ".join(_(conventions[id]) for id in ids)
        told = _("Right, in another convention: {stated} ({names}).", stated=stated, names=names)
        return Verdict("convention", ids, (told, _(TRAINED)), drawn)
    if ids:
        return Verdict("wrong", ids, (_("Wrong: {names}.", names=names), *lines), drawn)
    return Verdict("unknown", (), (_("Wrong, in a way that has no name here."), *lines), drawn)


def _of(text: str, exercise: str, name: str) -> str:
    """A sentence about the function `name`, or about a table, in place of one about an exercise."""
    if name:
        return text.replace(f"{exercise}(", f"{name}(")
    text = re.sub(rf"{exercise}(\(\d+, \d+\))", _("the table") + r" \1", text)
    return text[:1].upper() + text[1:]


def _looser(exercise: Exercise, absolute: float) -> Exercise:
    rule = exercise.tolerance
    return replace(exercise, tolerance=Tolerance(rule.absolute + absolute, rule.per_position, rule.relative))


def properties(table: np.ndarray, right: np.ndarray) -> dict[str, bool]:
    """What holds for a table of shape (T, d), by description. That a shift is linear shows only if T is well above d."""
    table = np.asarray(table, dtype=np.float64)
    with np.errstate(all="ignore"):
        product = table @ table.T
        size = max(1.0, float(np.abs(product).max()))
        offsets = [np.ptp(np.diagonal(product, k)) for k in range(len(table))]
        step, *_ = np.linalg.lstsq(table[:-1], table[1:], rcond=None)
        gaps = np.abs(table[:, None] - table[None]).max(axis=2) + 9 * np.eye(len(table))
        return {
            deferred("all rows have the same length"): bool(np.ptp(np.diagonal(product)) < 1e-3 * size),
            deferred("the product of two rows depends only on their offset"): bool(max(offsets) < 1e-3 * size),
            deferred("a shift by one position is one linear map"): bool(
                np.abs(table[:-1] @ step - table[1:]).max() < 1e-3
            ),
            deferred("no two rows are equal"): bool(gaps.min() > 1e-3),
            deferred("the numbers in a row are the paper's, in some order"): _same_numbers(table, right),
            deferred("the columns are in the paper's order"): bool(np.abs(table - right).max() < 1e-3),
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
    return [f"  {_('holds:') if holds else _('does not hold:'):15}{_(text)}" for text, holds in found.items()]


def _for_an_odd_d(function: object) -> Sequence[str]:
    """A note if the function accepts an odd d, where the last sine has no cosine."""
    try:
        table_of(function, 8, 7)
    except Unreadable:
        return ()
    return (_("Note: d = 7 is accepted (odd-d-accepted). The last sine then has no cosine."),)
