"""How deep JSON is nested, counted without parsing it: a parser may run out of stack on what is deep enough."""

from __future__ import annotations

import re

import numpy as np

_TEXTS = re.compile(
    rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL
)  # an unfinished one too, to the end, so that time stays linear
_STEP = np.zeros(256, np.int8)
_STEP[[*b"[{"]], _STEP[[*b"]}"]] = 1, -1


def deeper_than(levels: int, content: bytes) -> bool:
    """Whether lists and objects lie in one another more than so many levels deep."""
    if content.count(b"[") + content.count(b"{") <= levels:
        return False
    steps = _STEP[np.frombuffer(_TEXTS.sub(b"", content), np.uint8)]
    return bool(np.cumsum(steps[steps != 0], dtype=np.int64).max(initial=0) > levels)
