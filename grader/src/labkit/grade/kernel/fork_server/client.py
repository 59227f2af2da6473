"""Requests to a fork server: start, query and end kernels."""

from __future__ import annotations

import json
import secrets
import select
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from labkit.grade.kernel import workdir
from labkit.grade.kernel.messages import HELLO, LENGTH
from labkit.grade.sandbox.confine import Confinement, hand_over
from labkit.grade.sandbox.faults import MachineFailed, ServerGone, blame_machine
from labkit.grade.sandbox.privileges import beyond_bounds
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment

START_SECONDS = 60.0
CREDENTIALS = struct.Struct("3i")  # the sender's process id as the reader sees it, its user and its group


@dataclass(eq=False)
class ServerHandle:
    """A connection to a fork server, shared by the threads of this process. It can be passed to a child process."""

    control: socket.socket
    folder: Path
    readable: tuple[str, ...]
    layer: str
    environment: Environment
    end: Callable[[], None] | None = None  # ends the server; None except for the owner

    def __post_init__(self) -> None:
        self.kernels: set[int] = set()
        self._asking, self._ready = threading.Lock(), False

    def __reduce__(self) -> tuple:
        return ServerHandle, (self.control, self.folder, self.readable, self.layer, self.environment)

    def close(self) -> None:
        """Disconnect. If this process started the server, the server and its kernels end."""
        (self.end or self.control.close)()

    def is_alive(self) -> bool:
        """Whether the server still has the socket open. A readable socket has an answer to read (alive), or has ended."""
        try:
            return not select.select([self.control], [], [], 0)[0] or bool(self.control.recv(1, socket.MSG_PEEK))
        except (OSError, ValueError):
            return False

    def next_workdir(self) -> Path:
        """Choose the next kernel's workdir. Its name is random, so that no other kernel can guess the path."""
        return self.folder / f"workdir-{secrets.token_hex(6)}"

    def start_kernel(self, folder: Path, budgets: Budgets) -> tuple[int, socket.socket]:
        """Fork a kernel with this workdir; return its number and its socket.

        Errors: ServerGone, and MachineFailed if there is no room for another kernel.
        """
        confinement = Confinement(str(folder), self.readable, budgets.limits()).to_json()
        settings = {"environment": workdir.variables_of(folder), "confinement": confinement, "layer": self.layer}
        message = json.dumps(settings).encode()
        try:
            with blame_machine("making a workdir for a kernel"):
                try:
                    folder.mkdir(mode=0o700)
                    hand_over(folder)
                except FileNotFoundError:
                    raise ServerGone("the fork server is gone, and its folder with it") from None
                ours, theirs = socket.socketpair()
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # the kernel's hello then includes its process id
            with theirs:
                ours.sendall(LENGTH.pack(len(message)) + message)  # only the fork reads this; the server never does
                kernel = self._ask({"do": "start"}, theirs.fileno())["kernel"]
        except MachineFailed:
            workdir.remove(folder)
            raise
        self.kernels.add(kernel)
        return kernel, ours

    def tell(self, kernel: int, what: str, **more: object) -> dict:
        """Send a request about a kernel. The answer is empty if the kernel was stopped or the server is gone."""
        try:
            return self._ask({"do": what, "kernel": kernel, **more}) if kernel in self.kernels else {}
        except MachineFailed:
            return {}

    def stop_kernel(self, kernel: int, folder: Path) -> None:
        """Kill a kernel and everything it started, and remove its workdir. Safe to call twice."""
        self.tell(kernel, "stop")
        self.kernels.discard(kernel)
        workdir.remove(folder)

    def _ask(self, request: dict, *descriptors: int) -> dict:
        """Send a request and return the answer. Errors: ServerGone if no answer comes; MachineFailed if the answer is an error."""
        try:
            with self._asking, beyond_bounds():  # a request must not get an earlier one's answer
                if not self._ready:
                    self.control.settimeout(START_SECONDS)
                    self._ready = bool(self._receive())
                socket.send_fds(self.control, [json.dumps(request).encode()], descriptors)
                return self._receive()
        except OSError as error:
            self.close()
            raise ServerGone(f"the fork server is gone ({error})") from None

    def _receive(self) -> dict:
        message = self.control.recv(2**16)
        if not message:
            raise OSError("it closed its socket")
        answer = json.loads(message)
        if "error" in answer:
            raise MachineFailed(f"the fork server failed: {answer['error']}")
        return answer


def hear_hello(connection: socket.socket) -> int:
    """Wait until a kernel is ready, and return its process id. No submitted code runs before that. Errors: MachineFailed."""
    connection.settimeout(START_SECONDS)
    with blame_machine("starting a kernel"):
        hello, ancillary, _, _ = connection.recvmsg(len(HELLO), socket.CMSG_SPACE(CREDENTIALS.size))
        if hello != HELLO:
            words = (hello + connection.recv(1000)).decode(errors="replace") or "no reason given"
            raise MachineFailed(f"a kernel ended while it was starting: {words}")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    return CREDENTIALS.unpack(ancillary[0][2])[0]
