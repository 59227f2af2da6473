"""Cache reference values: every submission of a class gets the same drawn cases, so each is computed once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labkit.model.course import Probe

MOST = 100  # cases cached by a grading process, each up to LARGEST; others are computed again
LARGEST = 2**19  # bytes

_kept: dict[tuple[object, ...], object] = {}


def reference_value(reference: Callable[..., object], probe: Probe) -> object:
    """The reference's value for the probe's arguments; arrays are read-only."""
    key = reference, probe, tuple(map(type, probe.args))  # 1 and 1.0 are different questions
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
    """Approximate size of a value; makes arrays read-only."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
        return value.nbytes
    return 32 + sum(map(_bytes, value)) if isinstance(value, (list, tuple)) else 32
