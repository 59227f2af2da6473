"""Track what a kernel uses of its budgets (time, outputs of a request, disk, threads), and explain why it ended."""

from __future__ import annotations

import signal
from pathlib import Path

from labkit.grade.kernel.clock import Clock
from labkit.grade.sandbox.faults import MachineFailed, memory_kills
from labkit.grade.sandbox.watch import Watch
from labkit.student.model.budgets import Budgets
from labkit.student.model.text import parts_in

MAX_PARTS = 1_000_000  # commas and brackets in one message, or in all outputs of one cell
KEPT = 2**18  # printed characters of a cell that are kept; further ones are only counted


class KernelDied(RuntimeError):
    """The kernel's process ended by itself."""


class OverBudget(KernelDied):
    """The kernel was stopped because it exceeded a budget; the message names the budget."""


class NoMessage(KernelDied):
    """The kernel sent something that is not a valid message."""

    def __init__(self) -> None:
        super().__init__("the kernel sent a malformed message")


class Meter:
    """Watches one kernel: measures its time, and raises OverBudget when a count exceeds its budget."""

    def __init__(self, budgets: Budgets, workdir: Path):
        self.budgets, self.clock, self.watch = budgets, Clock(budgets.notebook_seconds), Watch(workdir, budgets)
        self._number = self._size = self._printed = self._parts = 0
        self._kills_before = memory_kills()

    def follow(self, process: int) -> None:
        """Watch this process, which runs submitted code."""
        self.clock.follow(process)
        self.watch.process = process

    def begin(self) -> None:
        """Start counting for a new request."""
        self._number = self._size = self._printed = self._parts = 0
        self.clock.begin()

    def count(self, *, size: int = 0, number: int = 0) -> None:
        """Count messages of the current request and their bytes as they arrive."""
        self._number, self._size = self._number + number, self._size + size
        if self._number > self.budgets.outputs:
            raise OverBudget(f"made more than {self.budgets.outputs:,} outputs in one cell")
        if self._size > self.budgets.output_bytes:
            raise OverBudget(f"wrote more than {self.budgets.output_bytes / 2**20:.0f} MiB in one cell")

    def keeps(self, text: str) -> bool:
        """Whether to keep printed text. nbval joins it in quadratic time, so at most KEPT characters of each cell are kept."""
        self._printed += len(text)
        return self._printed <= KEPT

    def count_parts(self, message: bytes) -> None:
        """Count the parts (commas and brackets) of an output that is kept."""
        self._parts += parts_in(message)
        if self._parts > MAX_PARTS:
            raise OverBudget("made outputs of more than a million parts in one cell")

    def too_deep(self) -> OverBudget:
        return OverBudget(f"made an output nested more than {self.budgets.json_depth} levels deep")

    def look_around(self) -> None:
        """Check files, disk and threads. Errors: OverBudget; MachineFailed if the workdir has almost no free space."""
        if complaint := self.watch.complaint():
            raise OverBudget(complaint)

    def death_by(self, number: int | None) -> KernelDied | MachineFailed:
        """The error to raise for a kernel that was ended by signal `number`, or without a signal if that is None."""
        if number == signal.SIGXCPU:
            return OverBudget(f"used more than {self.budgets.cpu_seconds} seconds of processor time")
        if number == signal.SIGKILL and memory_kills() > self._kills_before:
            return MachineFailed("the machine ran out of memory while the kernel ran")
        return KernelDied("the kernel's process ended by itself")
