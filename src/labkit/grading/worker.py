"""A process that judges submissions, and that leaves nothing behind, however it or the grader ended."""

from __future__ import annotations

import multiprocessing
import multiprocessing.forkserver
import os
import shutil
import signal
import sys
import tempfile
import threading
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize, get_temp_dir
from pathlib import Path

from labkit import course, temporary
from labkit.kernel.server_process import Access


def get_ready() -> None:
    """Begin to import what workers need, which takes longer than anything the grader does before it starts one."""
    temporary.keep_short()
    _clean_processes()
    if sys.platform == "linux":
        multiprocessing.forkserver.ensure_running()


def start(prefix: str, server: Access | None = None) -> tuple[BaseProcess, Connection]:
    """A worker and the connection to it, with its way to a warm server that is there already.

    Its folder's name begins with `prefix`, by which the grader finds what a worker left that died.
    """
    context = _clean_processes()
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, get_temp_dir(), prefix, server))
    process.start()
    theirs.close()
    if server:
        server.control.close()
    return process, ours


def _clean_processes() -> multiprocessing.context.BaseContext:
    """Processes that share nothing with this one; where that is possible they are forks of one that imported all."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["labkit.grading.judge", *map(course.module_of, course.NAMES)])
    return context


def work(connection: Connection, of_the_grader: str, prefix: str, server: Access | None) -> None:
    """Judge what comes over the connection until None comes, or its end."""
    prepare(of_the_grader, prefix)
    from labkit.grading.judge import judge_each
    from labkit.kernel.server import (
        adopt,  # here, not above: the grader's own process needs nothing of this
    )

    if server:
        adopt(server)

    try:
        judge_each(iter(connection.recv, None), connection.send)
    except (EOFError, OSError):  # the grader is gone, or wants no more
        pass


def prepare(of_the_grader: str, prefix: str) -> None:
    """Ctrl-C is for the grader; its sudden end is also this process's, which takes the grader's own folder with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    temporary.keep_short()
    folder = tempfile.mkdtemp(prefix=prefix)
    os.chmod(folder, 0o711)  # kernels may be another user's: they may pass, but not look
    tempfile.tempdir = folder
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=0)  # after the kernels in it
    threading.Thread(target=_end_with_grader, args=(folder, of_the_grader), daemon=True).start()


def _end_with_grader(*folders: str) -> None:
    """A killed grader closes nothing. Its workers would wait for it for ever; kernels end with their worker."""
    wait([multiprocessing.parent_process().sentinel])
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def sweep(prefix: str) -> None:
    """Remove what workers left that died: the others have removed their folders."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        shutil.rmtree(folder, ignore_errors=True)
