"""How full a kernel's home is, watched from outside: POSIX limits bound each file, but not how many there are."""

from __future__ import annotations

import os
import time
from pathlib import Path

from labkit.budgets import Budgets

INTERVAL = 0.25  # seconds between two looks


class DiskWatch:
    """Looks at a home from time to time, and never longer than its budget of files takes."""

    def __init__(self, home: Path, budgets: Budgets):
        self.home, self.budgets, self._next = home, budgets, 0.0

    def complaint(self) -> str | None:
        """What is too much in words, or nothing when all is well or it was looked at just now."""
        if time.monotonic() < self._next:
            return None
        try:
            return self._look()
        finally:
            self._next = time.monotonic() + INTERVAL

    def _look(self) -> str | None:
        files = size = 0
        folders = [self.home]
        while folders:
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        files += 1
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
                        if files > self.budgets.files:
                            return f"made more than {self.budgets.files:,} files"
                        if size > self.budgets.disk_bytes:
                            return f"filled more than {self.budgets.disk_bytes / 2**20:.0f} MiB of disk"
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
            except OSError:  # gone since it was listed, or closed to its own owner
                continue
        return None
