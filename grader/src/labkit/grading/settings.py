"""How a class is graded."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.model.budgets import Budgets


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
