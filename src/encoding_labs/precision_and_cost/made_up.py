"""Replace float32_error with made-up errors, so that a search's first bad position can be anywhere."""

import inspect

import numpy as np

from labkit.student.calls.calling import add_kind

KIND = "search"
RANGE = 2**31  # positions are smaller; factor * position + shift is a multiple of this at exactly one of them
ALL_BAD = 2**18  # from here on all errors are too large, so that a search that missed the first bad position ends


def _errors(positions, tolerance, factor, shift):
    """Make errors that exceed the tolerance at one position, and at all positions from ALL_BAD on."""
    positions = np.asarray(positions).astype(np.int64)
    rest = (positions * factor + shift) & (RANGE - 1)
    return np.where((rest == 0) | (positions >= ALL_BAD), 1.25, rest * (0.8 / RANGE)) * tolerance


def _searched(search, inputs):
    """Run the search. If `inputs` has a factor and a shift, made-up errors replace the student's float32_error.

    In that case the result also says whether the search called float32_error.
    """
    d, tolerance, *numbers = inputs
    names = getattr(inspect.unwrap(search), "__globals__", {})
    own, asked, shape = names.get("float32_error"), [], {}
    if not numbers:
        return search(d, tolerance)
    if not callable(own):
        return [search(d, tolerance), False]

    def made_up(*args, **named):
        asked.append(True)
        positions = inspect.signature(own).bind(*args, **named).args[0] if named else args[0]
        errors = _errors(positions, tolerance, *numbers)
        if (
            errors.ndim == 0 and not shape
        ):  # a search that tests one position at a time expects its own function's shape
            shape[0] = np.shape(own(*args, **named))
        return errors.reshape(shape[0]) if errors.ndim == 0 else errors

    names["float32_error"] = made_up
    try:
        return [search(d, tolerance), bool(asked)]
    finally:
        names["float32_error"] = own


add_kind(KIND, _searched)
