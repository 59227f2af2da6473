"""How many kernels at once the memory of the machine has room for, and what each of them is left of it.

What they may use together is less than there is, so none of them can starve another, whatever it does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from labkit.grading.settings import Settings
from labkit.model.budgets import MIB, Budgets
from labkit.sandbox.memory import left as memory_left

GRADER, WORKER = 256 * MIB, 300 * MIB  # the command with its fork server; each process that judges
LEAST = 768 * MIB  # for a kernel; honest labs stay far below


def fitting(jobs: int, budgets: Budgets, left: int | None) -> tuple[int, int | None]:
    """At most so many at once, and what each is left of so many bytes; None where that is its whole budget, or it is unknown.

    share = (left - GRADER) / jobs - WORKER, and at least LEAST, for one kernel always
    """
    if left is None:
        return jobs, None
    room = left - GRADER
    jobs = max(1, min(jobs, room // (WORKER + LEAST)))
    share = max(LEAST, room // jobs - WORKER)
    return jobs, share if budgets.nobodys_own() + share < budgets.memory_bytes else None


def within(settings: Settings, say: Callable[[str], None]) -> Settings:
    """The same as far as the memory reaches that is left now; `say` is told in a line where that is less."""
    left = memory_left()
    jobs, share = fitting(settings.jobs, settings.budgets, left)
    if left is not None and jobs < settings.jobs:
        say(f"{jobs} at once in place of {settings.jobs}: there are {left / MIB:,.0f} MiB of memory")
    return replace(settings, jobs=jobs, memory_share=share)
