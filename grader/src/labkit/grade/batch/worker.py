"""A worker process, which grades submissions. Its files are removed no matter how it or the grader ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from glob import escape, glob
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize, get_temp_dir
from types import ModuleType
from typing import Any

from labkit.grade.judge.results import CourseCheck, Task
from labkit.grade.kernel import workdir
from labkit.grade.kernel.servers import ServerHandle, attach
from labkit.grade.sandbox import privileges
from labkit.grade.sandbox.faults import blame_machine
from labkit.student.model.budgets import MIB
from labkit.student.model.project import VARIABLE, Project, current

GROWN = 75 * MIB  # a worker that has grown by more is replaced; all labs' references and sympy take about 65 MiB
FAREWELL_SECONDS = 5.0  # time for a grader to end by itself
_HIDING = threading.Lock()
_forked = False  # whether workers are forks of this process
QUIET: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def fork_from_here(project: Project) -> None:
    """Let workers be forks of this process, which imports what they need before the first one. Threads would not survive that."""
    global _forked
    get_ready(project)
    _forked = sys.platform == "linux" and threading.active_count() == 1


def get_ready(project: Project) -> None:
    """Prepare what a worker inherits: the folder for temporary files, and the environment."""
    workdir.keep_short()
    leave_nothing()
    # One thread each, because workers run in parallel. With several, a library that runs out of memory would wait forever.
    os.environ |= {**dict.fromkeys(workdir.THREADS, "1"), VARIABLE: str(project.root)}


def _context(project: Project) -> ForkContext | ForkServerContext | SpawnContext:
    """How to start workers: as forks of this process, or of one that shares nothing with it."""
    get_ready(project)
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    if _forked:
        import labkit.grade.batch.warm_up  # noqa: F401

        return multiprocessing.get_context("fork")
    from multiprocessing import forkserver, resource_tracker

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["labkit.grade.batch.warm_up"])
    resource_tracker.ensure_running()  # otherwise another process starts it, and lets SIGINT through again
    with privileges.uninterrupted():  # inherited by workers: Ctrl-C is for the grader
        forkserver.ensure_running()
    return context


def read_ahead(project: Project, lab: str) -> None:
    """Read once what each worker needs for this lab, if workers are forks of this process."""
    if _forked:
        from labkit.grade.batch import warm_up

        warm_up.read(project, lab)


@cache
def leave_nothing() -> subprocess.Popen[bytes] | None:
    """Start a process that removes this process's temporary folder and its workers' when this process ends, even if killed."""
    with suppress(OSError):  # code that needs the folder reports why it is missing
        return remove_at_the_end(get_temp_dir)
    return None


def remove_at_the_end(make: Callable[[], str]) -> subprocess.Popen[bytes]:
    """Make a folder. It is removed when the returned process's stdin closes, so at the latest when this process ends.

    So are folders whose names start with the folder's name and a hyphen.
    """
    process = subprocess.Popen(
        workdir.REMOVE_AT_THE_END, cwd="/", start_new_session=True, **{**QUIET, "stdin": subprocess.PIPE}
    )  # started before the folder exists
    if process.stdin:
        process.stdin.write(os.fsencode(make()))
        process.stdin.flush()  # it stays open until this process ends
    return process


def start(project: Project, prefix: str, server: ServerHandle | None = None) -> tuple[BaseProcess, Connection]:
    """Start a worker with a handle on a running fork server. Returns the worker and the connection to it.

    The path of its folder starts with `prefix`, so that the grader can remove a dead worker's folder. Errors: MachineFailed.
    """
    context = _context(project)
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, prefix, server))
    # EOFError: the process from which workers are forked has ended. Click would treat it as an interrupt.
    with privileges.uninterrupted(), blame_machine("starting a grading process", EOFError), _without_main():
        process.start()
    theirs.close()
    if server:
        server.close()
    return process, ours


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program that grades: otherwise a worker would run its file again, and there may be none."""
    with _HIDING:
        main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def work(connection: Connection, prefix: str, server: ServerHandle | None) -> None:
    """Grade submissions as they arrive, until None arrives or the connection closes."""
    if _forked:
        _close_inherited(connection.fileno(), *([server.control.fileno()] if server else []))
    prepare(prefix)
    project = current()
    # Imported here, because the grader's own process needs none of this.
    from labkit.grade.judge.judge import judge_each

    if server:
        attach(project, server)

    try:
        judge_each(project, _tasks(connection), lambda result: _tell(connection, result))
    except Exception as error:  # the grader reports the error for the current task, without a traceback
        _tell(connection, " ".join(f"{type(error).__name__}: {error}".split())[:500])


def _close_inherited(*kept: int) -> None:
    """Close what a fork has inherited: other workers' sockets, which tell that a worker has ended, and the locked results folder."""
    for each in map(int, os.listdir("/proc/self/fd")):
        with suppress(OSError):  # the listed folder, which is closed by now
            mode = os.fstat(each).st_mode
            if each > 2 and each not in kept and (stat.S_ISSOCK(mode) or stat.S_ISDIR(mode)):
                os.close(each)


def _tasks(connection: Connection) -> Iterator[Task]:
    """Yield the tasks that arrive, until None arrives, the grader is gone, or this process has grown too large.

    This process's time and memory are limited for each submission separately.
    """
    at_rest = privileges.bytes_in_use()
    with suppress(EOFError, OSError):
        while task := connection.recv():
            if privileges.bytes_in_use() > at_rest + GROWN:
                return
            if not isinstance(task, CourseCheck):
                privileges.bound_from_now(task.budgets.judging_seconds, task.budgets.judging_bytes)
            yield task
            privileges.unbound()
        return
    killed = wait([_grader().sentinel], 1.0)
    if killed:  # the grader was killed: the other thread ends this process and cleans up
        time.sleep(2 * FAREWELL_SECONDS)


def _tell(connection: Connection, result: object) -> None:
    with suppress(OSError):  # the grader is gone, or needs no more answers
        connection.send(result)


def prepare(prefix: str) -> None:
    """Ignore Ctrl-C, which is for the grader. Arrange to end when the grader ends, and to clean up if the grader was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # child processes may be interrupted
    folder = tempfile.mkdtemp(prefix=prefix)
    os.chmod(folder, 0o711)  # kernels may run as another user, who may enter the folder but not list it
    tempfile.tempdir = folder
    Finalize(None, workdir.remove, (folder,), exitpriority=0)  # after the kernels in the folder have ended
    threading.Thread(target=_end_with_grader, args=(folder,), daemon=True).start()


def _grader() -> BaseProcess:
    grader = multiprocessing.parent_process()
    if grader is None:
        raise RuntimeError("this grading process was not started by a grader")
    return grader


def _end_with_grader(folder: str) -> None:
    """End when the grader ends. A killed grader closes no connections, so workers would wait forever."""
    grader = _grader()
    wait([grader.sentinel])
    until = time.monotonic() + FAREWELL_SECONDS
    while (
        _runs(grader.pid) and time.monotonic() < until
    ):  # an interrupted grader closes its connections first, and then cleans up
        time.sleep(0.05)
    # In another process, because this one's kernels write to the folder until it ends, and its main thread may start a server.
    subprocess.Popen([*workdir.REMOVE, folder], cwd="/", start_new_session=True, **QUIET)
    os._exit(1)


def _runs(process: int | None) -> bool:
    if process is None:
        return False
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def sweep(prefix: str) -> None:
    """Remove the folders that dead workers left. Retried for some seconds, because their kernels may still be ending."""
    until = time.monotonic() + FAREWELL_SECONDS
    while (left := glob(f"{escape(prefix)}*")) and time.monotonic() < until:
        for folder in left:
            workdir.remove(folder)
        time.sleep(0.01)
