"""The temporary folders of a test run: one that is removed when the run ends, even if it is killed, and ones that kernels may enter.

A superuser's kernels run as another user. They may read everything in spite of that, except in most containers, where the
superuser does not have this right either. Then pytest's temporary folders, which are private, hide the courses in them.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.grade.batch.worker import remove_at_the_end
from labkit.grade.sandbox.privileges import LINUX

if TYPE_CHECKING:
    import pytest

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


CAP_DAC_READ_SEARCH = 2


def closed_to_kernels() -> bool:
    """Whether this user's kernels run as another user who may not read everything."""
    return LINUX and os.geteuid() == 0 and not _capabilities() >> CAP_DAC_READ_SEARCH & 1


def _capabilities() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1], 16) for line in lines if line.startswith("CapEff:"))


def open_to_kernels(factory: pytest.TempPathFactory) -> None:
    """Let others enter, but not list, the folders that the factory makes from now on, and those above them."""
    make = factory.mktemp

    def mktemp(*arguments, **named) -> Path:
        made = make(*arguments, **named)
        for folder in (made, *made.parents):
            if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & 0o001:
                folder.chmod(folder.stat().st_mode | 0o011)
        return made

    factory.mktemp = mktemp  # type: ignore[method-assign]
