"""One temporary folder per test run. It is removed when the run ends, even if the run is killed."""

from __future__ import annotations

import os
import tempfile

from labkit.grade.batch.worker import remove_at_the_end

NAME = "LABKIT_TESTS_FOLDER"  # environment variable: a run's workers and commands share it
_removes = None  # the process that removes it, once this process has closed its end of the pipe


def use_own_folder() -> None:
    """Create the folder, unless this process's run already has one. Pytest's own temporary folders stay where they are."""
    global _removes
    if NAME not in os.environ:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        _removes = remove_at_the_end(_make)


def _make() -> str:
    folder = tempfile.mkdtemp(prefix="lk-tests-")
    os.chmod(folder, 0o1777)  # some tests change their user
    os.environ[NAME] = os.environ["TMPDIR"] = tempfile.tempdir = folder
    return folder
