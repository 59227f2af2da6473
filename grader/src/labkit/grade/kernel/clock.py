"""Measure how much of its time budget a kernel has used, fairly on a busy machine.

Time spent running or sleeping counts; time spent waiting for a CPU does not. Linux records the waiting time of a process's main
thread. On other systems all time counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress

from labkit.student.model.budgets import (
    OUTER,  # limits the waiting time, because a kernel's own threads could prolong it
)

SLICE = 0.25  # seconds between two checks that a kernel is alive
SHORTEST = 0.01  # the same while a kernel waits for a CPU
BRIEF = 0.05  # the waiting time of requests shorter than this many seconds is not read
LAG = 10.0  # seconds that outputs may arrive after the reply, or after a time-out


def waited(process: int | None) -> float:
    """Seconds that the process has waited for a CPU. Returns 0 where the system does not record them."""
    with suppress(OSError, IndexError), open(f"/proc/{process}/schedstat") as counts:
        return int(counts.read().split()[1]) / 1e9
    return 0.0


class Clock:
    """Times a kernel's requests, which share a budget of `seconds`: each may use what earlier ones left."""

    def __init__(self, seconds: float):
        self._left, self.spent = seconds, 0.0
        self.out_of_time = False  # whether the common budget was used up
        self._asked = math.inf  # seconds given to the current request
        self._begun = self._heard = time.monotonic()
        self.follow(None)

    def follow(self, process: int | None) -> None:
        """Measure this process from now on. Time that it waits for a CPU does not count."""
        self.process, self._before = process, waited(process)

    def begin(self) -> None:
        """Start timing a request. Time since the kernel's last message was the grader's, so it does not count."""
        self.settle()
        self._begun = self._heard = time.monotonic()

    def heard(self) -> None:
        """Record that the grader has listened to the kernel until now."""
        self._heard = time.monotonic()

    def settle(self) -> None:
        """Add the current request's time to the total. Call this before the process ends; calling it twice is safe.

        Reading the waiting time is slow. So a brief request counts in full, and its waiting time is deducted from the next long
        request.
        """
        passed = self._heard - self._begun
        if passed < BRIEF:
            used = passed
        else:
            used, self._before = self._used(passed), waited(self.process)
        self.spent, self._left, self._begun = self.spent + used, self._left - used, self._heard

    def countdown(self, stream: str, timeout: float | None) -> Callable[[], float]:
        """Return a function that computes how many seconds are left to wait for the next message.

        On `shell` the timeout is for the whole request, whatever the number of messages. On `iopub` it is for the next message;
        all messages together may take LAG longer than the request.
        """
        own = math.inf if timeout is None else timeout
        since = 0.0 if stream == "shell" else time.monotonic() - self._begun
        if stream == "shell":
            self._asked = own

        def left() -> float:
            passed = time.monotonic() - self._begun
            of_all = self._rest(self._left, passed)
            self.out_of_time |= of_all <= 0
            return min(of_all, self._rest(self._asked + LAG, passed), self._rest(own, passed - since))

        return left

    def _rest(self, budget: float, passed: float) -> float:
        """Seconds left of a budget. The waiting time is read only if the elapsed time exceeds the budget."""
        return budget - (passed if passed < budget else self._used(passed))

    def _used(self, passed: float) -> float:
        return max(passed - max(0.0, waited(self.process) - self._before), passed / OUTER)
