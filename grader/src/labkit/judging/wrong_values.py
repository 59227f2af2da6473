"""Mistakes known by their values: what each wrong formula gives for the public calls is stored, and compared with.

A mistake is stored as a few entries of each value and two sums over all of it, so that the file stays small and no
formula reaches students.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from labkit.judging.compare import NUMBERS
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation

ENTRIES = 6  # of a value, evenly spread
CLOSE = 1e-3  # float32 rounding moves an answer by less, two mistakes differ by more
DIGITS = 7


def signature(value: object) -> dict[str, Any] | None:
    """The shape of a value, a few of its entries and two sums of all of them; the texts in a set; None for anything else."""
    if (texts := _texts(value)) is not None:
        return {"shape": [len(texts)], "entries": texts}
    try:
        array = np.asarray(value)
        if array.dtype.kind not in NUMBERS + "O":
            return None
        entries = array.astype(np.float64).ravel()
    except (ValueError, TypeError):
        return None
    if not entries.size:
        return {"shape": list(array.shape), "entries": []}
    places = np.unique(np.linspace(0, entries.size - 1, ENTRIES).round().astype(int))
    signs = np.random.default_rng(entries.size).choice([-1.0, 1.0], entries.size)
    with np.errstate(all="ignore"):
        numbers = [*entries[places], entries.sum(), entries @ signs]
    return {"shape": list(array.shape), "entries": [float(f"{number:.{DIGITS}g}") for number in numbers]}


def _texts(value: object) -> list[str] | None:
    """The texts in a set, or in a list, tuple or array of them, without their order; None for anything else."""
    several = value.ravel().tolist() if isinstance(value, np.ndarray) and value.dtype.kind == "U" else value
    if not isinstance(several, (set, frozenset, list, tuple)) or not all(isinstance(each, str) for each in several):
        return None
    return sorted(set(several))


def same(seen: Mapping[str, Any] | None, stored: Mapping[str, Any] | None, close: float = CLOSE) -> bool:
    """Whether two signatures are of one value, up to rounding. Nothing has the same value as a call that was stopped."""
    if seen is None or stored is None or seen["shape"] != stored["shape"]:
        return False
    entries, wanted = np.array(seen["entries"]), np.array(stored["entries"])
    if "U" in (entries.dtype.kind, wanted.dtype.kind):
        return bool(seen["entries"] == stored["entries"])
    finite = np.abs(wanted[:-2][np.isfinite(wanted[:-2])])
    allowed = np.full(wanted.size, close * max(1.0, finite.max(initial=0.0)))
    allowed[-2:] *= np.sqrt(max(1, np.prod(stored["shape"])))
    with np.errstate(invalid="ignore"):
        return bool(
            ((np.abs(entries - wanted) <= allowed) | (entries == wanted) | np.isnan(entries) & np.isnan(wanted)).all()
        )


def recognise(observations: Sequence[Observation], known: Iterable[Mapping[str, Any]]) -> list[Finding]:
    """The stored mistake that these public calls of an answer show, all of them; nothing where two of them fit."""
    seen = [signature(each.actual) for each in observations]
    fitting = {
        each["id"]: Finding(each["id"], each.get("facts", {}), named=True)
        for each in reversed([*known])
        if compared(each) and all(same(seen[call], value, each.get("close", CLOSE)) for call, value in compared(each))
    }
    return [*fitting.values()] if len(fitting) == 1 else []


def compared(known: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """The number of each public call for which the wrong formula has a value, and the value's signature."""
    return [(call, value) for call, value in enumerate(known["values"]) if value is not None]
