"""How a class is graded, and the seed that draws its hidden probes."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from labkit.grading.cache import whole
from labkit.model.budgets import Budgets

KEPT_IN = "seed.txt"  # in the folder of results, so that grading again gives the same


@dataclass(frozen=True)
class Settings:
    """What was chosen for a run."""

    jobs: int = 1
    seed: int = 1
    budgets: Budgets = Budgets()
    memory_share: int | None = None  # bytes that each kernel is left, where that is less than its budget
    resume: bool = False  # take every finished result, a timed-out one too
    use_cache: bool = True
    unsandboxed: bool = False  # also where kernels are not held in


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
