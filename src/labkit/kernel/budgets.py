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
    file_bytes: int = 64 * 2**20  # one file
    disk_bytes: int = 512 * 2**20  # all files together
    files: int = 2_000
    open_files: int = 256
    processes: int = 128  # and threads, where no layer refuses them: more than the user runs already
    output_bytes: int = 100 * 2**20  # of one cell, or of one call of an answer
    outputs: int = 10_000  # messages of one cell
    stock_kernel: bool = False  # a kernel process of its own for each submission, in place of a fork of a warm one

    def limits(self) -> dict[str, int]:
        """The POSIX limits of the kernel process."""
        return {
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_AS": self.memory_bytes,
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_CORE": 0,
        }
