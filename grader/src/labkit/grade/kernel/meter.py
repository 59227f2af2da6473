"""What a kernel may use and send: its time, outputs, disk and threads are counted against its budgets, and its messages are checked.

Time spent running or sleeping counts; time spent waiting for a CPU does not. Linux records the waiting time of a process's main
thread. On other systems all time counts. A kernel may be hostile: its messages are limited in size and form, and never executed.
"""

from __future__ import annotations

import json
import math
import signal
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from labkit.grade.sandbox.faults import MachineFailed, memory_kills
from labkit.grade.sandbox.watch import Watch
from labkit.student.model.budgets import OUTER, Budgets
from labkit.student.model.text import TooDeep, TooManyParts, parts_in, read_json

HELLO = b"!"  # sent before any message: the kernel is ready for requests
LENGTH = struct.Struct(">I")  # the length that precedes each message
MAX_MESSAGE = 16 * 2**20  # the largest answer that wire.py reads, in base64 as stock kernels send it, with its envelope
MAX_PARTS = 1_000_000  # commas and brackets in one message, or in all outputs of one cell
KEPT = 2**18  # printed characters of a cell that are kept; further ones are only counted
SLICE = 0.25  # seconds between two checks that a kernel is alive
SHORTEST = 0.01  # the same while a kernel waits for a CPU
BRIEF = 0.05  # the waiting time of requests shorter than this many seconds is not read
LAG = 10.0  # seconds that outputs may arrive after the reply, or after a time-out
FORMS = {
    "status": {"execution_state": str},
    "execute_input": {"code": str},
    "execute_reply": {"status": str},
    "answer": {"status": str},
    "stream": {"name": str, "text": str},
    "display_data": {"data": dict, "metadata": dict},
    "update_display_data": {"data": dict, "metadata": dict},
    "execute_result": {"data": dict, "metadata": dict, "execution_count": int},
    "error": {"ename": str, "evalue": str, "traceback": list},
    "clear_output": {"wait": bool},
    "input_request": {"prompt": str},
}


class KernelDied(RuntimeError):
    """The kernel's process ended by itself."""


class OverBudget(KernelDied):
    """The kernel was stopped because it exceeded a budget; the message names the budget."""


class NoMessage(KernelDied):
    """The kernel sent something that is not a valid message."""

    def __init__(self) -> None:
        super().__init__("the kernel sent a malformed message")


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


def packed(content: dict, data: bytes = b"") -> bytes:
    """A message to a forked kernel: its length, a line of JSON, and bytes."""
    message = b"".join((json.dumps(content).encode(), b"\n", data))
    return LENGTH.pack(len(message)) + message


def read_message(data: bytes, meter: Meter) -> dict:
    """Parse a message into the Jupyter protocol's form. Errors: NoMessage and OverBudget."""
    text, _, reply = data.partition(b"\n")
    try:
        message = read_json(text, parts=MAX_PARTS, levels=meter.budgets.json_depth)
        identity, kind, content = message["id"], message["type"], message["content"]
        if not isinstance(identity, str):
            raise ValueError
        check_form(kind, content)
    except TooManyParts:
        raise OverBudget("made an output of more than a million parts") from None
    except TooDeep:
        raise meter.too_deep() from None
    except (ValueError, TypeError, KeyError):
        raise NoMessage from None
    if "data" in content:
        meter.count_parts(text)
    return {"parent_header": {"msg_id": identity}, "msg_type": kind, "content": content, "reply": reply}


def check_form(kind: str, content: object) -> None:
    """Check that a message of this kind can have this content. Errors: ValueError, TypeError or KeyError."""
    fits = isinstance(content, dict) and isinstance(content.get("data", {}), dict)
    fits = fits and all(isinstance(content[name], expected) for name, expected in FORMS.get(kind, {}).items())
    if not fits or not all(isinstance(line, str) for line in content.get("traceback", ())):
        raise ValueError
