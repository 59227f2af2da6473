"""What every worker process does first, so that it ends with the grader and leaves no files, however the grader ended."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from pathlib import Path

from labkit import temporary


def prepare(of_the_grader: str, prefix: str) -> None:
    """Ctrl-C is for the grader, which lets its workers finish what they have in hand; its sudden end is theirs too.

    `of_the_grader` is its folder of sockets, which a killed grader could not remove. The worker's own folder begins
    with `prefix`, by which the grader finds what a worker left that died.
    """
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
