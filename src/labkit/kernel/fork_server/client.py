"""Kernels from a fork server: a process that has imported what a lab imports, and that is forked for each submission."""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

from labkit.budgets import Budgets
from labkit.course import Environment
from labkit.kernel import workdir
from labkit.kernel.fork_server.process import Handle, start_server
from labkit.kernel.messages import HELLO
from labkit.sandbox.confine import Confinement, best_layer, hand_over
from labkit.sandbox.faults import MachineFailed, ServerGone, blame_machine

START_SECONDS = 60.0
CREDENTIALS = struct.Struct("3i")  # the process that sent something, as this process sees it, its user and its group
KEPT = 2  # servers with nothing to do that are kept warm, each for the labs that import the same
_numbers = count(1)


class ForkServer:
    """One process's way to a fork server. Safe to use from several threads."""

    def __init__(self, handle: Handle, end: Callable[[], None] | None = None):
        self.handle, self._end = handle, end or handle.control.close
        self.folder = handle.folder
        self.kernels: set[int] = set()
        self._asking, self._ready = threading.Lock(), False

    def close(self) -> None:
        """Ask nothing any more. A server that was started by this process ends, and its kernels with it."""
        self._end()

    def is_alive(self) -> bool:
        """Whether the socket is open: what could be read there is an answer, or nothing but its end."""
        control = self.handle.control
        try:
            return not select.select([control], [], [], 0)[0] or bool(control.recv(1, socket.MSG_PEEK))
        except (OSError, ValueError):
            return False

    def next_workdir(self) -> Path:
        """Where the next kernel is to live; nothing is there yet."""
        return self.folder / f"workdir-{os.getpid()}-{next(_numbers)}"

    def start_kernel(self, folder: Path, budgets: Budgets, **wishes: object) -> tuple[int, socket.socket]:
        """A fork with this workdir: its number, and the socket to it. `wishes` are zeromq's, for a kernel that it serves.

        Errors: ServerGone, and MachineFailed when there is no room for another kernel.
        """
        confinement = Confinement(str(folder), self.handle.readable, budgets.limits())
        request = {"do": "start", "environment": workdir.variables_of(folder), **wishes}
        request |= {"confinement": confinement.to_json(), "layer": self.handle.layer}
        try:
            with blame_machine("making a workdir for a kernel"):
                make_workdir(folder)
                ours, theirs = socket.socketpair()
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # so that its hello tells its process
            with theirs:
                kernel = self._ask(request, theirs.fileno())["kernel"]
        except MachineFailed:
            workdir.remove(folder)
            raise
        self.kernels.add(kernel)
        return kernel, ours

    def tell(self, kernel: int, what: str, **more: object) -> dict:
        """The server's answer to a request on a kernel; an empty one when the kernel was stopped or the server is gone."""
        try:
            return self._ask({"do": what, "kernel": kernel, **more}) if kernel in self.kernels else {}
        except MachineFailed:
            return {}

    def stop_kernel(self, kernel: int, folder: Path) -> None:
        """Kill a kernel and whatever it started, and remove its workdir. Safe to call twice."""
        self.tell(kernel, "stop")
        self.kernels.discard(kernel)
        workdir.remove(folder)

    def _ask(self, request: dict, *descriptors: int) -> dict:
        """The server's answer. Errors: ServerGone when it has ended or does not answer, and MachineFailed with its words."""
        try:
            with self._asking:
                if not self._ready:
                    self.handle.control.settimeout(START_SECONDS)
                    self._ready = bool(self._receive())
                socket.send_fds(self.handle.control, [json.dumps(request).encode()], descriptors)
                return self._receive()
        except OSError as error:
            self.close()
            raise ServerGone(f"the fork server is gone ({error})") from None

    def _receive(self) -> dict:
        message = self.handle.control.recv(2**16)
        if not message:
            raise OSError("it closed its socket")
        answer = json.loads(message)
        if "error" in answer:
            raise MachineFailed(f"the fork server failed: {answer['error']}")
        return answer


def make_workdir(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
        hand_over(folder)
    except FileNotFoundError:
        raise ServerGone("the fork server is gone, and its folder with it") from None


def hear_hello(connection: socket.socket) -> int:
    """Wait until a kernel can take requests; its process. No submitted code runs before. Errors: MachineFailed."""
    connection.settimeout(START_SECONDS)
    with blame_machine("starting a kernel"):
        said, ancillary, _, _ = connection.recvmsg(len(HELLO), socket.CMSG_SPACE(CREDENTIALS.size))
        if said != HELLO:
            words = said + connection.recv(1000)
            raise MachineFailed(
                f"a kernel ended while it was starting: {words.decode(errors='replace') or 'no word why'}"
            )
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    return CREDENTIALS.unpack(ancillary[0][2])[0]


_servers: dict[tuple, ForkServer] = {}
_choosing = threading.Lock()


def server_for(environment: Environment) -> ForkServer:
    """This process's fork server for labs with this environment, started when there is none."""
    key = (os.getpid(), best_layer(), environment)
    with _choosing:
        if key not in _servers or not _servers[key].is_alive():
            idle = [other for other, server in _servers.items() if not server.kernels]
            for other in idle[: max(0, len(idle) + 1 - KEPT)]:
                _servers.pop(other).close()
            process = start_server(*key[1:])
            _servers[key] = ForkServer(process.handle, process.close)
        return _servers[key]


def attach(handle: Handle) -> None:
    """Use a server that another process has started, which ends it too."""
    key = (os.getpid(), handle.layer, handle.environment)
    _servers[key] = ForkServer(handle)
