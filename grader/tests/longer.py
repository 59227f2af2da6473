"""How much of the long tests is run: a part of each for every change, the whole of them by `make test LONG=1`."""

from __future__ import annotations

import os
from collections.abc import Sequence

LONG = bool(os.environ.get("LABKIT_LONG"))


def every(step: int, items: Sequence, start: int = 0) -> list:
    """Every `step`-th of the items, or all of them."""
    return list(items) if LONG else list(items)[start::step]


def times(few: int, many: int) -> int:
    return many if LONG else few
