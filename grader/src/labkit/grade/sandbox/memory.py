"""Find out how much memory is left for this process: on the machine, or in its control group or container if that is less."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from labkit.grade.sandbox.faults import groups_of_memory

# Files of a control group, version 2 and version 1: the limit, the usage, and the part of the usage that can be reclaimed.
FILES = {
    "memory.max": ("memory.current", "inactive_file"),
    "memory.limit_in_bytes": ("memory.usage_in_bytes", "total_inactive_file"),
}


def left() -> int | None:
    """The memory left, in bytes. Returns None on a system that does not report it."""
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
