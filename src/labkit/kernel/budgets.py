"""How much a submission may use before it is stopped."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budgets:
    """Each has a default that honest labs stay far below."""

    cell_seconds: float = 10.0  # one cell, or one call of an answer
    notebook_seconds: float = 120.0  # everything together
    cpu_seconds: int = 120
    memory_bytes: int = 4 * 2**30  # address space; numpy and matplotlib alone take nearly one GiB of it
    file_bytes: int = 64 * 2**20
    open_files: int = 256

    def limits(self) -> dict[str, int]:
        """The POSIX limits of the kernel process."""
        return {
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_AS": self.memory_bytes,
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_CORE": 0,
        }
