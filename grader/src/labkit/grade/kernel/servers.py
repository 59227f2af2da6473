"""Start and end fork servers, choose the one for a lab, and ask it to start, query and end kernels."""

from __future__ import annotations

import ast
import json
import os
import secrets
import select
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path

from labkit.grade.intake.handout import SETUP, handout
from labkit.grade.kernel import fork_server, workdir
from labkit.grade.kernel.meter import HELLO, packed
from labkit.grade.sandbox.confine import Confinement, best_layer, hand_over, keeps_forks_apart, wrap
from labkit.grade.sandbox.faults import MachineFailed, ServerGone, blame_machine
from labkit.grade.sandbox.privileges import beyond_bounds
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment
from labkit.student.model.project import Project

START_SECONDS = 60.0
CREDENTIALS = struct.Struct("3i")  # the sender's process id as the reader sees it, its user and its group
LONGEST = 2**16  # characters of all setup cells; Linux starts no program with an argument twice as long
KEPT = 2  # idle servers that stay warm, one for each set of imports


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

    def start_kernel(self, folder: Path, budgets: Budgets, lab: str = "") -> tuple[int, socket.socket]:
        """Fork a kernel with this workdir, prepared for this lab; return its number and its socket.

        Errors: ServerGone, and MachineFailed if there is no room for another kernel.
        """
        confinement = Confinement(str(folder), self.readable, budgets.limits()).to_json()
        settings = {"environment": workdir.variables_of(folder), "confinement": confinement, "layer": self.layer}
        try:
            with blame_machine("making a workdir for a kernel"):
                try:
                    folder.mkdir(mode=0o700)
                    hand_over(folder)
                except FileNotFoundError:
                    self.close()  # so that the next kernel gets another server, although this one said that it was ready
                    raise ServerGone("the fork server is gone, and its folder with it") from None
                ours, theirs = socket.socketpair()
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # the kernel's hello then includes its process id
            with theirs:
                ours.sendall(packed(settings))  # only the fork reads this; the server never does
                kernel = self._ask({"do": "start", "lab": lab}, theirs.fileno())["kernel"]
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


_servers: dict[tuple, ServerHandle] = {}
_choosing = threading.Lock()


def available() -> bool:
    """Whether kernels can be forked, which needs Linux and forks that can be isolated. Otherwise stock kernels are started."""
    return sys.platform == "linux" and keeps_forks_apart()


def server_for(project: Project, environment: Environment) -> ServerHandle:
    """Return this process's fork server for labs with this environment. It is started if necessary."""
    key = (os.getpid(), best_layer(), project.root, environment)
    with _choosing:
        if key not in _servers or not _servers[key].is_alive():
            idle = [other for other, server in _servers.items() if not server.kernels]
            for other in idle[: max(0, len(idle) + 1 - KEPT)]:
                _servers.pop(other).close()
            _servers[key] = start_server(project, best_layer(), environment)[0]
        return _servers[key]


def attach(project: Project, server: ServerHandle) -> None:
    """Use a server that another process started and will end."""
    _servers[os.getpid(), server.layer, project.root, server.environment] = server


@blame_machine("starting the fork server")
def start_server(project: Project, layer: str, environment: Environment, clients: int = 0) -> list[ServerHandle]:
    """Start a server process for this environment. It is still warming up when this returns.

    The first handle is the owner's: the server ends when this handle is closed, and at the latest when this process ends. The other
    handles are for clients. Errors: MachineFailed.
    """
    folder = Path(tempfile.gettempdir(), f"labkit-{secrets.token_hex(8)}")
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(1 + clients)]
    parts: list = [pairs[0][0]]
    end = Finalize(None, _close, (folder, parts), exitpriority=10)
    controls = [theirs.fileno() for _, theirs in pairs]
    settings = {"env": workdir.environment_variables(folder, folder / "matplotlib"), "cwd": "/", "pass_fds": controls}
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*workdir.THEN_REMOVE, str(folder)], start_new_session=True, **settings, **quiet)
    parts.append(process)
    folder.mkdir()
    folder.chmod(0o711)  # a kernel may run as another user, who may enter the folder but not list it
    import_root = workdir.make_import_root(project, folder / "import_root", environment)
    fonts = workdir.make_font_cache(folder / "matplotlib")
    readable = (str(import_root), str(fonts), *workdir.packages(project, environment))
    first_cells = dict(_first_cells(project, environment))
    modules = dict.fromkeys((project.package, *environment.warm, *_course_modules(project, first_cells.values())))
    if len(json.dumps(first_cells)) > LONGEST:
        first_cells = {}  # each kernel runs its own
    arguments = [import_root, project.source, *map(json.dumps, (controls, readable, [*modules], first_cells))]
    command = [sys.executable, *workdir.ISOLATED, fork_server.__file__, *map(str, arguments)]
    if layer == "bubblewrap":
        command = wrap(command, Confinement(str(folder), readable, {}))
    with process.stdin:
        process.stdin.write(os.fsencode(shlex.join(command)))
    for _, theirs in pairs:
        theirs.close()
    handles = [ServerHandle(ours, folder, readable, layer, environment) for ours, _ in pairs]
    handles[0].end = end
    return handles


def _first_cells(project: Project, environment: Environment) -> Iterator[tuple[str, str]]:
    """The setup cell of each lab with this environment, by the lab's name."""
    for lab in project.course.names:
        with suppress(FileNotFoundError):  # no released lab yet
            if project.course.environment_of(lab) == environment:
                yield lab, handout(project, lab).sources.get(SETUP, "")


def _course_modules(project: Project, cells: Iterable[str]) -> Iterator[str]:
    """The course modules that these cells import by name."""
    for cell in cells:
        with suppress(SyntaxError):  # IPython syntax
            for node in ast.walk(ast.parse(cell)):
                match node:
                    case ast.Import(names=names):
                        named = [alias.name for alias in names]
                    case ast.ImportFrom(module=str(module), names=names):
                        named = [module, *(f"{module}.{alias.name}" for alias in names)]
                    case _:
                        continue
                yield from (name for name in named if _is_course_module(project, name))


def _is_course_module(project: Project, name: str) -> bool:
    path = project.source.joinpath(*name.split("."))
    inside = name.startswith(f"{project.package}.")
    return inside and (path.with_suffix(".py").exists() or path.joinpath("__init__.py").exists())


def _close(folder: Path, parts: list) -> None:
    """Close the owner's socket, which ends the server and its kernels."""
    control, *processes = parts
    control.close()
    for process in processes:
        process.stdin.close()  # the process may still be waiting for its command
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    workdir.remove(folder)
