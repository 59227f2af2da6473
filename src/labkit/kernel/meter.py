"""How a kernel's process ended, and whose doing it was."""

from __future__ import annotations

import signal

from labkit.budgets import Budgets
from labkit.sandbox.faults import MachineFailed, memory_kills


class KernelDied(RuntimeError):
    """The kernel's process ended by itself."""


class OverBudget(KernelDied):
    """The kernel was ended, because it used more than it may; the message says what."""


def death_by(number: int | None, budgets: Budgets, kills_before: int) -> KernelDied | MachineFailed:
    """The error to raise for a kernel that ended by this signal, or without one; memory had run out `kills_before` times."""
    if number == signal.SIGXCPU:
        return OverBudget(f"used more than {budgets.cpu_seconds} seconds of processor time")
    if number == signal.SIGKILL and memory_kills() > kills_before:
        return MachineFailed("the machine ran out of memory while the kernel ran")
    return KernelDied("the kernel's process ended by itself")
