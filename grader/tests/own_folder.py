"""Temporary files of one test run are in a folder of its own, which goes with the run, also when that is killed."""

from __future__ import annotations

import os
import subprocess
import tempfile

from labkit.grading.worker import QUIET
from labkit.kernel.fork_server.process import REMOVE_AT_THE_END

NAME = "LABKIT_TESTS_FOLDER"  # environment variable: a run's workers and commands share it
_removes = None  # the process that removes it; kept, because it waits for this process's end of a pipe


def use_own_folder() -> None:
    """Make the folder, unless this process is part of a run that has one. What pytest keeps of runs stays where it was."""
    global _removes
    if NAME in os.environ:
        return
    usual = tempfile.gettempdir()
    settings = {**QUIET, "stdin": subprocess.PIPE, "cwd": "/", "start_new_session": True}
    _removes = subprocess.Popen(REMOVE_AT_THE_END, **settings)
    folder = tempfile.mkdtemp(prefix="lk-tests-")
    _removes.stdin.write(os.fsencode(folder))
    _removes.stdin.flush()
    os.chmod(folder, 0o1777)  # some tests become another user
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", usual)
    os.environ[NAME] = os.environ["TMPDIR"] = tempfile.tempdir = folder
