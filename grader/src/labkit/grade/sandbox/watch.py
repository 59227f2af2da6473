"""Watch, from outside, how many files and threads and how much disk space a kernel uses.

POSIX limits restrict the size of each file, but not the number of files. A full disk is blamed on the kernel if the kernel
filled the disk, and on the machine otherwise.
"""

from __future__ import annotations

import errno
import math
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from labkit.grade.sandbox.faults import MachineFailed
from labkit.grade.sandbox.privileges import as_kernels_user
from labkit.student.model.budgets import Budgets

INTERVAL = 0.25  # seconds between two checks
LEAST_BYTES, LEAST_FILES = 2**20, 16  # with less than this left on the disk, the kernel's results prove nothing
SHARE = 4  # a kernel may fill a quarter of the free space on a small disk; others can use the rest until it is stopped


class Watch:
    """Checks a kernel's process and workdir from time to time. The budget for files also bounds the time of a check."""

    process: int | None = None  # the process's id as seen from here; until it is known, unnamed files are not counted

    def __init__(self, workdir: Path, budgets: Budgets):
        self.workdir, self.budgets, self._next = workdir, budgets, time.monotonic() + INTERVAL
        space, files = self._left_on_disk()
        self.most_bytes = min(budgets.disk_bytes, max(LEAST_BYTES, space / SHARE))
        self.most_files = int(min(budgets.files, max(LEAST_FILES, files / SHARE)))
        self.look_at_disk()

    def complaint(self) -> str | None:
        """The exceeded budget in words. Returns None if all is well, or the last check was just now. Errors: MachineFailed."""
        if time.monotonic() < self._next:
            return None
        try:
            if not (too_much := self._look()):
                self.look_at_disk()
            return too_much
        finally:
            self._next = time.monotonic() + INTERVAL

    def look_at_disk(self) -> None:
        """Check free disk space. Errors: MachineFailed if almost nothing can be written and this kernel did not fill the disk."""
        space, files = self._left_on_disk()
        if (space < LEAST_BYTES or files < LEAST_FILES) and not self._look():
            raise MachineFailed(f"no space left on the disk of {self.workdir.parent}")

    def _left_on_disk(self) -> tuple[float, float]:
        """Count free bytes and inodes. Both are infinite where the system does not count them."""
        try:
            disk = os.statvfs(self.workdir)
        except OSError:  # the workdir has been removed
            return math.inf, math.inf
        return disk.f_bavail * disk.f_frsize, disk.f_favail if disk.f_files else math.inf

    def _look(self) -> str | None:
        if self._threads() > self.budgets.processes:
            return f"started more than {self.budgets.processes} threads"
        with as_kernels_user():
            size = sum(self._without_names())
        files, folders = 0, [self.workdir]
        while folders:
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        files += 1
                        with suppress(FileNotFoundError):  # removed since it was listed
                            size += entry.stat(follow_symlinks=False).st_blocks * 512
                        if files > self.most_files:
                            return f"made more than {self.most_files:,} files"
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.ENAMETOOLONG):
                    return "made a folder that cannot be read"
            if size > self.most_bytes:
                return f"filled more than {self.most_bytes / 2**20:.0f} MiB of disk"
        return None

    def _without_names(self) -> Iterator[int]:
        """Yield the bytes of removed files that the process still has open or mapped."""
        with suppress(OSError):  # the process has ended, or this system has no /proc
            for each in os.scandir(f"/proc/{self.process}/fd"):
                with suppress(OSError):
                    found = os.stat(each.path)
                    if stat.S_ISREG(found.st_mode) and not found.st_nlink:
                        yield found.st_blocks * 512
            mapped = Path(f"/proc/{self.process}/maps").read_bytes()
            for line in mapped.splitlines() if b"(deleted)" in mapped else ():
                if line.endswith(b"(deleted)") and f"/{self.workdir.name}/".encode() in line:
                    first, last = line.split()[0].split(b"-")
                    yield int(last, 16) - int(first, 16)

    def _threads(self) -> int:
        try:
            return os.stat(f"/proc/{self.process}/task").st_nlink - 2
        except OSError:
            return 0
