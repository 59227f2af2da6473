"""Questions about common error messages of Python and NumPy, so that a first try gets more than the bare message."""

from __future__ import annotations

import re

from labkit.student.judging.finding import Finding

# Each error message as a pattern, with the id of the question in words.en.toml.
HINTS = {
    r"could not be broadcast together": "hint-shapes",
    r"could not broadcast input array": "hint-assigned-shape",
    r"setting an array element with a sequence\.$": "hint-one-cell",
    r"mismatch in its core dimension|not aligned": "hint-inner-sizes",
    r"cannot reshape array": "hint-reshape",
    r"only (0-dimensional|length-1|size-1) arrays can be converted": "hint-one-number",
    r"truth value of an array": "hint-truth",
    r"is out of bounds for axis|index out of range": "hint-index",
    r"'numpy\.ndarray' object is not callable": "hint-brackets",
    r"multiply sequence by non-int|operand type.*'(list|range|tuple)'|or slices, not tuple": "hint-list",
    r"only integers, slices|cannot be interpreted as an integer|or slices, not float": "hint-whole",
    r"^Cannot interpret '\d+' as a data type": "hint-shape-tuple",
    r"'NoneType'": "hint-none",
    r"^name '.*' is not defined": "hint-name",
}


def hint_of(message: str) -> Finding | None:
    """The question about an error message, or None if the message is not a common one."""
    return next((Finding(hint) for pattern, hint in HINTS.items() if re.search(pattern, message)), None)
