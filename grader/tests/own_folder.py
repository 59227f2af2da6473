"""Temporary files of one test run are in a folder of its own, which goes with the run, also when that is killed."""

from __future__ import annotations

import os
import tempfile

from labkit.grading.worker import remove_at_the_end

NAME = "LABKIT_TESTS_FOLDER"  # environment variable: a run's workers and commands share it
_removes = None  # the process that removes it; kept, because it waits for this process's end of a pipe


def use_own_folder() -> None:
    """Make the folder, unless this process is part of a run that has one. What pytest keeps of runs stays where it was."""
    global _removes
    if NAME not in os.environ:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        _removes = remove_at_the_end(_make)


def _make() -> str:
    folder = tempfile.mkdtemp(prefix="lk-tests-")
    os.chmod(folder, 0o1777)  # some tests become another user
    os.environ[NAME] = os.environ["TMPDIR"] = tempfile.tempdir = folder
    return folder
