"""What a grading process is asked to do: grade one file, or check the course's own tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from labkit.model.budgets import Budgets


@dataclass(frozen=True)
class Task:
    """What a worker is told to do: one file of one student, and how it is judged."""

    path: Path
    student: str
    seed: int = 0
    budgets: Budgets = Budgets()
    digest: str | None = None  # of the bytes that were looked at; other bytes are not judged in their place
    lab: str = ""  # that its row names where it cannot be judged, else what the file is called


@dataclass(frozen=True)
class CourseCheck:
    """Look whether these labs can be judged at all; the answer is a list of what is wrong, each in a line."""

    labs: tuple[str, ...]
    probe: Budgets | None = None  # and whether a kernel with these budgets is held in
