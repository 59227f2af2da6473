"""Temporary folders that kernels may enter, when the superuser of a container runs the tests.

A superuser's kernels run as another user. They may read everything in spite of that, except in most containers, where the superuser
does not have this right either. Then pytest's temporary folders, which are private, hide the courses in them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from labkit.grade.sandbox.privileges import LINUX

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
