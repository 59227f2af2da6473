"""A submission's kernel, forked by a fork server, behind nbval's own interface: it runs and compares cells as it always does."""

from __future__ import annotations

import json
import select
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from queue import Empty

from nbval.kernel import RunningKernel

from labkit.budgets import Budgets
from labkit.course import Environment
from labkit.kernel.clock import SHORTEST, SLICE, Clock
from labkit.kernel.fork_server.client import ForkServer, hear_hello, server_for
from labkit.kernel.messages import LENGTH, MAX_MESSAGE, read_message
from labkit.kernel.meter import KernelDied, OverBudget, death_by
from labkit.kernel.outputs import Outputs
from labkit.sandbox.disk import DiskWatch
from labkit.sandbox.faults import MachineFailed, ServerGone, memory_kills


class ForkedKernel(RunningKernel):
    """One submission's fork."""

    def __init__(self, environment: Environment, budgets: Budgets):
        self.budgets, self._outputs = budgets, Outputs(budgets)
        self._kills_before = memory_kills()
        try:
            self._start(server_for(environment))
        except ServerGone:  # another one is started
            self._start(server_for(environment))
        self.connection.setblocking(False)
        self._messages = {"iopub": deque(), "shell": deque()}
        self._buffer, self._ended, self._requests = bytearray(), False, 0

    def _start(self, server: ForkServer) -> None:
        self.server, self.folder = server, server.next_workdir()
        self.number, self.connection = server.start_kernel(self.folder, self.budgets)
        try:
            self._disk = DiskWatch(self.folder, self.budgets)
            self.clock = Clock(self.budgets.notebook_seconds, hear_hello(self.connection))
        except BaseException:
            server.stop_kernel(self.number, self.folder)
            self.connection.close()
            raise

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        return self._request("code", cell_input)

    def ask_answer(self, request: str) -> str:
        """Ask for what an answer gives (labkit.calls.outbox says it); the message's id, as of a cell."""
        return self._request("answer", request)

    def _request(self, kind: str, text: str) -> str:
        self._requests += 1
        self._outputs.begin()
        self.clock.begin()
        message = json.dumps({"id": str(self._requests), kind: text}).encode()
        self._send(LENGTH.pack(len(message)) + message)
        return str(self._requests)

    def _send(self, data: bytes) -> None:
        """Send, but not for ever: a child need not read."""
        if self._ended:
            raise self._death()
        self.connection.settimeout(self.budgets.cell_seconds)
        try:
            self.connection.sendall(data)
        except TimeoutError:
            raise KernelDied("the kernel takes no more requests") from None
        except OSError:
            self._ended = True
            raise self._death() from None
        finally:
            self.connection.setblocking(False)

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """The next message. Raises Empty when its time is up (clock.py), and KernelDied or MachineFailed at once."""
        left = self.clock.countdown(stream, timeout)
        try:
            while not self._messages[stream]:
                self._wait(left)
        finally:
            self.clock.heard()
        return self._messages[stream].popleft()

    def _wait(self, left: Callable[[], float]) -> None:
        """Wait a little for something to arrive, and take it."""
        if self._ended:
            raise self._death()
        if complaint := self._disk.complaint():
            self.stop()
            raise OverBudget(complaint)
        seconds = left()
        if seconds <= 0 and not self._readable(0):
            raise Empty
        if self._readable(max(SHORTEST, min(SLICE, seconds))):
            self._read()
        elif not self._runs():
            self._ended = not self._readable(0)

    def _readable(self, seconds: float) -> bool:
        return not self._ended and bool(select.select([self.connection], [], [], seconds)[0])

    def _read(self) -> None:
        """Take what has arrived. A child that sends too much, or what is no message, is ended."""
        try:
            self._take()
        except KernelDied:
            self.stop()
            raise

    def _take(self) -> None:
        try:
            data = self.connection.recv(2**20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._ended = not data
        self._buffer += data
        self._outputs.count(size=len(data))
        while len(self._buffer) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._buffer)[0]
            if end > MAX_MESSAGE:
                raise OverBudget(f"wrote more than {MAX_MESSAGE / 2**20:.0f} MiB in one cell")
            if len(self._buffer) < end:
                return
            message = read_message(bytes(self._buffer[LENGTH.size : end]), self.budgets.json_depth)
            del self._buffer[:end]
            self._outputs.count(number=1)
            self._messages["shell" if message["msg_type"] == "execute_reply" else "iopub"].append(message)

    def look_at_disk(self) -> None:
        """Errors: MachineFailed when next to nothing can be written in its workdir."""
        self._disk.look_at_disk()

    @property
    def out_of_time(self) -> bool:
        return self.clock.out_of_time

    def is_alive(self) -> bool:
        """Whether it can still be talked to; what it sent before it died comes first."""
        if self._ended:
            return False
        try:
            self._ended = not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            pass
        except OSError:
            self._ended = True
        return not self._ended

    def _runs(self) -> bool:
        """Whether its process runs: one that it started could hold the socket open after its end."""
        return self.server.tell(self.number, "alive").get("alive", False)

    def _death(self) -> KernelDied | MachineFailed:
        """Why there is no kernel any more. Its process may close its socket a moment before it ends."""
        if self.number not in self.server.kernels:
            return KernelDied("the kernel was stopped")
        until = time.monotonic() + SLICE
        while (state := self.server.tell(self.number, "alive")).get("alive") and time.monotonic() < until:
            time.sleep(0.005)
        if "alive" not in state:
            return MachineFailed("the fork server ended while a kernel of it was in use")
        return death_by(state.get("signal"), self.budgets, self._kills_before)

    def interrupt(self) -> None:
        self.server.tell(self.number, "signal", signal=signal.SIGINT)

    def stop(self) -> None:
        """Kill the kernel and whatever it started, and remove its folder. Safe to call twice."""
        self.clock.settle()
        self.server.stop_kernel(self.number, self.folder)
        self.connection.close()
        self._ended = True
