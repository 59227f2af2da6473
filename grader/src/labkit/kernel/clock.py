"""How much of its budgets of time a kernel has used, on a clock that is fair to one of many on a busy machine.

What counts is the time in which the kernel ran or slept, and not that in which it could have run and had no processor.
Linux keeps count of it for a process's main thread; elsewhere all time counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress

from labkit.model.budgets import OUTER  # a kernel's own threads cannot keep it waiting for ever

SLICE = 0.25  # seconds between two looks at whether a kernel still lives
SHORTEST = 0.01  # the same for one that waits for a processor
BRIEF = 0.05  # seconds of a request after which the system is not asked
LAG = 10.0  # seconds for which outputs may come after the reply, or after the wait for it was given up


def waited(process: int | None) -> float:
    """Seconds for which the process was kept waiting for a processor; 0 where the system does not count them."""
    with suppress(OSError, IndexError), open(f"/proc/{process}/schedstat") as counts:
        return int(counts.read().split()[1]) / 1e9
    return 0.0


class Clock:
    """Measures one request after the other; `seconds` is the budget of all of them, and what is left of it is for the next."""

    def __init__(self, seconds: float):
        self._left, self.spent = seconds, 0.0
        self.out_of_time = False  # whether the budget of all requests was used up
        self._asked = math.inf  # seconds given to the request in hand
        self._begun = self._heard = time.monotonic()
        self.follow(None)

    def follow(self, process: int | None) -> None:
        """What this process waits from now on does not count."""
        self.process, self._before = process, waited(process)

    def begin(self) -> None:
        """A request goes out. What passed since the kernel was last listened to was the grader's time."""
        self.settle()
        self._begun = self._heard = time.monotonic()

    def heard(self) -> None:
        """The kernel was listened to until now."""
        self._heard = time.monotonic()

    def settle(self) -> None:
        """Count what the request in hand has used: before the process ends. Safe to call twice.

        A brief one counts as a whole, and what it waited is taken off the next that is not: asking costs more than it tells.
        """
        passed = self._heard - self._begun
        if passed < BRIEF:
            used = passed
        else:
            used, self._before = self._used(passed), waited(self.process)
        self.spent, self._left, self._begun = self.spent + used, self._left - used, self._heard

    def countdown(self, stream: str, timeout: float | None) -> Callable[[], float]:
        """A function that says for how many seconds at least the next message may be waited for.

        On `shell` the timeout is the whole request's, however many messages come. On `iopub` it is the next message's, and all
        of them have LAG more than the request.
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
        """The system is asked only when all time together is more than the budget."""
        return budget - (passed if passed < budget else self._used(passed))

    def _used(self, passed: float) -> float:
        return max(passed - max(0.0, waited(self.process) - self._before), passed / OUTER)
