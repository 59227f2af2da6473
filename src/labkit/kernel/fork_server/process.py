"""Start the process of a fork server, and end it."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from multiprocessing.util import Finalize
from pathlib import Path

from labkit import project
from labkit.course import Environment
from labkit.kernel import workdir
from labkit.kernel.fork_server import main
from labkit.sandbox.confine import Confinement, wrap
from labkit.sandbox.faults import blame_machine

# Again and again for some seconds: what is ending may write there once more.
_REMOVE = 'tries=0; until rm -rf -- "$@" || [ $((tries += 1)) -gt 50 ]; do sleep 0.1; done'
REMOVE = ["sh", "-c", _REMOVE, "sh"]  # the folders that follow
# The word that follows is a folder. It goes when the command has ended that is read from standard input, whoever ended
# it; and when who was to make the folder and to give the command has ended before.
_RUN = 'command=$(cat); cd -- "$0" && unset OLDPWD && eval "$command" </dev/null; cd /'
THEN_REMOVE = ["sh", "-c", f'{_RUN}; set -- "$0"; {_REMOVE}']


@dataclass(frozen=True)
class Handle:
    """What a process needs to ask a fork server for kernels. It can be passed to a process when that is started."""

    control: socket.socket
    folder: Path
    readable: tuple[str, ...]
    layer: str
    environment: Environment


@dataclass(frozen=True)
class ServerProcess:
    """A fork server's process; `handle` is its owner's, `clients` are for other processes."""

    handle: Handle
    clients: tuple[Handle, ...]
    close: Finalize  # it ends, and its kernels with it; called at the latest when this process ends


def available() -> bool:
    """Only Linux has all that the server uses; elsewhere each submission gets a stock kernel."""
    return sys.platform == "linux"


@blame_machine("starting the fork server")
def start_server(layer: str, environment: Environment, clients: int = 0) -> ServerProcess:
    """Start a process that imports what this environment keeps warm. It is not warm yet when this returns. Errors: MachineFailed."""
    folder = Path(tempfile.gettempdir(), f"labkit-{secrets.token_hex(8)}")
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(1 + clients)]
    parts: list = [pairs[0][0]]
    close = Finalize(None, _close, (folder, parts), exitpriority=10)
    controls, variables = (
        [theirs.fileno() for _, theirs in pairs],
        workdir.environment_variables(folder, folder / "matplotlib"),
    )
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(
        [*THEN_REMOVE, str(folder)], env=variables, cwd="/", pass_fds=controls, start_new_session=True, **quiet
    )
    parts.append(process)
    folder.mkdir()
    folder.chmod(0o711)  # a kernel may be another user: it may pass, but not look
    import_root, fonts = (
        workdir.make_import_root(folder / "import_root", environment),
        workdir.make_font_cache(folder / "matplotlib"),
    )
    readable = (str(import_root), str(fonts), *workdir.packages(environment))
    here = project.current()
    arguments = [import_root, here.source, json.dumps(controls), json.dumps([here.package, *environment.warm])]
    command = [sys.executable, "-I", main.__file__, *map(str, arguments)]
    if layer == "bubblewrap":
        command = wrap(command, Confinement(str(folder), readable, {}))
    with process.stdin:
        process.stdin.write(os.fsencode(shlex.join(command)))
    for _, theirs in pairs:
        theirs.close()
    owner = Handle(pairs[0][0], folder, readable, layer, environment)
    return ServerProcess(owner, tuple(replace(owner, control=ours) for ours, _ in pairs[1:]), close)


def _close(folder: Path, parts: list) -> None:
    """The server ends, and with it its kernels, when its owner's socket closes."""
    control, *processes = parts
    control.close()
    for process in processes:
        process.stdin.close()  # it may still wait for its command
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    workdir.remove(folder)
