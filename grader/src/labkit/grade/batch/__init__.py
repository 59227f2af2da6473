"""Grade many submissions, and return their results."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.student.model.budgets import Budgets


@dataclass(frozen=True)
class Settings:
    """The settings of one grading run."""

    jobs: int = 1
    seed: int = 1
    budgets: Budgets = Budgets()
    resume: bool = False  # keep every finished result, even time-outs
    use_cache: bool = True
    unsandboxed: bool = False  # grade even without isolation
