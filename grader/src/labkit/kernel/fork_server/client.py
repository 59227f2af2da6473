"""Requests to a fork server: start kernels, ask about them, end them."""

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

from labkit.kernel import workdir
from labkit.kernel.messages import HELLO
from labkit.model.budgets import Budgets
from labkit.model.course import Environment
from labkit.sandbox.confine import Confinement, hand_over
from labkit.sandbox.faults import MachineFailed, ServerGone, blame_machine
from labkit.sandbox.privileges import beyond_bounds

START_SECONDS = 60.0
CREDENTIALS = struct.Struct("3i")  # the sender's process id as this process sees it, its user and its group


@dataclass(eq=False)
class ServerHandle:
    """A process's connection to a fork server, shared by its threads. Can be passed to a process that it starts."""

    control: socket.socket
    folder: Path
    readable: tuple[str, ...]
    layer: str
    environment: Environment
    end: Callable[[], None] | None = None  # ends the server; only its owner has it

    def __post_init__(self) -> None:
        self.kernels: set[int] = set()
        self._asking, self._ready = threading.Lock(), False

    def __reduce__(self) -> tuple:
        return ServerHandle, (self.control, self.folder, self.readable, self.layer, self.environment)

    def close(self) -> None:
        """Disconnect. A server started by this process ends, and its kernels with it."""
        (self.end or self.control.close)()

    def is_alive(self) -> bool:
        """Whether the socket is open: readable data are an answer, or the end of the stream."""
        try:
            return not select.select([self.control], [], [], 0)[0] or bool(self.control.recv(1, socket.MSG_PEEK))
        except (OSError, ValueError):
            return False

    def next_workdir(self) -> Path:
        """The next kernel's workdir, with a random name, because others could look at its files if they knew the path."""
        return self.folder / f"workdir-{secrets.token_hex(6)}"

    def start_kernel(self, folder: Path, budgets: Budgets, **wishes: object) -> tuple[int, socket.socket]:
        """Fork a kernel with this workdir; its number and its socket. `wishes` are zeromq's options, for a Jupyter tool.

        Errors: ServerGone, and MachineFailed if there is no room for another kernel.
        """
        confinement = Confinement(str(folder), self.readable, budgets.limits()).to_json()
        request = {"do": "start", "environment": workdir.variables_of(folder), "confinement": confinement}
        try:
            with blame_machine("making a workdir for a kernel"):
                try:
                    folder.mkdir(mode=0o700)
                    hand_over(folder)
                except FileNotFoundError:
                    raise ServerGone("the fork server is gone, and its folder with it") from None
                ours, theirs = socket.socketpair()
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # so that its hello carries its process id
            with theirs:
                kernel = self._ask({**request, "layer": self.layer, **wishes}, theirs.fileno())["kernel"]
        except MachineFailed:
            workdir.remove(folder)
            raise
        self.kernels.add(kernel)
        return kernel, ours

    def tell(self, kernel: int, what: str, **more: object) -> dict:
        """The server's answer to a request about a kernel; empty if the kernel was stopped or the server is gone."""
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
        """The server's answer. Errors: ServerGone if it ended or does not answer, MachineFailed with its error message."""
        try:
            with self._asking, beyond_bounds():  # an unfinished exchange would leave its answer to the next request
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
    """Wait until a kernel is ready for requests; its process id. No submitted code runs before. Errors: MachineFailed."""
    connection.settimeout(START_SECONDS)
    with blame_machine("starting a kernel"):
        said, ancillary, _, _ = connection.recvmsg(len(HELLO), socket.CMSG_SPACE(CREDENTIALS.size))
        if said != HELLO:
            words = (said + connection.recv(1000)).decode(errors="replace") or "no reason given"
            raise MachineFailed(f"a kernel ended while it was starting: {words}")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    return CREDENTIALS.unpack(ancillary[0][2])[0]
