"""Find the mistakes that explain wrong frequencies. Unlike a table, they give the speeds directly, without aliasing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from encoding_labs.decoder.features import coarse
from encoding_labs.decoder.forms import Returned
from encoding_labs.decoder.spectra import Size, Speeds, spectra_of
from encoding_labs.decoder.whole_table import Reading, named
from labkit.student.judging.observation import Observation

TINY = 1e-13  # radians per position


def frequencies_in(seen: Observation) -> Returned:
    right, count, d = seen.expected, len(seen.expected), 2 * len(seen.expected)
    try:
        array = np.asarray(seen.actual)
    except (TypeError, ValueError):
        return Returned(seen, right=False)
    if array.dtype.kind not in "biuf" or array.size not in (count, d, count - 1):
        return Returned(seen, right=False)
    one_axis = isinstance(seen.actual, np.ndarray) and not isinstance(seen.actual, np.matrix) and array.ndim == 1
    in_form = () if one_axis else ("wrong-container",)
    values = array.astype(np.float64).ravel()
    if values.size == count and np.allclose(values, right, rtol=1e-6, atol=1e-12):
        return Returned(seen, in_form, right=True)
    if count < 2:  # a single frequency is 1 under every law
        return Returned(seen, in_form, right=False)
    size = Size(d, None, float(np.log(right[0] / right[-1]) / (count - 1)), tuple(range(count)))
    if values.size == d:
        return Returned(seen, in_form, False, readings=_per_column(values, right, size.step))
    if values.size == count - 1:
        ways = {"last-pair-missing": right[:-1], "k-from-one": right[1:]}
        return Returned(seen, (), False, readings=_like(ways, values))
    return Returned(seen, in_form, False, readings=_same_size(values, right, size))


def _per_column(values: np.ndarray, right: np.ndarray, step: float) -> list[Reading]:
    if any(np.allclose(values, way, rtol=1e-6) for way in (np.repeat(right, 2), np.tile(right, 2))):
        return [named("wrong-container", values)]
    column = np.arange(values.size)
    return _like({"raw-column-2j": np.exp(-step * column), "raw-column-j": np.exp(-step * column / 2)}, values, atol=0)


def _like(ways: Mapping[str, np.ndarray], values: np.ndarray, atol: float = 1e-8) -> list[Reading]:
    return [named(name, values) for name, way in ways.items() if np.allclose(values, way, rtol=1e-5, atol=atol)]


def _same_size(values: np.ndarray, right: np.ndarray, size: Size) -> list[Reading]:
    count = len(values)
    if not np.isfinite(values[1:]).all():
        return []
    if not np.isfinite(values[0]):
        harmonic = count > 2 and np.allclose(values[1:] * np.arange(1, count), values[1], rtol=1e-4)
        return [named("operator-precedence", values)] if harmonic else []
    if values[-1] == 0 and np.allclose(values[:-1], right[:-1], rtol=1e-5):
        return [named("last-pair-missing", values)]
    if np.allclose(values, right, rtol=0.2, atol=6e-4) and coarse(values):
        return [named("low-precision", values)]
    cut = any((values == way).all() for way in (np.trunc(right), np.round(right)))
    spectra = spectra_of(Speeds(values, 2e-6 * np.abs(values) + 1e-14, wrapped=False), size)
    agreeing = (each for each in spectra if each.mistakes and _tiny_ones_agree(values, each.omega))
    wrong = sorted(agreeing, key=lambda each: len(each.mistakes))
    return [named("integer-table", values), *wrong] if cut else wrong


def _tiny_ones_agree(values: np.ndarray, omega: np.ndarray) -> bool:
    """Whether frequencies that are all tiny but the first agree, too: with an absolute tolerance, any would."""
    if (np.abs(values[1:]) > TINY).any():
        return True
    gone = values == 0  # too small for float32
    return bool(np.allclose(values[~gone], omega[~gone], rtol=1e-4, atol=0) and (np.abs(omega[gone]) <= TINY).all())
