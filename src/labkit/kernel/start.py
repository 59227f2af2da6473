"""Which kernel a submission gets: a fork of a warm process where that is possible, else a stock one."""

from __future__ import annotations

from labkit.budgets import Budgets
from labkit.kernel import temporary
from labkit.kernel.running import SubmissionKernel
from labkit.kernel.server_process import available
from labkit.kernel.warm import WarmKernel


def start_kernel(locked_module: bool, budgets: Budgets, modules: tuple[str, ...] = ()) -> SubmissionKernel | WarmKernel:
    """A kernel within these budgets; `modules` are what the lab imports, so that a warm one has them already."""
    temporary.keep_short()
    if budgets.stock_kernel or not available():
        return SubmissionKernel(locked_module, budgets)
    return WarmKernel(locked_module, budgets, modules)
