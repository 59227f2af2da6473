"""Start the process of a warm server, and end it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from multiprocessing.util import Finalize
from pathlib import Path

from labkit import project
from labkit.kernel import home, warm_server
from labkit.kernel.confine import Confinement, wrap
from labkit.kernel.faults import blame_machine

# Again and again for some seconds: what is ending may write there once more.
_REMOVE = 'tries=0; until rm -rf -- "$@" || [ $((tries += 1)) -gt 50 ]; do sleep 0.1; done'
REMOVE = ["sh", "-c", _REMOVE, "sh"]  # the folders that follow
# The first word is a folder, which goes when the command that follows has ended, whoever ended it.
THEN_REMOVE = ["sh", "-c", f'"$@"; set -- "$0"; {_REMOVE}']


@dataclass(frozen=True)
class Access:
    """What a process needs to ask a warm server for kernels. It can be passed to a process when that is started."""

    control: socket.socket
    folder: Path
    readable: tuple[str, ...]
    layer: str
    locked_module: bool
    modules: tuple[str, ...]


@dataclass(frozen=True)
class ServerProcess:
    """A warm server's process; `access` is its owner's, `guests` are for other processes."""

    access: Access
    guests: tuple[Access, ...]
    close: Finalize  # it ends, and its kernels with it; called at the latest when this process ends


def available() -> bool:
    """Only Linux has all that the server uses; elsewhere each submission gets a stock kernel."""
    return sys.platform == "linux"


@blame_machine("starting the warm kernel server")
def start_server(layer: str, locked_module: bool, modules: tuple[str, ...], guests: int = 0) -> ServerProcess:
    """Start a process that imports these modules. It is not warm yet when this returns. Errors: MachineFailed."""
    folder = Path(tempfile.mkdtemp(prefix="labkit-"))
    folder.chmod(0o711)  # a kernel may be another user: it may pass, but not look
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(1 + guests)]
    parts: list = [pairs[0][0]]
    close = Finalize(None, _close, (folder, parts), exitpriority=10)
    view, fonts = home.make_view(folder / "view", locked_module), home.make_font_cache(folder / "matplotlib")
    readable = (str(view), str(fonts), *home.packages(locked_module))
    controls = [theirs.fileno() for _, theirs in pairs]
    arguments = [view, project.SOURCE, json.dumps(controls), json.dumps(modules)]
    command = [sys.executable, "-I", warm_server.__file__, *map(str, arguments)]
    if layer == "bubblewrap":
        command = wrap(command, Confinement(str(folder), readable, {}))
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    parts.append(
        subprocess.Popen(
            [*THEN_REMOVE, str(folder), *command],
            env=home.surroundings(folder, fonts),
            cwd=folder,
            pass_fds=controls,
            start_new_session=True,
            **quiet,
        )
    )
    for _, theirs in pairs:
        theirs.close()
    owner = Access(pairs[0][0], folder, readable, layer, locked_module, modules)
    return ServerProcess(owner, tuple(replace(owner, control=ours) for ours, _ in pairs[1:]), close)


def _close(folder: Path, parts: list) -> None:
    """The server ends, and with it its kernels, when its owner's socket closes."""
    control, *processes = parts
    control.close()
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    shutil.rmtree(folder, ignore_errors=True)
