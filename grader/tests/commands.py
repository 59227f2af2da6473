"""Run the command line in forks of a process that has already imported it, which saves a second per command.

Each fork has its own environment, folder, streams and exit code, like a newly started process. Tests of process behaviour, such as
how it reacts to a signal, start a real process. `python commands.py SOCKET` runs the process that forks.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path

LABKIT = Path(sys.executable).with_name("labkit")
HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
CONSENT, CHOICE = "--allow-unsandboxed", "LABKIT_LAYER"  # how a test asks for less isolation
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@cache
def commands() -> Commands:
    """This process's commands; the fixtures end them."""
    return Commands()


class Commands:
    """Runs `labkit`."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, __file__, str(theirs.fileno())]
        environment = {**os.environ, **ONE_THREAD}  # so that it has a single thread when it forks
        self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL)
        theirs.close()
        self.unchanging = {str(CHECKOUT)}  # courses that no test changes, whose fork servers are kept

    def close(self) -> None:
        self.control.close()
        self.process.wait(60)

    def run(
        self, *words: object, env: dict[str, str] | None = None, cwd: object = ".", timeout: float = 240
    ) -> subprocess.CompletedProcess:
        """Run a command; return its output and exit code. Errors: TimeoutExpired, after which it is killed."""
        arguments = list(map(str, words))
        asked = {
            "words": arguments,
            "env": dict(env or os.environ),
            "cwd": os.path.abspath(cwd),
            "unchanging": [*self.unchanging],
        }
        with tempfile.TemporaryFile() as request, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            request.write(json.dumps(asked).encode())
            request.flush()
            socket.send_fds(self.control, [b"?"], [request.fileno(), out.fileno(), err.fileno()])
            pid = self._heard()
            self.control.settimeout(timeout)
            try:
                code = self._heard()
            except TimeoutError:
                os.kill(pid, 9)
                self.control.settimeout(60)
                self._heard()
                raise subprocess.TimeoutExpired(arguments, timeout) from None
            finally:
                self.control.settimeout(None)
            said = [_text(file) for file in (out, err)]
        if code == 2 and CONSENT in said[1]:
            from needs import skip_unless_isolated

            skip_unless_isolated(CONSENT in arguments or CHOICE in asked["env"])
        return subprocess.CompletedProcess([str(LABKIT), *arguments], code, *said)

    def _heard(self) -> int:
        if not (said := self.control.recv(64)):
            raise RuntimeError("the process that forks commands has ended")
        return int(said)


def _text(file: io.BufferedRandom) -> str:
    file.seek(0)
    return file.read().decode("utf-8").replace("\r\n", "\n")


def serve(control: socket.socket) -> None:
    """Fork a process for each request until the client disconnects."""
    from kept_servers import Keeper

    import labkit.__main__
    import labkit.cli
    import labkit.cli.doctor
    import labkit.cli.run
    import labkit.desk.pages.gradebook
    import labkit.desk.pages.report
    import labkit.grade.judge.judge

    keeper = Keeper()
    gc.freeze()  # garbage collection in the forks then skips imported objects
    while True:
        said, files, _, _ = socket.recv_fds(control, 64, 3)
        if not said:
            return
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if pid := os.fork():
            for file in (*files, theirs.detach()):
                os.close(file)
            control.send(str(pid).encode())
            with ours:
                keeper.serve(ours)
            control.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
        else:
            control.close()
            ours.close()
            keeper.leave()
            become(theirs, *files)
            end_with(labkit.__main__.main)


def become(keeper: socket.socket, request: int, out: int, err: int) -> None:
    """Take over the command's arguments, environment, folder and streams."""
    from kept_servers import use_kept

    with open(request, "rb") as file:
        file.seek(0)
        asked = json.load(file)
    sys.argv = [str(LABKIT), *asked["words"]]
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    tempfile.tempdir = None
    for stream, file in (("stdout", out), ("stderr", err)):
        own = getattr(sys, stream).fileno()
        os.dup2(file, own)
        os.close(file)
        setattr(sys, stream, open(own, "w", encoding="utf-8", buffering=1 + (stream == "stdout") * 8191, closefd=False))
    fork_what_workers_are_forked_from()
    use_kept(keeper, asked["unchanging"])


def end_with(main: Callable[[], None]) -> None:
    """Run the command and end as Python does, without tearing down all modules, which takes longer than many commands."""
    code = 0
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(code)


def fork_what_workers_are_forked_from() -> None:
    """Fork the process that multiprocessing would start with `python -c PROGRAM`, which would repeat imports."""
    from multiprocessing import util

    start = util.spawnv_passfds

    def fork(path: bytes, words: list, passed: list[int]) -> int:
        program = str(words[-1])
        if not re.match("from multiprocessing.forkserver import main;", program):
            return start(path, words, passed)
        if pid := os.fork():
            return pid
        try:
            util._finalizer_registry.clear()
            kept, most = sorted({0, 1, 2, *map(int, passed)}), os.sysconf("SC_OPEN_MAX")
            for low, high in zip(kept, [*kept[1:], most]):
                os.closerange(low + 1, high)
            from multiprocessing.resource_tracker import _resource_tracker

            _resource_tracker._fd = _resource_tracker._pid = None
            exec(program, {})
        finally:
            os._exit(0)

    util.spawnv_passfds = fork


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as control:
        import kept_servers  # noqa: F401  # before its folder leaves the path

        sys.path[:] = [path for path in sys.path if Path(path) != HERE]
        serve(control)
