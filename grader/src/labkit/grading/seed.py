"""The seed that draws hidden probes: drawn once for each folder of results, so that grading again gives the same."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from labkit.grading.cache import whole

KEPT_IN = "seed.txt"


def seed_for(out: Path, given: int | None, keep: bool = True) -> int:
    """The seed that is given, else the one that this folder was graded with before, else a new one. Errors: OSError."""
    path, seed = out / KEPT_IN, given
    if seed is None:
        with suppress(OSError, ValueError):  # there is none yet, or it is none
            seed = int(path.read_text("utf-8"))
    if seed is None:
        seed = secrets.randbelow(2**31)
    if keep:
        with whole(path) as file:
            file.write(f"{seed}\n")
    return seed
