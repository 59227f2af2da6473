"""Identify a mistake from an answer's outputs alone: by stored values of wrong formulas, then by the catalogue's recognizers.

Values: a small value is stored completely, a larger one as a few of its entries and two sums over all its entries. This keeps
the lab's file of expected values small and hides the formula from students. For short answers, digests are stored.

Recognizers: write a function decorated with `@mistake(...)`. It gets the observations of an exercise and returns the numbers for
the mistake's message, or None if it does not recognize the mistake. The message, in English and Spanish, helps the student
without revealing the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from labkit.student.judging.compare import NUMBERS
from labkit.student.judging.finding import Finding, from_json
from labkit.student.judging.observation import Observation, judge
from labkit.student.judging.words import load, register
from labkit.student.model.course import Course

ENTRIES = 4  # evenly spaced entries of a value
CLOSE = 1e-3  # tolerance relative to the largest entry: above float32 rounding, below the differences between mistakes
FLOAT32 = 1e-4  # the same for sums: they have rounding errors if a few entries are much larger than the others
DIGITS = 7
NOISE = 1e-12  # remainders of cancelled terms, which differ between processors


def signature(value: object, column: int | None = None) -> dict[str, Any] | None:
    """The shape, a few entries and two sums of a value or of one column. For strings, the sorted set; for other values, None."""
    if (texts := _texts(value)) is not None:
        return {"shape": [len(texts)], "entries": texts}
    try:
        array = np.asarray(value)
        array = array if column is None else array[:, column]
        if array.dtype.kind not in NUMBERS + "O":
            return None
        entries = array.astype(np.float64).ravel()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if entries.size <= ENTRIES:
        return {"shape": list(array.shape), "entries": _short(entries)}
    places = np.unique(np.linspace(0, entries.size - 1, ENTRIES).round().astype(int))
    signs = np.random.default_rng(entries.size).choice([-1.0, 1.0], entries.size)
    with np.errstate(all="ignore"):
        numbers = np.array([*entries[places], entries.sum(), entries @ signs])
    return {"shape": list(array.shape), "entries": _short(numbers)}


def _short(numbers: np.ndarray) -> list[float]:
    """Round numbers to the digits on which all machines agree."""
    sizes = np.abs(numbers)
    noise = NOISE * max(1.0, sizes[np.isfinite(sizes)].max(initial=0.0))
    return [0.0 if abs(number) <= noise else float(f"{number:.{DIGITS}g}") for number in numbers.tolist()]


def _texts(value: object) -> list[str] | None:
    """The strings in a set, list, tuple or array, sorted. Returns None for anything else."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        value = value.ravel().tolist()
    if not isinstance(value, (set, frozenset, list, tuple)):
        return None
    return sorted({*value}) if all(isinstance(each, str) for each in value) else None


def same(seen: Mapping[str, Any] | None, stored: Mapping[str, Any] | None, close: float | None = None) -> bool:
    """Whether two signatures agree up to rounding, or up to `close`. False if `seen` is None, as for a call that was stopped."""
    if seen is None or stored is None or "shape" not in stored:
        return seen is not None and seen == stored
    if seen["shape"] != stored["shape"]:
        return False
    entries, wanted = np.array(seen["entries"]), np.array(stored["entries"])
    if "U" in (entries.dtype.kind, wanted.dtype.kind):
        return bool(seen["entries"] == stored["entries"])
    finite = np.where(np.isfinite(wanted), np.abs(wanted), 0.0)
    size = int(np.prod(stored["shape"]))
    whole = wanted.size if size <= ENTRIES else wanted.size - 2  # the last two entries are the sums
    allowed = np.full(wanted.size, close or CLOSE * max(1.0, finite[:whole].max(initial=0.0)))
    allowed[whole:] *= np.sqrt(size)
    allowed[whole:] = np.maximum(allowed[whole:], FLOAT32 * finite[whole:].max(initial=0.0))
    with np.errstate(invalid="ignore"):
        return bool(
            ((np.abs(entries - wanted) <= allowed) | (entries == wanted) | np.isnan(entries) & np.isnan(wanted)).all()
        )


def recognise_values(observations: Sequence[Observation], known: Iterable[Mapping[str, Any]]) -> list[Finding]:
    """Find the stored mistake, or combination of two, that matches all these public calls. Returns no finding if several match.

    A mistake stored for one column is compared only in that column, so each column can show a different mistake.
    """
    signatures: dict[tuple[int, int | None], dict[str, Any] | None] = {}
    fitting: dict[int | None, dict[str, list[Finding]]] = {}

    def fits(call: int, value: Mapping[str, Any], column: int | None, close: float | None) -> bool:
        if "shape" not in value:  # a short answer: its digests match if it has the mistake
            return judge(replace(observations[call], expected=value)) is None
        if (call, column) not in signatures:
            seen = observations[call]
            found = signature(seen.actual, column)
            as_wide = found is None or column is None or _width(seen.actual) == _width(seen.expected)
            signatures[call, column] = found if as_wide else None
        return same(signatures[call, column], value, close)

    for each in known:
        column, close, calls = each.get("column"), each.get("close"), compared(each)
        if calls and all(fits(call, value, column, close) for call, value in calls):
            facts = {name: from_json(fact) for name, fact in each.get("facts", {}).items()}
            found = [Finding(id, facts, named=True) for id in each["id"].split()]  # usually one, or two made together
            fitting.setdefault(column, {}).setdefault(each["id"], found)
    return [finding for by_id in fitting.values() if len(by_id) == 1 for found in by_id.values() for finding in found]


def _width(table: object) -> tuple[int, ...]:
    """The lengths of all axes but the first."""
    return np.asarray(table).shape[1:]


def compared(known: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """The public calls for which the wrong formula has a value, each with its index and the value's signature."""
    return [(call, value) for call, value in enumerate(known["values"]) if value is not None]


Numbers = Mapping[str, object]
Recognizer = Callable[[Sequence[Observation]], Numbers | None]


STRICT = False  # tests set this, so that a failing recognizer raises
_CATALOGUE: dict[str, list[tuple[str, Recognizer]]] = {}


def mistake(id: str, *exercises: str, en: str = "", es: str = "") -> Callable[[Recognizer], Recognizer]:
    """Register the decorated recognizer for these exercises. Recognizers are tried in the order of registration."""

    def enter(recognise: Recognizer) -> Recognizer:
        register({language: {id: words} for language, words in (("en", en), ("es", es)) if words}, *exercises)
        for exercise in exercises:
            _CATALOGUE.setdefault(exercise, []).append((id, recognise))
        return recognise

    return enter


def catalogue(course: Course) -> Mapping[str, Sequence[tuple[str, Recognizer]]]:
    """Each exercise's mistakes by id, in the order in which they are tried. A lab without a file of mistakes has none."""
    load(course)
    return _CATALOGUE


def diagnose(
    course: Course, observations: Sequence[Observation], stored: Iterable[Mapping[str, Any]] = ()
) -> list[Finding]:
    """Find the mistakes in one wrong answer, or the first difference if none is recognized.

    The observations belong to one exercise, and at least one of them is wrong. `stored` has the values that wrong formulas give.
    """
    exercise = observations[0].exercise
    if by_value := recognise_values(observations, stored):
        return by_value
    tried = ((id, _tried(recognise, observations)) for id, recognise in catalogue(course).get(exercise.name, ()))
    named = [
        Finding(id, _public_numbers(numbers, observations), named=True) for id, numbers in tried if numbers is not None
    ]
    return named or list(filter(None, map(judge, observations)))[:1]


def _tried(recognise: Recognizer, observations: Sequence[Observation]) -> Numbers | None:
    """Try a recognizer. If it raises an error, the mistake stays unnamed and the answer is still graded."""
    try:
        return recognise(observations)
    except Exception:
        if STRICT:
            raise
        return None


def _public_numbers(numbers: Numbers, observations: Sequence[Observation]) -> Numbers:
    """Drop the numbers of hidden calls, because an answer could encode its arguments in them."""
    if all(each.public for each in observations):
        return numbers
    return {name: number if isinstance(number, (bool, Finding)) else "…" for name, number in numbers.items()}
