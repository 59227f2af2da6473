"""Compute how many kernels fit into the machine's memory at once, and each one's share.

The shares add up to less than the free memory, so no kernel can use up another's share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from labkit.grade.batch.settings import Settings
from labkit.grade.sandbox.faults import memory_left
from labkit.student.model.budgets import MIB, Budgets
from labkit.student.model.text import amount

GRADER, WORKER = 256 * MIB, 300 * MIB  # for the command with its fork server, and for each grading process
LEAST = 768 * MIB  # the smallest share of a kernel; honest submissions need far less


def fitting(jobs: int, budgets: Budgets, left: int | None) -> tuple[int, int | None]:
    """Return how many of `jobs` kernels fit into `left` bytes, and each one's share. A share of None means the whole budget.

    share = (left - GRADER) / jobs - WORKER, at least LEAST. One kernel always fits. If `left` is None, all fit.
    """
    if left is None:
        return jobs, None
    for_kernels = left - GRADER
    jobs = max(1, min(jobs, for_kernels // (WORKER + LEAST)))
    share = max(LEAST, for_kernels // jobs - WORKER)
    return jobs, share if budgets.shared_bytes() + share < budgets.memory_bytes else None


def within(settings: Settings, say: Callable[[str], None]) -> Settings:
    """Adjust jobs and memory shares to the memory that is free now. `say` prints a line if fewer jobs fit."""
    left = memory_left()
    jobs, share = fitting(settings.jobs, settings.budgets, left)
    if left is not None and jobs < settings.jobs:
        say(
            f"grading {amount(jobs, 'submission')} at once instead of {settings.jobs}, "
            f"because only {left / MIB:,.0f} MiB of memory is free"
        )
    return replace(settings, jobs=jobs, memory_share=share)
