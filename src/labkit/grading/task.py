"""What a worker is told to judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from labkit.budgets import Budgets


@dataclass(frozen=True)
class Task:
    """One file of one student, and how it is judged."""

    path: Path
    student: str
    seed: int = 0
    budgets: Budgets = Budgets()
