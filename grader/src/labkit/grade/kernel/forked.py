"""Start a submission's kernel. Where possible, a fork server forks it, and it exchanges messages with the grader over a socket."""

from __future__ import annotations

import select
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import count
from queue import Empty

from labkit.grade.kernel import workdir
from labkit.grade.kernel.meter import (
    LENGTH,
    MAX_MESSAGE,
    SHORTEST,
    SLICE,
    KernelDied,
    Meter,
    OverBudget,
    packed,
    read_message,
)
from labkit.grade.kernel.nbval_bridge import SubmissionKernel
from labkit.grade.kernel.servers import ServerHandle, available, hear_hello, server_for
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox.faults import MachineFailed, ServerGone
from labkit.grade.sandbox.privileges import beyond_bounds
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment
from labkit.student.model.project import Project

# Tries, and seconds between them, in which the watch can stop a submission that used up all processes.
TRIES, PAUSE = 4, 0.5
ROOM = 2**18  # bytes read at once
TOGETHER = 2**16  # bytes of calls sent at once; fewer than the socket holds, so that neither side waits for the other
REPLIES = ("execute_reply", "answer")  # the types of messages that end a cell or a call


class ForkedKernel(SubmissionKernel):
    """The kernel of one submission, forked from a warm process."""

    def __init__(self, project: Project, environment: Environment, budgets: Budgets, lab: str = ""):
        try:
            self._start(server_for(project, environment), budgets, lab)
        except ServerGone:  # start another server
            self._start(server_for(project, environment), budgets, lab)
        self.connection.setblocking(False)
        self._messages = {"iopub": deque(), "shell": deque()}
        self._buffer, self._ended, self._numbers = bytearray(), False, count(1)
        self._planned = deque[bytes]()
        self.sent: dict[bytes, str] = {}  # calls that were sent with an earlier one, and their numbers
        self._room = memoryview(bytearray(ROOM))  # reused, because allocating it on every read costs more than the copy

    def _start(self, server: ServerHandle, budgets: Budgets, lab: str) -> None:
        self.server, self.folder = server, server.next_workdir()
        self.number, self.connection = server.start_kernel(self.folder, budgets, lab)
        try:
            self.meter = Meter(budgets, self.folder)
            self.meter.follow(hear_hello(self.connection))
        except BaseException:
            server.stop_kernel(self.number, self.folder)
            self.connection.close()
            raise

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        return self._request(({"code": cell_input}, b""))[0]

    def plan(self, requests: Iterable[bytes]) -> None:
        self._planned.extend(requests)

    def answer(self, request: bytes, seconds: float) -> bytes | None:
        if request in self.sent:
            self.meter.begin()
        else:
            together = self._with_planned(request)
            self.sent = dict(zip(together, self._request(*(({}, each) for each in together))))
        number = self.sent.pop(request)
        while (message := self.get_message("shell", seconds))["parent_header"]["msg_id"] != number:
            pass
        return message["reply"] or None

    def _with_planned(self, request: bytes) -> list[bytes]:
        """The request, with the planned ones that follow it, as far as they fit."""
        together, planned = [request], self._planned
        if not planned or planned.popleft() != request:
            planned.clear()
        while planned and sum(map(len, (*together, planned[0]))) <= TOGETHER:
            together.append(planned.popleft())
        return together

    def _request(self, *requests: tuple[dict[str, str], bytes]) -> list[str]:
        """Send requests, and return their numbers. Replies to earlier requests are dropped."""
        self.meter.begin()
        for messages in self._messages.values():
            messages.clear()
        self.sent, numbers = {}, [str(next(self._numbers)) for _ in requests]
        self._send(*(({"id": number, **content}, data) for number, (content, data) in zip(numbers, requests)))
        return numbers

    def _send(self, *messages: tuple[dict[str, str], bytes]) -> None:
        """Send messages within a time limit, because a child may stop reading."""
        if self._ended:
            raise self._death()
        self.connection.settimeout(self.meter.budgets.cell_seconds)
        try:
            self.connection.sendall(b"".join(packed(*message) for message in messages))
        except TimeoutError:
            raise KernelDied("the kernel accepts no more requests") from None
        except OSError:
            self._ended = True
            raise self._death() from None
        finally:
            self.connection.setblocking(False)

    def _receive(self, stream: str, left: Callable[[], float]) -> dict:
        while not self._messages[stream]:
            if self._ended:
                raise self._death()
            self.meter.look_around()
            seconds = left()
            if seconds <= 0 and not self._readable(0):  # do not wait: a kernel that floods is always readable
                raise Empty
            if self._readable(max(SHORTEST, min(SLICE, seconds))):
                self._take(left)
            elif not self._state().get("alive"):  # a process started by the kernel may keep the socket open
                self._ended = not self._readable(0)
        return self._messages[stream].popleft()

    def _readable(self, seconds: float) -> bool:
        return not self._ended and bool(select.select([self.connection], [], [], seconds)[0])

    def _take(self, left: Callable[[], float]) -> None:
        """Read what has arrived. Errors: Empty if time runs out before all the kernel's questions are answered."""
        try:
            size = self.connection.recv_into(self._room)
        except BlockingIOError:
            return
        except OSError:
            size = 0
        self._ended = not size
        self._buffer += self._room[:size]
        self.meter.count(size=size)
        while len(self._buffer) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._buffer)[0]
            if end > MAX_MESSAGE:
                raise OverBudget(f"wrote more than {MAX_MESSAGE / 2**20:.0f} MiB in one cell")
            if len(self._buffer) < end:
                return
            message = read_message(bytes(self._buffer[LENGTH.size : end]), self.meter)
            del self._buffer[:end]
            self.meter.count(number=1)
            if message["msg_type"] == "input_request":
                if left() <= 0:
                    raise Empty
                self._supply(message["content"]["prompt"])
            else:
                self._messages["shell" if message["msg_type"] in REPLIES else "iopub"].append(message)

    def _supply(self, asked: str) -> None:
        """Answer a question from the kernel."""
        if self.supply:
            self._send(({"value": self.supply(asked)}, b""))

    def is_alive(self) -> bool:
        """Whether the kernel can still be used. Messages that it sent before its death are read first."""
        if not self._ended:
            try:
                self._ended = not self.connection.recv(1, socket.MSG_PEEK)
            except OSError as error:
                self._ended = not isinstance(error, BlockingIOError)
        return not self._ended

    def _state(self) -> dict:
        """Ask the server whether the kernel's process is alive, or which signal ended it; empty without a server."""
        return self.server.tell(self.number, "alive")

    def _death(self) -> KernelDied | MachineFailed:
        """Find out why the kernel is gone. Its process may close the socket a moment before it ends."""
        if self.number not in self.server.kernels:
            return KernelDied("the kernel was stopped")
        until = time.monotonic() + SLICE
        while (state := self._state()).get("alive") and time.monotonic() < until:
            time.sleep(0.005)
        if state.get("signal") == signal.SIGKILL:  # when a server is killed, its kernels may end before it
            time.sleep(SLICE / 2)
            state = self._state()
        if "alive" not in state:
            return ServerGone("the fork server ended while one of its kernels was in use")
        return self.meter.death_by(state.get("signal"))

    def interrupt(self) -> None:
        self.server.tell(self.number, "signal", signal=signal.SIGINT)

    def stop(self) -> None:
        """Kill the kernel and everything it started, and remove its folder. Safe to call twice."""
        self.meter.clock.settle()
        self.server.stop_kernel(self.number, self.folder)
        self.connection.close()
        self._ended = True


def start_kernel(project: Project, environment: Environment, budgets: Budgets, lab: str = "") -> SubmissionKernel:
    """Start a kernel for this environment and these budgets: a fork where possible, otherwise a stock kernel.

    A fork is prepared for the lab: its setup cell need not run again.

    The grader's own memory limit is suspended meanwhile, so a failure for lack of memory is the machine's fault.
    """
    workdir.keep_short()
    kind = StockKernel if budgets.stock_kernel or not available() else partial(ForkedKernel, lab=lab)
    with beyond_bounds():
        for _ in range(TRIES - 1):
            with suppress(MachineFailed):
                return kind(project, environment, budgets)
            time.sleep(PAUSE)
        return kind(project, environment, budgets)
