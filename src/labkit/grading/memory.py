"""How many kernels at once the memory of the machine has room for, and what each of them is left of it.

What they may use together is less than there is, so none of them can starve another, whatever it does.
"""

from __future__ import annotations

from labkit.budgets import MIB, Budgets

GRADER, WORKER = 256 * MIB, 300 * MIB  # the command with its fork server; each process that judges
LEAST = 768 * MIB  # for a kernel; honest labs stay far below


def fitting(jobs: int, budgets: Budgets, left: int | None) -> tuple[int, int | None]:
    """At most so many at once, and what each is left of so many bytes; None where that is its whole budget, or nobody knows.

    share = (left - GRADER) / jobs - WORKER, and at least LEAST, for one kernel always
    """
    if left is None:
        return jobs, None
    room = left - GRADER
    jobs = max(1, min(jobs, room // (WORKER + LEAST)))
    share = max(LEAST, room // jobs - WORKER)
    return jobs, share if budgets.nobodys_own() + share < budgets.memory_bytes else None
