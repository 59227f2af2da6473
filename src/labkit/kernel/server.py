"""The grader's handle on a warm server: a process that has imported what a lab imports, to be forked for each submission."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from itertools import count
from multiprocessing.util import Finalize
from pathlib import Path

from labkit import mistakes, project
from labkit.budgets import Budgets
from labkit.kernel import home, warm_server
from labkit.kernel.confine import Confinement, best_layer, give_home, wrap
from labkit.kernel.running import KernelDied

MISTAKES = tuple(f"labkit.mistakes.{name}" for name in mistakes.MODULES)
ALWAYS = ("labkit.check", "labkit.outbox", "labkit.axes", "labkit.figures", "labkit.expected", *MISTAKES)
LAZY = ("numpy.random", "IPython.core.pylabtools")  # imported by others only when they are used
START_SECONDS = 60.0
KEPT = 2  # servers with nothing to do that are kept warm, each for the labs that import the same
# The first word is a folder, which goes when the command that follows has ended, whoever ended it.
THEN_REMOVE = ["sh", "-c", '"$@"; rm -rf -- "$0"']


class WarmServer:
    """One warm process and its folder. Safe to use from several threads."""

    def __init__(self, layer: str, locked_module: bool, modules: tuple[str, ...]):
        self.layer = layer
        self.folder = Path(tempfile.mkdtemp(prefix="labkit-"))
        self.folder.chmod(0o711)  # a kernel may be another user: it may pass, but not look
        self.kernels: set[int] = set()
        self._homes, self._asking, self._ready = count(1), threading.Lock(), False
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
        if self.layer == "bubblewrap":
            command = wrap(command, confinement)
        with theirs:
            self._process = subprocess.Popen(
                [*THEN_REMOVE, str(self.folder), *command],
                env=home.surroundings(self.folder, fonts),
                cwd=self.folder,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                **quiet,
            )
        parts.append(self._process)

    def is_alive(self) -> bool:
        return self.close.still_active() and self._process.poll() is None

    def next_home(self) -> Path:
        """Where the next kernel is to live; nothing is there yet."""
        return self.folder / f"home-{next(self._homes)}"

    def start_kernel(self, folder: Path, budgets: Budgets, **wishes: object) -> tuple[int, socket.socket]:
        """A fork with this home: its number, and the socket to it. `wishes` are zeromq's, for a kernel that it serves."""
        folder.mkdir(mode=0o700)
        give_home(folder)
        confinement = Confinement(str(folder), self.readable, budgets.limits())
        request = {"do": "start", "environment": home.of_home(folder), **wishes}
        request |= {"confinement": confinement.to_json(), "layer": self.layer}
        ours, theirs = socket.socketpair()
        with theirs:
            kernel = self._ask(request, theirs.fileno())["kernel"]
        self.kernels.add(kernel)
        return kernel, ours

    def tell(self, kernel: int, what: str, **more: object) -> dict:
        """The server's answer to a request on a kernel; an empty one when the kernel was stopped or the server is gone."""
        try:
            return self._ask({"do": what, "kernel": kernel, **more}) if kernel in self.kernels else {}
        except KernelDied:
            return {}

    def stop_kernel(self, kernel: int, folder: Path) -> None:
        """Kill a kernel and whatever it started, and remove its home. Safe to call twice."""
        self.tell(kernel, "stop")
        self.kernels.discard(kernel)
        shutil.rmtree(folder, ignore_errors=True)

    def _ask(self, request: dict, *descriptors: int) -> dict:
        """The server's answer. Errors: KernelDied when the server is gone or does not answer."""
        try:
            with self._asking:
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
                os.killpg(each.pid, signal.SIGKILL)
                each.wait()
    shutil.rmtree(folder, ignore_errors=True)


_servers: dict[tuple, WarmServer] = {}
_choosing = threading.Lock()


def server_for(locked_module: bool, modules: tuple[str, ...] = ()) -> WarmServer:
    """This process's warm server for labs that import these modules, started when there is none."""
    key = (os.getpid(), best_layer(), locked_module, modules)
    with _choosing:
        if key not in _servers or not _servers[key].is_alive():
            idle = [other for other, server in _servers.items() if not server.kernels]
            for other in idle[: max(0, len(idle) + 1 - KEPT)]:
                _servers.pop(other).close()
            _servers[key] = WarmServer(*key[1:3], (*ALWAYS, *LAZY, *modules))
        return _servers[key]
