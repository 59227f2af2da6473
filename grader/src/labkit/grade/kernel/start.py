"""Start a submission's kernel."""

from __future__ import annotations

import time
from contextlib import suppress

from labkit.grade.kernel import workdir
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.nbval_bridge import SubmissionKernel
from labkit.grade.kernel.servers import available
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox.faults import MachineFailed
from labkit.grade.sandbox.privileges import beyond_bounds
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment
from labkit.student.model.project import Project

# Tries, and seconds between them, in which the watch can stop a submission that used up all processes.
TRIES, PAUSE = 4, 0.5


def start_kernel(project: Project, environment: Environment, budgets: Budgets) -> SubmissionKernel:
    """Start a kernel for this environment and these budgets: a fork where possible, otherwise a stock kernel.

    The grader's own memory limit is suspended meanwhile, so a failure for lack of memory is the machine's fault.
    """
    workdir.keep_short()
    kind = StockKernel if budgets.stock_kernel or not available() else ForkedKernel
    with beyond_bounds():
        for _ in range(TRIES - 1):
            with suppress(MachineFailed):
                return kind(project, environment, budgets)
            time.sleep(PAUSE)
        return kind(project, environment, budgets)
