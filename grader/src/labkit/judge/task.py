"""The tasks of a grading process: grade one file, or check the course's own tests."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.intake.submission import Submission
from labkit.model.budgets import Budgets


@dataclass(frozen=True)
class Task:
    """Grade one submission. If the file's digest differs, it is not graded."""

    submission: Submission
    seed: int = 0
    budgets: Budgets = Budgets()


@dataclass(frozen=True)
class CourseCheck:
    """Check that these labs can be graded; the answer is a list of problems, one line each."""

    labs: tuple[str, ...]
    probe: Budgets | None = None  # with budgets: also check that such a kernel is isolated
