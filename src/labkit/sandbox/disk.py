"""How full a kernel's workdir and the disk below it are, watched from outside.

POSIX limits bound each file, but not how many there are. A full disk is the machine's fault and nobody's result.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from labkit.budgets import Budgets
from labkit.sandbox.faults import MachineFailed

INTERVAL = 0.25  # seconds between two looks
LEAST_BYTES, LEAST_FILES = 2**20, 16  # with less than this left on its disk, what a kernel does says nothing


class DiskWatch:
    """Looks at a workdir from time to time, and never longer than its budget of files takes."""

    def __init__(self, workdir: Path, budgets: Budgets):
        self.workdir, self.budgets, self._next = workdir, budgets, 0.0
        self.look_at_disk()

    def complaint(self) -> str | None:
        """What is too much in words, or nothing when all is well or it was looked at just now. Errors: MachineFailed."""
        if time.monotonic() < self._next:
            return None
        try:
            if not (too_much := self._look()):
                self.look_at_disk()
            return too_much
        finally:
            self._next = time.monotonic() + INTERVAL

    def look_at_disk(self) -> None:
        """Errors: MachineFailed when next to nothing can be written where the workdir lies, whoever filled it."""
        try:
            disk = os.statvfs(self.workdir)
        except OSError:  # the workdir is gone, and with it the question
            return
        if disk.f_bavail * disk.f_frsize < LEAST_BYTES or disk.f_files and disk.f_favail < LEAST_FILES:
            raise MachineFailed(f"no space left on the disk of {self.workdir.parent}")

    def _look(self) -> str | None:
        files, size, folders = 0, 0, [self.workdir]
        while folders:
            # It may be gone since it was listed, or closed to its own owner.
            with suppress(OSError), os.scandir(folders.pop()) as entries:
                for entry in entries:
                    files += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if files > self.budgets.files:
                        return f"made more than {self.budgets.files:,} files"
                    if size > self.budgets.disk_bytes:
                        return f"filled more than {self.budgets.disk_bytes / 2**20:.0f} MiB of disk"
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        return None
