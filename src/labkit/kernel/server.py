"""The grader's handle on a warm server: a process that has imported what a lab imports, to be forked for each submission."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from multiprocessing.util import Finalize
from pathlib import Path

from labkit import mistakes, project
from labkit.budgets import Budgets
from labkit.kernel import home, warm_server
from labkit.kernel.confine import Confinement, best_layer, give_home, wrap
from labkit.kernel.running import KernelDied

MISTAKES = tuple(f"labkit.mistakes.{name}" for name in mistakes.MODULES)
ALWAYS = ("labkit.check", "labkit.outbox", "labkit.axes", "labkit.figures", *MISTAKES)
START_SECONDS = 60.0
KEPT = 2  # servers with nothing to do that are kept warm, each for the labs that import the same


class WarmServer:
    """One warm process and its folder."""

    def __init__(self, locked_module: bool, modules: tuple[str, ...]):
        self.layer = best_layer()
        self.folder = Path(tempfile.mkdtemp(prefix="labkit-"))
        self.folder.chmod(0o711)  # a kernel may be another user: it may pass, but not look
        self.kernels: set[int] = set()
        self._count, self._ready = 0, False
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        parts = [self._control]
        self.close = Finalize(self, _close, (self.folder, parts), exitpriority=10)
        view, fonts = (
            home.make_view(self.folder / "view", locked_module),
            home.make_font_cache(self.folder / "matplotlib"),
        )
        self.readable = (str(view), str(fonts), *home.packages(locked_module))
        confinement = Confinement(str(self.folder), self.readable, {})
        arguments = [view, project.SOURCE, theirs.fileno(), json.dumps(modules)]
        command = [sys.executable, "-I", warm_server.__file__, *map(str, arguments)]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with theirs:
            parts.append(
                subprocess.Popen(
                    wrap(command, confinement) if self.layer == "bubblewrap" else command,
                    env=home.surroundings(self.folder, fonts),
                    cwd=self.folder,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    **quiet,
                )
            )

    def start_kernel(self, budgets: Budgets) -> tuple[int, socket.socket, Path]:
        """A fork: its number, the socket to it, and its home."""
        self._count += 1
        folder = self.folder / f"home-{self._count}"
        folder.mkdir(mode=0o700)
        give_home(folder)
        confinement = Confinement(str(folder), self.readable, budgets.limits())
        request = {"do": "start", "environment": home.of_home(folder)}
        request |= {"confinement": confinement.to_json(), "layer": self.layer}
        ours, theirs = socket.socketpair()
        with theirs:
            kernel = self.ask(request, theirs.fileno())["kernel"]
        self.kernels.add(kernel)
        return kernel, ours, folder

    def ask(self, request: dict, *descriptors: int) -> dict:
        """The server's answer. Errors: KernelDied when the server is gone or does not answer."""
        try:
            if not self._ready:
                self._control.settimeout(START_SECONDS)
                self._ready = bool(self._receive())
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
            return self._receive()
        except OSError as error:
            self.close()
            raise KernelDied(f"the warm kernel server is gone ({error})") from None

    def _receive(self) -> dict:
        message = self._control.recv(2**16)
        if not message:
            raise OSError("it closed its socket")
        return json.loads(message)


def _close(folder: Path, box: list) -> None:
    """The server ends, and with it its kernels, when its socket closes."""
    for each in box:
        if isinstance(each, socket.socket):
            each.close()
        else:
            try:
                each.wait(10)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()
    shutil.rmtree(folder, ignore_errors=True)


_servers: dict[tuple, WarmServer] = {}


def server_for(locked_module: bool, modules: tuple[str, ...] = ()) -> WarmServer:
    """This process's warm server for labs that import these modules, started when there is none."""
    key = (os.getpid(), best_layer(), locked_module, modules)
    if key not in _servers or not _servers[key].close.still_active():
        idle = [other for other, server in _servers.items() if not server.kernels]
        for other in idle[: max(0, len(idle) + 1 - KEPT)]:
            _servers.pop(other).close()
        _servers[key] = WarmServer(locked_module, (*ALWAYS, *modules))
    return _servers[key]
