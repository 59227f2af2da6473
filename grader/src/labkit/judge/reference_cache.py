"""What references give. Every submission of a class is asked for the same drawn cases, so each is computed once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labkit.model.course import Probe

MOST = 100  # cases kept by a process that judges, and of what size; beyond they are computed again
LARGEST = 2**19  # bytes

_kept: dict[tuple[object, ...], object] = {}


def reference_value(reference: Callable[..., object], probe: Probe) -> object:
    """What the reference gives for the probe's arguments; arrays cannot be written to."""
    key = reference, probe, tuple(map(type, probe.args))  # 1 and 1.0 are different questions
    try:
        if key in _kept:
            return _kept[key]
    except TypeError:  # arguments that cannot be looked up by, such as arrays
        return reference(*probe.inputs())
    value = reference(*probe.inputs())
    if _bytes(value) <= LARGEST:
        if len(_kept) == MOST:
            _kept.clear()
        _kept[key] = value
    return value


def _bytes(value: object) -> int:
    """About how many it takes to keep; an array that is measured can no longer be written to."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
        return value.nbytes
    return 32 + sum(map(_bytes, value)) if isinstance(value, (list, tuple)) else 32
