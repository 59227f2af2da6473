"""Explain a wrong table by the one or two mistakes that produce its numbers. An explanation is called a reading.

A reading counts only if the table that it predicts from the decoded numbers equals the given one. So an answer that is wrong in an
unknown way has no reading, and its message describes the table instead of naming a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from encoding_labs.decoder.features import ROWS, never_written, pairs_of, restacked, stackings, turning
from encoding_labs.decoder.spectra import RIGHT, Size, Speeds, known, round_bases, spectra_of
from encoding_labs.decoder.whole_table import SOME_SIZES, Reading, as_a_whole

LAYOUTS = {  # the mistakes that give each layout, without and with cosine before sine
    "interleaved": ((), ("swapped-sin-cos",)),
    "halves": (("halves-layout",), ("halves-swapped",)),
}
STACKED = (("wrong-stack-axis",), ("swapped-sin-cos", "wrong-stack-axis"))
RAW_COLUMNS = {"raw-column-2j": 1.0, "raw-column-j": 0.5}  # what the column's index is multiplied by


def readings(table: np.ndarray, right: np.ndarray) -> list[Reading]:
    """Find the readings (explanations) of a wrong table, fewest mistakes first. Both tables have shape (T, d), T >= 3 and d >= 4."""
    with np.errstate(all="ignore"):
        found = as_a_whole(table, right) or _by_pairs(table, right) or _by_columns(table, right)
        if not found and table.min() >= -1e-6 and table.max() <= 1 + 1e-6:
            # Adding a tiny number changes no value except exact zeros.
            found = [_with(each, "scaled-values", radius=0.5) for each in _by_pairs(2 * table - 1 + 1e-300, right)]
        found = found or _out_of_order(table, right)
    return sorted((each for each in found if each.mistakes), key=lambda each: len(each.mistakes))


def _with(reading: Reading, *mistakes: str, radius: float | None = None) -> Reading:
    return Reading(reading.mistakes | set(mistakes), reading.base, reading.omega, radius or reading.radius)


def right_size(right: np.ndarray, kept: tuple[int, ...] | None = None) -> Size:
    """Read the parameters of the right table from its shape and from row 1."""
    T, d = right.shape
    omega = np.arctan2(right[1, 0::2], right[1, 1::2])
    return Size(d, T, float(np.log(omega[0] / omega[-1]) / (d // 2 - 1)), kept or tuple(range(d // 2)))


def _out_of_order(table: np.ndarray, right: np.ndarray) -> list[Reading]:
    """Find mistakes that affect all cells alike, in a table whose columns or rows are also in the wrong places."""
    for layout, orders in LAYOUTS.items():
        first, second = pairs_of(layout, table)
        for names, pair in zip(orders, ((first, second), (second, first))):
            if names and (found := as_a_whole(np.stack(pair, axis=-1).reshape(table.shape), right)):
                return [_with(reading, *names) for reading in found]
    later = as_a_whole(np.vstack([right[:1], table[:-1]]), right)
    return [_with(reading, "positions-from-one") for reading in later if reading.mistakes <= SOME_SIZES]


def _by_pairs(table: np.ndarray, right: np.ndarray) -> list[Reading]:
    """Find mistakes that leave the two columns of each pair the sine and cosine of one angle."""
    found = []
    for first in (0, 1) if not table[0].any() and table[1:].any() else (0,):  # if row 0 is all zeros, it may be padding
        for layout, orders in LAYOUTS.items():
            found += _two_orders(*pairs_of(layout, table[first:]), right, first, orders)
    if any(reading.mistakes for reading in found):
        return found
    for cells in stackings(*table.shape):
        pairs = pairs_of("interleaved", restacked(table, cells))
        if _of_one_length(*pairs) and (stacked := list(_two_orders(*pairs, right, 0, STACKED))):
            return stacked
    return []


def _of_one_length(sines: np.ndarray, cosines: np.ndarray) -> bool:
    square = sines[:ROWS] ** 2 + cosines[:ROWS] ** 2
    return bool(np.ptp(square) <= 1e-3 * abs(square[-1, 0]))


def _two_orders(first, second, right, skipped: int, orders: tuple) -> Iterator[Reading]:
    """Read the two members of each pair as sine and cosine, then as cosine and sine. skipped: rows left out at the top."""
    kept, missing = _written_pairs(first, second)
    if kept is None:
        return
    padding = ("padding-row",) if skipped else ()
    for names, sines, cosines in zip(orders, (first, second), (second, first)):
        for reading in _uniform(sines[:, kept], cosines[:, kept], right, skipped, tuple(kept)):
            if missing != ("operator-precedence",) or missing[0] in reading.mistakes:
                yield _with(reading, *names, *padding, *missing)


def _written_pairs(sines: np.ndarray, cosines: np.ndarray) -> tuple[list[int] | None, tuple[str, ...]]:
    """Find the pairs that have values, and the mistake that leaves the other pairs empty."""
    count = sines.shape[1]
    if _of_one_length(sines, cosines):
        return list(range(count)), ()
    broken = ~np.isfinite(sines).all(axis=0) & ~np.isfinite(cosines).all(axis=0)
    if broken.any():
        rest_is_finite = np.isfinite(sines[:, 1:]).all() and np.isfinite(cosines[:, 1:]).all()
        if broken[0] and broken.sum() == 1 and count > 2 and rest_is_finite:
            return list(range(1, count)), ("operator-precedence",)
        return (list(range(count - 1)), ("last-pair-missing",)) if broken[-1] and broken.sum() == 1 else (None, ())
    blank = never_written(sines) & never_written(cosines) & (np.abs(sines**2 + cosines**2 - 1) > 1e-3).any(axis=0)
    if not blank.any() or count - blank.sum() < 2:
        return list(range(count)), ()
    kept = list(map(int, np.flatnonzero(~blank)))
    return kept, ("last-pair-missing",) if blank[-1] and blank.sum() == 1 else ("columns-unwritten",)


def _uniform(sines, cosines, right, skipped: int, kept: tuple) -> Iterator[Reading]:
    yield from _floored(sines, cosines, right)
    seen = turning(sines, cosines)
    if seen is None:
        return
    size = right_size(right, kept)
    for names, start, direction in _positions(size.T, skipped):
        speed = direction * seen.speed
        if np.abs(seen.start - np.exp(1j * (start * speed))).max() > 1e-3 + 4e-6 * abs(start):
            continue
        for reading in spectra_of(Speeds(speed, seen.error, wrapped=True), size):
            if _predicts(seen.z, start + direction * np.arange(len(seen.z)), reading.omega):
                scaled = ("scaled-values",) if abs(seen.radius - 1) > 1e-3 else ()
                yield _with(reading, *names, *scaled, radius=seen.radius)


def _positions(T: int, skipped: int = 0) -> list[tuple]:
    """List ways to number the rows: (mistakes, position of the first row, step from row to row)."""
    one, back, minus = ("positions-from-one",), ("rows-reversed",), ("negative-position",)
    if skipped:
        return [((), 1, 1), ((), 0, 1), (one, 2, 1), (back, T - 2, -1), (minus, -1, -1)]
    return [((), 0, 1), (one, 1, 1), (back, T - 1, -1), (minus, 0, -1), (minus + one, -1, -1), (back + one, T, -1)]


def _predicts(z: np.ndarray, position: np.ndarray, omega: np.ndarray) -> bool:
    rows = slice(None) if np.abs(omega).max() < 10 else slice(ROWS)
    z, position = z[rows], position[rows][:, None]
    allowed = 5e-6 + 1e-6 * np.abs(position) * np.maximum(1, np.abs(omega))
    return bool((np.abs(z - np.exp(1j * position * omega)) <= allowed).all())


def _floored(sines: np.ndarray, cosines: np.ndarray, right: np.ndarray) -> Iterator[Reading]:
    """Recognize angles that are whole numbers of radians: constant for some rows, then a step."""
    z = cosines[:ROWS] + 1j * sines[:ROWS]
    if not np.abs(np.abs(z) - 1).max() <= 1e-3:
        return
    whole = np.arange(-1, len(z) + 2)
    near = np.abs(np.exp(1j * whole) - z[..., None])
    steps = np.diff(whole[near.argmin(axis=-1)], axis=0)
    if near.min(axis=-1).max() > 1e-4 or ((steps != 0) & (steps != 1)).any() or not (steps == 0).any():
        return
    omega = np.arctan2(right[1, 0::2], right[1, 1::2])
    too_short_to_show = not ((omega < 0.9) & (omega * (len(z) - 1) > 1.5)).any()
    if too_short_to_show or (np.ptp(steps, axis=0) == 1).any():
        yield Reading(frozenset({"floored-angle"}))


def _by_columns(table: np.ndarray, right: np.ndarray) -> list[Reading]:
    """Find mistakes that make the two columns of a pair something other than the sine and cosine of one angle."""
    layouts = [(names, *pairs_of(layout, table)) for layout, (names, _) in LAYOUTS.items()]
    found = [_with(each, *names) for names, *partners in layouts for each in _partners(*partners, right)]
    return found or list(_raw_columns(table, right))


def _partners(first: np.ndarray, second: np.ndarray, right: np.ndarray) -> list[Reading]:
    """Find pairs of columns that are not sine and cosine of one angle: equal, unwritten, or one computed from the other."""
    ways = []  # (columns, the function that gives them, the mistakes)
    if np.abs(first - second).max() < 1e-6:
        ways = [(first, function, ("same-function-twice",)) for function in (np.sin, np.cos)]
    elif never_written(second).all():
        ways = [(first, np.sin, ("columns-unwritten",)), (first, np.cos, ("columns-unwritten", "swapped-sin-cos"))]
    elif never_written(first).all():
        ways = [(second, np.cos, ("columns-unwritten",)), (second, np.sin, ("columns-unwritten", "swapped-sin-cos"))]
    elif np.abs(np.cos(first) - second).max() < 1e-5:
        ways = [(first, np.sin, ("cos-of-sin",))]
    elif np.abs(np.sin(second) - first).max() < 1e-5:
        ways = [(second, np.cos, ("cos-of-sin",))]
    return [_with(each, *names) for columns, kind, names in ways for each in _one_function(columns, kind, right)]


def _one_function(columns: np.ndarray, kind: Callable, right: np.ndarray) -> Iterator[Reading]:
    """Read columns that are all sines or all cosines. Their speeds cannot be decoded, so known speeds are tried."""
    laws, omega = known(right_size(right))
    simple = [i for i, law in enumerate(laws) if len(law.mistakes) <= 1]
    laws, omega = [laws[i] for i in simple], omega[simple]
    for mistakes, start, direction in _positions(len(right))[:4]:
        rows = start + direction * np.arange(len(columns))
        near = np.ones(len(omega), bool)
        for row in (1, 2, len(columns) - 1):
            near &= (np.abs(kind(rows[row] * omega) - columns[row]) < 1e-3 + 1e-6 * abs(rows[row]) * omega).all(axis=1)
        for i in np.flatnonzero(near):
            allowed = 5e-6 + 1e-6 * np.abs(rows)[:, None] * np.maximum(1, omega[i])
            if (np.abs(kind(rows[:, None] * omega[i]) - columns) <= allowed).all():
                yield Reading(frozenset((*mistakes, *laws[i].mistakes)), laws[i].base, omega[i])


def _raw_columns(table: np.ndarray, right: np.ndarray) -> Iterator[Reading]:
    """Recognize columns that each have their own speed, computed from the column's index instead of the pair's."""
    size, column = right_size(right), np.arange(table.shape[1])
    ways = list(product(_positions(size.T)[:4], (((), np.sin, np.cos), (("swapped-sin-cos",), np.cos, np.sin))))
    for law, name in product((RIGHT, *round_bases(size, RIGHT)), RAW_COLUMNS):
        omega = np.exp(-size.step * law.m * RAW_COLUMNS[name] * column)
        for (by_position, start, direction), (by_order, one, other) in ways:
            if np.abs(one((start + direction) * omega[:4:2]) - table[1, :4:2]).max() > 1e-3:
                continue
            rows = (start + direction * np.arange(size.T))[:, None]
            gap = np.abs(np.where(column % 2 == 0, one(rows * omega), other(rows * omega)) - table)
            if (gap <= 5e-6 + 1e-6 * np.abs(rows)).all():
                yield Reading(frozenset((name, *law.mistakes, *by_position, *by_order)), law.base, omega)
