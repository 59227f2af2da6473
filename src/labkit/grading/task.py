"""What a worker is told to do."""

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
    digest: str | None = None  # of the bytes that were looked at; other bytes are not judged in their place


@dataclass(frozen=True)
class CourseCheck:
    """Look whether these labs can be judged at all; the answer is a list of what is wrong, each in a line."""

    labs: tuple[str, ...]
