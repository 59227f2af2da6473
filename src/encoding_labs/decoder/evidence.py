"""Find the one or two mistakes that explain every wrong table or list of frequencies in an answer, and the facts of each."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from encoding_labs.decoder.forms import MARK, Returned, differing_form, is_stacked_anyhow, table_in
from encoding_labs.decoder.frequency_readings import frequencies_in
from encoding_labs.decoder.readings import readings
from encoding_labs.decoder.whole_table import Reading
from labkit.student.judging.compare import difference, kind_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, Raised, call_of

NO_MISTAKE = (frozenset(), None)  # the key for a table in which the mistake is absent or too small to see
# Mistakes that leave columns unwritten, each with those columns.
UNWRITTEN = ("last-pair-missing", np.s_[-2:]), ("columns-unwritten", np.s_[::2]), ("columns-unwritten", np.s_[1::2])
Evidence = dict[str, Mapping[str, object]]  # the facts for each mistake found


@dataclass(frozen=True)
class Answer:
    """The observations of one answer as a cache key. Arrays cannot be hashed, so the key is an id."""

    id: int
    observations: Sequence[Observation] = field(compare=False)


@lru_cache(maxsize=1)  # the recognizers of all mistakes inspect the same answer in turn
def evidence(answer: Answer) -> Evidence:
    """Collect all mistakes found in an answer. The cache keeps the observations alive, so their ids stay valid."""
    of_frequencies = answer.observations[0].exercise.name == "frequencies"
    return (_in_frequencies if of_frequencies else _in_tables)(answer.observations)


def _in_tables(observations: Sequence[Observation]) -> Evidence:
    tables = [table_in(seen) for seen in _with_values(observations, axes=2)]
    wrong = [table for table in tables if table.right is False]
    candidates = _readings_in_turn(wrong)
    unsure = [table for table, found in zip(wrong, candidates) if not found and is_stacked_anyhow(table)]
    found = {name: _numbers(table.seen) for table in tables if table not in unsure for name in table.in_form}
    if wrong:
        # A wrong formula can give the right table by chance: 1000**(-2k/(d - 2)) does at d = 8.
        right = [readings(table.values, table.seen.expected) for table in tables if table.right and all(candidates)]
        chosen = _shared(candidates, right)
        found = _explained(wrong, chosen) | found if chosen else found | _left_in_memory(wrong)
    return (found or _of_another_dtype(tables)) | _for_an_odd_d(observations)


def _in_frequencies(observations: Sequence[Observation]) -> Evidence:
    rows = [frequencies_in(seen) for seen in _with_values(observations, axes=1)]
    found = {name: _numbers(row.seen) for row in rows for name in row.in_form}
    large = [row for row in rows if len(row.seen.expected) > 2]
    wrong = [row for row in large if not row.right] or [row for row in rows if not row.right]
    chosen = _shared([row.readings for row in wrong], [row.readings for row in large if row.right]) if wrong else []
    return _explained(wrong, chosen) | found


def _with_values(observations: Sequence[Observation], axes: int) -> list[Observation]:
    return [seen for seen in observations if not isinstance(seen.actual, Raised) and np.ndim(seen.expected) == axes]


def _readings_in_turn(wrong: Sequence[Returned]) -> list[list[Reading]]:
    """Find the readings of each table. Once a table has none, skip the rest, because no mistake can explain them all."""
    found: list[list[Reading]] = []
    for table in wrong:
        readable = all(found) and table.values is not None
        found.append(readings(table.values, table.seen.expected) if readable else [])
    return found


def _shared(candidates: Sequence[Sequence[Reading]], right: Sequence[Sequence[Reading]]) -> list[Reading]:
    """Choose the reading with the fewest mistakes that fits all tables. Returns each wrong table's own version of it."""
    keys = [{reading.key for reading in found} for found in candidates]
    keys += [{reading.key for reading in found} | {NO_MISTAKE} for found in right]
    key = next((reading.key for reading in candidates[0] if reading.key in set.intersection(*keys)), None)
    return [next(reading for reading in found if reading.key == key) for found in candidates] if key else []


def _explained(wrong: Sequence[Returned], chosen: Sequence[Reading]) -> Evidence:
    """The mistakes in the chosen readings, each with the numbers of the first table that shows it."""
    by_table = [dict.fromkeys(reading.mistakes, _numbers(table.seen, reading)) for table, reading in zip(wrong, chosen)]
    return dict(ChainMap(*by_table))


def _left_in_memory(wrong: Sequence[Returned]) -> Evidence:
    """Recognize tables in which some columns are right and the rest unwritten, clearly so in at least one table."""
    for name, left in UNWRITTEN:
        if all(_rest_is_right(left, each) for each in wrong) and any(_are_unwritten(left, each) for each in wrong):
            return {name: _numbers(wrong[0].seen)}
    return {}


def _rest_is_right(left: slice, table: Returned) -> bool:
    if table.values is None or table.in_form:
        return False
    written, right = (np.delete(each, left, axis=1) for each in (table.values, table.seen.expected))
    return not difference(written, right, table.seen.exercise.tolerance)


def _are_unwritten(left: slice, table: Returned) -> bool:
    """Whether the columns `left` look unwritten: a column of zeros, the value MARK, or a number that cannot be a sine."""
    with np.errstate(all="ignore"):
        rest = table.values[:, left]
        odd = ~np.isfinite(rest) | (np.abs(rest) > 1e4) | (np.abs(rest) < 1e-30) & (rest != 0) | (rest == MARK)
        return bool(odd.any() or (rest == 0).all(axis=0).any())


def _of_another_dtype(tables: Sequence[Returned]) -> Evidence:
    differ = [table.seen for table in tables if (gap := table.seen.difference) and gap.id == "dtype"]
    named = [seen for seen in differ if seen.actual.dtype.kind in "biufO"]
    return {"wrong-container": _numbers(named[0])} if named else {}


def _for_an_odd_d(observations: Sequence[Observation]) -> Evidence:
    """Report a table returned for an odd d, unless the same table was returned for another size."""
    refused = [seen for seen in observations if seen.raises and not isinstance(seen.actual, Raised)]
    odd = [seen for seen in refused if len(seen.args) == 2 and seen.args[1] % 2]
    others = [seen.actual for seen in observations if not seen.raises and isinstance(seen.actual, np.ndarray)]
    accepted = [seen for seen in odd if not any(_equal(seen.actual, each) for each in others)]
    return {"odd-d-accepted": _numbers(accepted[-1])} if accepted else {}


def _equal(one: object, other: np.ndarray) -> bool:
    return isinstance(one, np.ndarray) and one.size > 0 and np.array_equal(one, other)


def _numbers(seen: Observation, reading: Reading = Reading(frozenset())) -> dict[str, object]:
    """Facts for messages: the call, its result, the result's row 0, and the decoded speeds."""
    actual, array = seen.actual, isinstance(seen.actual, np.ndarray)
    row = np.ravel(actual[0]) if array and actual.ndim > 1 and len(actual) and actual.dtype.kind in "biuf" else []
    omega = np.ones(2) if reading.omega is None else reading.omega
    second = omega[min(1, omega.size - 1)]
    return {
        "call": call_of(seen),
        "seen": Finding("array-of", {"shape": str(actual.shape), "dtype": actual.dtype}) if array else kind_of(actual),
        "row": ", ".join(f"{x + 0.0:.4g}" for x in row[:4]),
        "half": ", ".join(f"{x + 0.0:.4g}" for x in row[len(row) // 2 :][:2]),
        "first": float(omega[0]),
        "second": float(second),
        "last": float(omega[-1]),
        "ratio": float(second / omega[0]) if omega[0] else 0.0,
        "base": reading.base or 0.0,
        "radius": reading.radius,
        "square": reading.radius**2,
        "count": omega.size,
        "pairs": np.shape(seen.expected)[0] if np.ndim(seen.expected) == 1 else 0,
        "differs": differing_form(seen),
    }
