"""Cache reference values. All submissions of a class get the same drawn cases, so each case is computed once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labkit.student.model.course import Probe

MOST = 100  # cases cached by a grading process, each at most LARGEST; further ones are computed again
LARGEST = 2**19  # bytes

_kept: dict[tuple[object, ...], object] = {}


def reference_value(reference: Callable[..., object], probe: Probe) -> object:
    """Compute the reference's value for the probe's arguments. Any arrays in a cached value are read-only."""
    key = reference, probe, tuple(map(type, probe.args))  # 1 and 1.0 may give different values
    try:
        if key in _kept:
            return _kept[key]
    except TypeError:  # unhashable arguments, such as arrays
        return reference(*probe.inputs())
    value = reference(*probe.inputs())
    if _bytes(value) <= LARGEST:
        if len(_kept) == MOST:
            _kept.clear()
        _kept[key] = value
    return value


def _bytes(value: object) -> int:
    """Estimate the size of a value, and make its arrays read-only."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
        return value.nbytes
    return 32 + sum(map(_bytes, value)) if isinstance(value, (list, tuple)) else 32
