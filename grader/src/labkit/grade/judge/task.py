"""Tasks of a grading process: grade one file, or check the course's own tests."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.grade.intake.submission import Submission
from labkit.student.model.budgets import Budgets


@dataclass(frozen=True)
class Task:
    """Grade one submission, unless its file no longer has this digest."""

    submission: Submission
    seed: int = 0
    budgets: Budgets = Budgets()


@dataclass(frozen=True)
class CourseCheck:
    """Check that these labs can be graded. The answer is a list of problems, one line each."""

    labs: tuple[str, ...]
    probe: Budgets | None = None  # if set, also check that a kernel with these budgets is isolated
