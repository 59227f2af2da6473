"""All observations of one answer together: the mistakes that explain every wrong one of them, with the numbers to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from encoding_labs.build_the_table.features import unwrapped
from encoding_labs.build_the_table.frequency_readings import frequency_readings
from encoding_labs.build_the_table.readings import readings
from encoding_labs.build_the_table.whole_table import Reading
from labkit.judging.compare import described, difference
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, Raised
from labkit.judging.wording import call_text

TABLE = ("sinusoidal_pe",)
BOTH = ("frequencies", "sinusoidal_pe")
MARK = 7  # what a first result is overwritten with before the second call
NOTHING = (frozenset(), None)  # the key of a table that shows no mistake, or one that is too small to see

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
    explained, right = [], []
    tables = [seen for seen in observations if not isinstance(seen.actual, Raised) and np.ndim(seen.expected) == 2]
    for seen in tables:
        if _is_marked(seen):
            found["shared-state"] = _numbers(seen, None)
            continue
        if isinstance(seen.actual, np.ndarray) and seen.actual.dtype.kind in "biu" and seen.actual.size:
            found["integer-table"] = _numbers(seen, None)
            continue
        T, d = seen.expected.shape
        hopeless = any(not candidates for _, candidates in explained)  # one table without a reading leaves no name
        body = unwrapped(seen.actual, T, d)
        if body is None:
            found.update(dict.fromkeys(_by_shape(seen), _numbers(seen, None)))
            if seen.difference and T >= 3 and d >= 4:
                explained.append((seen, []))
            continue
        table, wrapping = body
        values = difference(table, seen.expected, seen.exercise.tolerance)
        if T < 3 or d < 4:
            found.update(dict.fromkeys(wrapping, _numbers(seen, None)) if T else {})
            continue
        if "last-pair-missing" in wrapping and not _away(table[:, :-2], seen.expected[:, :-2]):
            values = None
        candidates = readings(table, seen.expected) if values and not hopeless else []
        if wrapping != ("wrong-stack-axis",) or not values or candidates or _same_values(table, seen.expected):
            found.update(dict.fromkeys(wrapping, _numbers(seen, None)))
        if values:
            explained.append((seen, candidates))
        else:
            right.append((table, seen.expected))
    # A right table may be right by chance: at d = 8 an exponent over d - 2 with base 1000 is.
    chance = [{reading.key for reading in readings(*each)} | {NOTHING} for each in right] if explained else []
    if explained and not _settle(found, explained, chance):
        found.update(_memory([seen for seen, _ in explained]))
    if not found:
        _dtype_alone(found, observations)
    _odd(found, observations)
    return found


def _in_frequencies(observations: Sequence[Observation]) -> dict[str, Mapping]:
    found: dict[str, Mapping] = {}
    explained, chance = [], []
    for seen in observations:
        if isinstance(seen.actual, Raised) or np.ndim(seen.expected) != 1:
            continue
        candidates, wrapping = frequency_readings(seen)
        found.update(dict.fromkeys(wrapping, _numbers(seen, None)))
        if candidates is None:
            chance += [{NOTHING}] if len(seen.expected) > 2 else []
        else:
            explained.append((seen, candidates))
    large = [each for each in explained if len(each[0].expected) > 2]
    if explained:
        _settle(found, large or explained, chance)
    return found


def _settle(found: dict, explained: list, chance: list[set]) -> bool:
    """Add the fewest mistakes that explain every wrong table, and leave right those that are right."""
    common = set.intersection(*({reading.key for reading in candidates} for _, candidates in explained), *chance)
    chosen = next((reading.key for reading in explained[0][1] if reading.key in common), None)
    for seen, candidates in explained if chosen else ():
        reading = next(reading for reading in candidates if reading.key == chosen)
        found.update({mistake: _numbers(seen, reading) for mistake in reading.mistakes if mistake not in found})
    return chosen is not None


def _memory(tables: Sequence[Observation]) -> dict[str, Mapping]:
    """Some columns are right, and the others hold what memory held before: traces of it in one table are enough."""
    sets = {
        "last-pair-missing": lambda column, d: column >= d - 2,
        "columns-unwritten": lambda column, d: column % 2 == 0,
        "columns-unwritten ": lambda column, d: column % 2 == 1,
    }
    for name, left in sets.items():
        traces = [_traces(seen, left) for seen in tables]
        if all(trace is not None for trace in traces) and any(traces):
            return {name.strip(): _numbers(tables[0], None)}
    return {}


def _traces(seen: Observation, left) -> bool | None:
    """Do these columns show memory that was not written: numbers no sine can be, zeros, the mark? None: others are wrong."""
    body = unwrapped(seen.actual, *seen.expected.shape)
    if body is None or body[1]:
        return None
    table, columns = body[0], left(np.arange(seen.expected.shape[1]), seen.expected.shape[1])
    if difference(table[:, ~columns], seen.expected[:, ~columns], seen.exercise.tolerance):
        return None
    with np.errstate(all="ignore"):
        rest = table[:, columns]
        odd = ~np.isfinite(rest) | (np.abs(rest) > 1e4) | (np.abs(rest) < 1e-30) & (rest != 0) | (rest == MARK)
        return bool(odd.any() or (rest == 0).all(axis=0).any())


def _is_marked(seen: Observation) -> bool:
    """All of it is what the first result was overwritten with. (A part may be: memory that was not written again.)"""
    actual = seen.actual
    return (
        isinstance(actual, np.ndarray)
        and actual.dtype.kind in "iuf"
        and actual.size > 0
        and bool((actual == MARK).all())
    )


def _away(actual: np.ndarray, expected: np.ndarray) -> bool:
    return actual.shape != expected.shape or bool(np.abs(actual - expected).max() > 1e-3)


def _same_values(table: np.ndarray, right: np.ndarray) -> bool:
    return bool(np.abs(np.sort(table, axis=None) - np.sort(right, axis=None)).max() < 1e-3)


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
        if (
            wrong
            and wrong.kind == "dtype"
            and isinstance(seen.actual, np.ndarray)
            and seen.actual.dtype.kind in "biufO"
        ):
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
    with np.errstate(invalid="ignore"):
        return float(np.abs(seen.actual - seen.expected).max()) if same else 0.0
