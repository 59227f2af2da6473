"""All observations of one answer together: the mistakes that explain every wrong one of them, with the numbers to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from labkit.compare import described, difference
from labkit.mistakes import mistake
from labkit.mistakes.features import coarse, unwrapped
from labkit.mistakes.readings import Reading, readings
from labkit.mistakes.spectra import Size, spectra_of
from labkit.observation import Observation, Raised
from labkit.wording import call_text

TABLE = ("sinusoidal_pe",)
BOTH = ("frequencies", "sinusoidal_pe")
MARK = 7  # what a first result is overwritten with before the second call
SOME_SIZES = {"accumulated-angle", "low-precision"}  # may be too small to see in a small table

_last: tuple = (None, {})


def recognised(id: str, *exercises: str, en: str, es: str) -> None:
    """Register a mistake of the catalogue: it is there when the evidence holds it."""
    mistake(id, *exercises, en=en, es=es)(lambda observations: evidence(observations).get(id))


def evidence(observations: Sequence[Observation]) -> Mapping[str, Mapping[str, object]]:
    """For each mistake that was found its numbers; worked out once for the recognizers that ask one after another."""
    global _last
    if _last[0] is not observations:
        gather = _in_frequencies if observations[0].exercise.name == "frequencies" else _in_tables
        _last = (observations, gather(observations))
    return _last[1]


def _in_tables(observations: Sequence[Observation]) -> dict[str, Mapping]:
    found: dict[str, Mapping] = {}
    explained, right_too = [], False
    tables = [seen for seen in observations if not seen.raises and not isinstance(seen.actual, Raised) and np.ndim(seen.expected) == 2]
    for i, seen in enumerate(tables):
        if _is_marked(seen) or _is_shared(seen, tables[:i]):
            found["shared-state"] = _numbers(seen, None)
            continue
        if isinstance(seen.actual, np.ndarray) and seen.actual.dtype.kind in "biu" and seen.actual.size:
            found["integer-table"] = _numbers(seen, None)
            continue
        T, d = seen.expected.shape
        body = unwrapped(seen.actual, T, d)
        if body is None:
            found.update(dict.fromkeys(_by_shape(seen), _numbers(seen, None)))
            if seen.difference and T >= 3 and d >= 4:
                explained.append((seen, []))
            continue
        table, wrapping = body
        found.update(dict.fromkeys(wrapping, _numbers(seen, None)) if T else {})
        if T < 3 or d < 4:
            continue
        values = difference(table, seen.expected, seen.exercise.tolerance)
        if values and "last-pair-missing" in wrapping and not _away(table[:, :-2], seen.expected[:, :-2]):
            values = None
        if values:
            hopeless = any(not candidates for _, candidates in explained)  # one table without a reading leaves no name
            explained.append((seen, [] if hopeless else readings(table, seen.expected)))
        else:
            right_too = True
    _settle(found, explained, right_too)
    if not found:
        _dtype_alone(found, observations)
    _odd(found, observations)
    return found


def _settle(found: dict, explained: list, right_too: bool) -> None:
    """Add the fewest mistakes that explain every wrong table; where some tables are right, only those that may hide."""
    if not explained:
        return
    common = set.intersection(*({reading.key for reading in candidates} for _, candidates in explained))
    seen, candidates = explained[0]
    for reading in candidates:
        if reading.key in common and (not right_too or reading.mistakes <= SOME_SIZES):
            for mistake in reading.mistakes:
                found.setdefault(mistake, _numbers(seen, reading))
            return


def _is_marked(seen: Observation) -> bool:
    """All of it is what the first result was overwritten with. (A part may be: memory that was not written again.)"""
    actual = seen.actual
    return isinstance(actual, np.ndarray) and actual.dtype.kind in "iuf" and actual.size > 0 and bool((actual == MARK).all())


def _is_shared(seen: Observation, earlier: Sequence[Observation]) -> bool:
    """Does the array overlap one that was handed out before? (Seen in the notebook; from a kernel come copies.)"""
    others = (each.actual for each in earlier)
    return _writeable(seen.actual) and any(_writeable(other) and np.may_share_memory(seen.actual, other) for other in others)


def _writeable(actual: object) -> bool:
    return isinstance(actual, np.ndarray) and actual.size > 0 and actual.flags.writeable


def _away(actual: np.ndarray, expected: np.ndarray) -> bool:
    return actual.shape != expected.shape or bool(np.abs(actual - expected).max() > 1e-3)


def _by_shape(seen: Observation) -> tuple[str, ...]:
    """Mistakes that give another number of rows, the values being right."""
    actual, (T, d) = seen.actual, seen.expected.shape
    if not isinstance(actual, np.ndarray) or actual.dtype.kind != "f" or actual.ndim != 2 or T < 3:
        return ()
    rows = len(actual)
    if actual.shape == (T + 1, d) and not actual[0].any() and not _away(actual[1:], seen.expected):
        return ("padding-row",)
    if actual.shape == (T - 1, d) and not _away(actual, seen.expected[1:]):
        return ("positions-from-one",)
    if actual.shape == (d, d) and not _away(actual[:T], seen.expected[:rows]):
        return ("position-over-d",)
    return ()


def _dtype_alone(found: dict, observations: Sequence[Observation]) -> None:
    for seen in observations:
        wrong = None if seen.raises or isinstance(seen.actual, Raised) else seen.difference
        if wrong and wrong.kind == "dtype" and isinstance(seen.actual, np.ndarray) and seen.actual.dtype.kind in "biufO":
            found["wrong-container"] = _numbers(seen, None)
            return


def _odd(found: dict, observations: Sequence[Observation]) -> None:
    """An odd d that gives a table."""
    for seen in observations:
        if seen.raises and len(seen.args) == 2 and seen.args[1] % 2 and not isinstance(seen.actual, Raised):
            found["odd-d-accepted"] = _numbers(seen, None)


def _numbers(seen: Observation, reading: Reading | None) -> dict[str, object]:
    """What the feedback may tell: the call, what came back, row 0 as it was seen, the speeds that were decoded."""
    actual = seen.actual
    array = isinstance(actual, np.ndarray)
    row = np.ravel(actual[0])[:4] if array and actual.ndim > 1 and len(actual) and actual.dtype.kind in "biuf" else []
    half = np.ravel(actual[0])[np.size(actual[0]) // 2 :][:2] if len(row) else []
    omega = reading.omega if reading is not None and reading.omega is not None else np.ones(2)
    return {
        "call": call_text(seen),
        "seen": f"{described(actual)}{f', {actual.dtype}' if array else ''}",
        "row": ", ".join(f"{x + 0.0:.4g}" for x in row),
        "half": ", ".join(f"{x + 0.0:.4g}" for x in half),
        "first": float(omega[0]),
        "second": float(omega[1]),
        "last": float(omega[-1]),
        "ratio": float(omega[1] / omega[0]) if omega[0] else 0.0,
        "base": (reading.base if reading else None) or 0.0,
        "radius": reading.radius if reading else 1.0,
        "square": reading.radius**2 if reading else 1.0,
        "error": _worst(seen) if array else 0.0,
        "count": omega.size,
    }


def _worst(seen: Observation) -> float:
    same = seen.actual.dtype.kind in "biuf" and seen.actual.shape == np.shape(seen.expected) and seen.actual.size
    return float(np.abs(seen.actual - seen.expected).max()) if same else 0.0


# frequencies(d): the speeds are there to be read


def _in_frequencies(observations: Sequence[Observation]) -> dict[str, Mapping]:
    found: dict[str, Mapping] = {}
    explained, right_too = [], False
    for seen in observations:
        if isinstance(seen.actual, Raised) or np.ndim(seen.expected) != 1:
            continue
        candidates, wrapping = _frequency_readings(seen)
        found.update(dict.fromkeys(wrapping, _numbers(seen, None)))
        if candidates is None:
            right_too = True
        else:
            explained.append((seen, candidates))
    large = [each for each in explained if len(each[0].expected) > 2]
    _settle(found, large or explained, right_too and bool(large))
    return found


def _frequency_readings(seen: Observation) -> tuple[list[Reading] | None, tuple[str, ...]]:
    """The readings of the values, None where they are right, and the mistakes in how they are wrapped."""
    right, wrapping = seen.expected, ()
    count, d = len(right), 2 * len(right)
    try:
        values = np.asarray(seen.actual)
        if values.dtype.kind not in "biuf" or values.size not in (count, d, count - 1):
            return [], ()
        if not isinstance(seen.actual, np.ndarray) or isinstance(seen.actual, np.matrix) or values.ndim != 1:
            wrapping = ("wrong-container",)
        values = values.astype(np.float64).ravel()
    except (TypeError, ValueError):
        return [], ()
    step = float(np.log(right[0] / right[-1]) / max(count - 1, 1))
    if values.size == count and np.allclose(values, right, rtol=1e-6, atol=1e-12):
        return None, wrapping
    if values.size == d and count > 1:
        return _per_column(values, right, step), wrapping
    if values.size == count - 1 and count > 1:
        ids = {"last-pair-missing": right[:-1], "k-from-one": right[1:]}
        return [Reading(frozenset({i}), omega=values) for i, way in ids.items() if np.allclose(values, way, rtol=1e-5)], ()
    return _same_size(values, right, Size(d, None, step, tuple(range(count)))), wrapping


def _per_column(values: np.ndarray, right: np.ndarray, step: float) -> list[Reading]:
    ids = {"raw-column-2j": np.exp(-step * np.arange(values.size)), "raw-column-j": np.exp(-step * np.arange(values.size) / 2)}
    found = [Reading(frozenset({i}), omega=values) for i, way in ids.items() if np.allclose(values, way, rtol=1e-5, atol=0)]
    repeated = any(np.allclose(values, way, rtol=1e-6) for way in (np.repeat(right, 2), np.tile(right, 2)))
    return [Reading(frozenset({"wrong-container"}), omega=values)] if repeated else found


def _same_size(values: np.ndarray, right: np.ndarray, size: Size) -> list[Reading]:
    count = len(values)
    if not np.isfinite(values[1:]).all():
        return []
    if not np.isfinite(values[0]):
        k = np.arange(1, count)
        harmonic = count > 2 and np.allclose(values[1:] * k, values[1], rtol=1e-4)
        return [Reading(frozenset({"operator-precedence"}), omega=values)] if harmonic else []
    if (values == np.trunc(values)).all() and any((values == way).all() for way in (np.trunc(right), np.round(right))):
        return [Reading(frozenset({"integer-table"}), omega=values)]
    if values[-1] == 0 and np.allclose(values[:-1], right[:-1], rtol=1e-5):
        return [Reading(frozenset({"last-pair-missing"}), omega=values)]
    if np.allclose(values, right, rtol=0.2, atol=6e-4) and coarse(values):
        return [Reading(frozenset({"low-precision"}), omega=values)]
    spectra = spectra_of(values, 2e-6 * np.abs(values) + 1e-14, size, wrapped=False)
    named = [each for each in spectra if each.mistakes and set(each.mistakes) != {"cycles", "missing-minus"}]
    return sorted((Reading(frozenset(s.mistakes), s.base, s.omega) for s in named), key=lambda each: len(each.mistakes))
