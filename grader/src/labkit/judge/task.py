"""What a grading process is asked to do: grade one file, or check the course's own tests."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.intake.submission import Submission
from labkit.model.budgets import Budgets


@dataclass(frozen=True)
class Task:
    """What a worker is told to do: grade one submission. Bytes of another digest are not graded in its place."""

    submission: Submission
    seed: int = 0
    budgets: Budgets = Budgets()


@dataclass(frozen=True)
class CourseCheck:
    """Look whether these labs can be judged at all; the answer is a list of what is wrong, each in a line."""

    labs: tuple[str, ...]
    probe: Budgets | None = None  # and whether a kernel with these budgets is held in
