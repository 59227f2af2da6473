"""Settings for grading a class, and the seed for drawing its hidden calls."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from labkit.grade.batch.store import whole
from labkit.student.model.budgets import Budgets

KEPT_IN = "seed.txt"  # in the results folder, so that a regrade draws the same calls


@dataclass(frozen=True)
class Settings:
    """The settings of one grading run."""

    jobs: int = 1
    seed: int = 1
    budgets: Budgets = Budgets()
    memory_share: int | None = None  # bytes per kernel, if less than its budget
    resume: bool = False  # keep every finished result, even time-outs
    use_cache: bool = True
    unsandboxed: bool = False  # grade even without isolation


def seed_for(out: Path, given: int | None, keep: bool = True) -> int:
    """Return the given seed, else the one stored in the folder, else a new one. Errors: OSError."""
    path, seed = out / KEPT_IN, given
    if seed is None:
        with suppress(OSError, ValueError):  # missing, or not a seed
            seed = int(path.read_text("utf-8"))
    if seed is None:
        seed = secrets.randbelow(2**31)
    if keep:
        with whole(path) as file:
            file.write(f"{seed}\n")
    return seed
