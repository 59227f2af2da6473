"""Which kernel a submission gets: a fork of a warm process where that is possible, else a stock one."""

from __future__ import annotations

from labkit.budgets import Budgets
from labkit.course import Environment
from labkit.kernel import temporary
from labkit.kernel.fork_server.process import available
from labkit.kernel.forked import ForkedKernel
from labkit.kernel.stock import SubmissionKernel


def start_kernel(environment: Environment, budgets: Budgets) -> SubmissionKernel | ForkedKernel:
    """A kernel with this in reach, within these budgets."""
    temporary.keep_short()
    if budgets.stock_kernel or not available():
        return SubmissionKernel(environment, budgets)
    return ForkedKernel(environment, budgets)
