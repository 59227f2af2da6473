"""A submission's fork of a warm server, behind nbval's own interface: it runs and compares cells as it always does."""

from __future__ import annotations

import json
import select
import signal
import socket
import time
from collections import deque
from queue import Empty

from nbval.kernel import RunningKernel

from labkit.budgets import Budgets
from labkit.kernel.disk import DiskWatch
from labkit.kernel.messages import LENGTH, MAX_MESSAGE, read_message
from labkit.kernel.running import SLICE, KernelDied, OverBudget, death_by
from labkit.kernel.server import WarmServer, server_for


class WarmKernel(RunningKernel):
    """One submission's fork of the warm server."""

    def __init__(self, locked_module: bool, budgets: Budgets, modules: tuple[str, ...] = ()):
        self.deadline = time.monotonic() + budgets.notebook_seconds
        self.budgets = budgets
        try:
            self._start(server_for(locked_module, modules))
        except KernelDied:  # of the server; another one is started
            self._start(server_for(locked_module, modules))
        self._disk = DiskWatch(self.folder, budgets)
        self.connection.setblocking(False)
        self._messages = {"iopub": deque(), "shell": deque()}
        self._buffer, self._ended = bytearray(), False
        self._requests = self._outputs = self._bytes = 0

    def _start(self, server: WarmServer) -> None:
        self.server, self.folder = server, server.next_home()
        self.number, self.connection = server.start_kernel(self.folder, self.budgets)

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        return self._request("code", cell_input)

    def ask_answer(self, request: str) -> str:
        """Ask for what an answer gives (labkit.outbox says it); the message's id, as of a cell."""
        return self._request("answer", request)

    def _request(self, kind: str, text: str) -> str:
        self._requests += 1
        self._outputs = self._bytes = 0
        message = json.dumps({"id": str(self._requests), kind: text}).encode()
        self._send(LENGTH.pack(len(message)) + message)
        return str(self._requests)

    def _send(self, data: bytes) -> None:
        """Send, but not for ever: a child need not read."""
        if self._ended:
            raise KernelDied("the kernel was stopped")
        self.connection.settimeout(max(0.1, min(self.budgets.cell_seconds, self.deadline - time.monotonic())))
        try:
            self.connection.sendall(data)
        except OSError:
            raise KernelDied("the kernel takes no more requests") from None
        finally:
            self.connection.setblocking(False)

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """The next message. Raises Empty after `timeout` or at the deadline, and KernelDied at once when it died."""
        until = min(self.deadline, time.monotonic() + timeout) if timeout is not None else self.deadline
        while not self._messages[stream]:
            if self._ended:
                raise death_by(self._signal(), self.budgets)
            if complaint := self._disk.complaint():
                self.stop()
                raise OverBudget(complaint)
            left = until - time.monotonic()
            if left <= 0 and not self._readable(0):
                raise Empty
            if self._readable(max(0.0, min(SLICE, left))):
                self._read()
            elif not self._runs():
                self._ended = not self._readable(0)
        return self._messages[stream].popleft()

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
        self._bytes += len(data)
        while len(self._buffer) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._buffer)[0]
            if end > MAX_MESSAGE or self._bytes > self.budgets.output_bytes:
                raise OverBudget(f"wrote more than {self.budgets.output_bytes / 2**20:.0f} MiB in one cell")
            if len(self._buffer) < end:
                return
            message = read_message(bytes(self._buffer[LENGTH.size : end]), self.budgets.json_depth)
            del self._buffer[:end]
            self._outputs += 1
            if self._outputs > self.budgets.outputs:
                raise OverBudget(f"made more than {self.budgets.outputs:,} outputs in one cell")
            self._messages["shell" if message["msg_type"] == "execute_reply" else "iopub"].append(message)

    @property
    def out_of_time(self) -> bool:
        return time.monotonic() >= self.deadline

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

    def _signal(self) -> int | None:
        """The signal that ended the process, which may close its socket a moment before it ends."""
        until = time.monotonic() + SLICE
        while (state := self.server.tell(self.number, "alive")).get("alive") and time.monotonic() < until:
            time.sleep(0.005)
        return state.get("signal")

    def interrupt(self) -> None:
        self.server.tell(self.number, "signal", signal=signal.SIGINT)

    def stop(self) -> None:
        """Kill the kernel and whatever it started, and remove its folder. Safe to call twice."""
        self.server.stop_kernel(self.number, self.folder)
        self.connection.close()
        self._ended = True
