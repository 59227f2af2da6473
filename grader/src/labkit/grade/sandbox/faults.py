"""Failures that no submission caused, and the memory that is left on the machine."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from labkit.student.model.errors import UserError
from labkit.student.model.text import in_a_line

GROUPS = Path("/sys/fs/cgroup")
# Files of a control group, version 2 and version 1: the limit, the usage, and the part of the usage that can be reclaimed.
FILES = {
    "memory.max": ("memory.current", "inactive_file"),
    "memory.limit_in_bytes": ("memory.usage_in_bytes", "total_inactive_file"),
}


class MachineFailed(UserError):
    """The machine or the grader failed: memory, disk, processes, a server that was killed.

    This is not a grading result. The message is for the instructor: it describes what failed on this machine.
    """

    exit_code = 3


class ServerGone(MachineFailed):
    """The fork server has ended; another one can be started."""


def refused(error: OSError, line: str) -> UserError:
    """The error, with this line, for a file that cannot be written. A full disk is the machine's failure; another place helps otherwise."""
    return (MachineFailed if error.errno in (errno.ENOSPC, errno.EDQUOT) else UserError)(line)


@contextmanager
def blame_machine(doing: str, *others: type[Exception]) -> Iterator[None]:
    """Turn OSError, MemoryError and errors of the types `others` into MachineFailed. `doing` names the action that failed."""
    try:
        yield
    except (OSError, MemoryError, *others) as error:
        raise MachineFailed(f"{doing} failed: {in_words(error)}") from None


def in_words(error: BaseException) -> str:
    """Describe an error in one line: the system's message and the file, or else the error's name and text."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror + (f" ({error.filename})" if error.filename else "")
    return in_a_line(error)


def memory_kills() -> int:
    """Count processes that were killed for lack of memory. Returns 0 on a system that does not count them.

    Where Linux allows it, only this process's control group is counted, because kills elsewhere have other causes.
    """
    of_groups = (group / name for group in groups_of_memory() for name in ("memory.events", "memory.oom_control"))
    for counts in (*of_groups, Path("/proc/vmstat")):
        with suppress(OSError):
            lines = counts.read_text().splitlines()
            return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
    return 0


def groups_of_memory() -> Iterator[Path]:
    """Yield folders that may be this process's control group. A container may see its own group as the root."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            number, controllers, group = line.split(":", 2)
            if number == "0" or "memory" in controllers.split(","):
                root = GROUPS if number == "0" else GROUPS / "memory"
                yield from (root / group.lstrip("/"), root)


def memory_left() -> int | None:
    """Bytes left on the machine, or in this process's control group if that is less. Returns None if the system does not report it."""
    return min(
        (*_of_the_machine(), *(found for group in groups_of_memory() for found in _of_a_group(group))), default=None
    )


def _of_the_machine() -> Iterator[int]:
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        yield from (int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))


def _of_a_group(group: Path) -> Iterator[int]:
    for limit, (used, given_back) in FILES.items():
        with suppress(OSError, ValueError, IndexError):  # "max" is not a number: the group has no limit
            most = int((group / limit).read_text())
            counts = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
            yield most - int((group / used).read_text()) + int(counts.get(given_back, 0))
