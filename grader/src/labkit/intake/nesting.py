"""How deep JSON is nested, counted without parsing it: a parser may run out of stack on what is deep enough."""

from __future__ import annotations

import re
from itertools import accumulate

_TEXTS = re.compile(
    rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL
)  # an unfinished one too, to the end, so that time stays linear
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_STEP = [1 if byte in b"[{" else -1 for byte in range(256)]


def deeper_than(levels: int, content: bytes) -> bool:
    """Whether lists and objects lie in one another more than so many levels deep."""
    if content.count(b"[") + content.count(b"{") <= levels:
        return False
    brackets = _TEXTS.sub(b"", content).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > levels
