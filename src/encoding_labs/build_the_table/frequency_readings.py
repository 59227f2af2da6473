"""Readings of wrong frequencies: here the speeds need no decoding, and aliasing hides nothing."""

from __future__ import annotations

import numpy as np

from encoding_labs.build_the_table.features import coarse
from encoding_labs.build_the_table.spectra import Size, Speeds, spectra_of
from encoding_labs.build_the_table.whole_table import Reading
from labkit.judging.observation import Observation


def frequency_readings(seen: Observation) -> tuple[list[Reading] | None, tuple[str, ...]]:
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
        return [
            Reading(frozenset({i}), omega=values) for i, way in ids.items() if np.allclose(values, way, rtol=1e-5)
        ], ()
    return _same_size(values, right, Size(d, None, step, tuple(range(count)))), wrapping


def _per_column(values: np.ndarray, right: np.ndarray, step: float) -> list[Reading]:
    column = np.arange(values.size)
    ids = {"raw-column-2j": np.exp(-step * column), "raw-column-j": np.exp(-step * column / 2)}
    found = [
        Reading(frozenset({i}), omega=values) for i, way in ids.items() if np.allclose(values, way, rtol=1e-5, atol=0)
    ]
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
    whole = []
    if (values == np.trunc(values)).all() and any((values == way).all() for way in (np.trunc(right), np.round(right))):
        whole = [Reading(frozenset({"integer-table"}), omega=values)]
    if values[-1] == 0 and np.allclose(values[:-1], right[:-1], rtol=1e-5):
        return [Reading(frozenset({"last-pair-missing"}), omega=values)]
    if np.allclose(values, right, rtol=0.2, atol=6e-4) and coarse(values):
        return [Reading(frozenset({"low-precision"}), omega=values)]
    spectra = spectra_of(Speeds(values, 2e-6 * np.abs(values) + 1e-14, wrapped=False), size)
    return whole + sorted((each for each in spectra if each.mistakes), key=lambda each: len(each.mistakes))
