"""Budgets: what a submission may use before it is stopped or refused. `labkit grade` has an option for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, TypeVar

MIB = 2**20
Number = TypeVar("Number", int, float)
Budget = Field[Any]  # seconds are floats; everything else is counted in whole numbers
# The part of a kernel's address space that is not its own memory: shared libraries and space reserved for threads.
WARM, STOCK = 256 * MIB, 768 * MIB
OUTER = 6  # a time budget may take up to 6 times as long in wall-clock time, because a kernel may wait for a processor
CLOCK = f"the kernel is stopped; time waiting for a processor does not count, but the total is limited to {OUTER} times the budget"


def _budget(default: Number, what: str, held: str, *, unit: int = 1, least: float = 1) -> Number:
    """Describe a budget: `what` it limits, how it is enforced (`held`), and the size of the option's `unit`, such as MIB."""
    return field(default=default, metadata={"what": what, "held": held, "unit": unit, "least": least})


@dataclass(frozen=True)
class Budgets:
    """The budgets of one submission. Honest submissions stay far below each default."""

    cell_seconds: float = _budget(10.0, "seconds for one cell or one call to an answer", CLOCK, least=0.5)
    notebook_seconds: float = _budget(120.0, "seconds for one notebook, including calls to its answers", CLOCK)
    cpu_seconds: int = _budget(120, "processor seconds of one kernel", "RLIMIT_CPU")
    memory_bytes: int = _budget(4096 * MIB, "address space of one kernel, in MiB", "RLIMIT_AS", unit=MIB, least=2048)
    file_bytes: int = _budget(64 * MIB, "size of one file that a kernel writes, in MiB", "RLIMIT_FSIZE", unit=MIB)
    disk_bytes: int = _budget(
        512 * MIB, "total size of one kernel's files, in MiB", "its folder is checked every 0.25 s", unit=MIB
    )
    files: int = _budget(2_000, "number of files in one kernel's folder", "its folder is checked every 0.25 s")
    open_files: int = _budget(128, "open files of one kernel", "RLIMIT_NOFILE", least=64)
    processes: int = _budget(
        128,
        "processes and threads of one kernel",
        "RLIMIT_NPROC in the `limits` layer; otherwise new processes are refused and threads are counted every 0.25 s",
    )
    output_bytes: int = _budget(32 * MIB, "output of one cell, in MiB", "counted as it arrives", unit=MIB)
    outputs: int = _budget(10_000, "number of outputs of one cell", "counted as they arrive")
    submission_bytes: int = _budget(
        20 * MIB, "size of a submitted file, in MiB", "checked before the file is read", unit=MIB
    )
    json_depth: int = _budget(
        100, "nesting depth of JSON in a submission or from a kernel", "counted before parsing", least=10
    )
    judging_seconds: int = _budget(
        30, "processor seconds that the grader may spend on one submission", "RLIMIT_CPU of the worker", least=2
    )
    judging_bytes: int = _budget(
        160 * MIB,
        "memory that the grader may use for one submission, in MiB",
        "RLIMIT_DATA of the worker",
        unit=MIB,
        least=32,
    )
    stock_kernel: bool = False  # one kernel process per submission instead of a fork of a warm one

    memory_share: int | None = None  # bytes of memory per kernel, if the machine has less than the budget

    def longest_seconds(self) -> float:
        """The longest wall-clock time, in seconds, that one submission can take on a busy machine."""
        return OUTER * (self.notebook_seconds + self.judging_seconds)

    def address_space(self) -> int:
        """Bytes of a kernel's address space: its budget, or its share of the machine if that is less."""
        own = self.memory_bytes if self.memory_share is None else self.memory_share
        return min(self.memory_bytes, self.shared_bytes() + own)

    def shared_bytes(self) -> int:
        return STOCK if self.stock_kernel else WARM

    def limits(self) -> dict[str, int]:
        """The POSIX limits for the kernel's process."""
        return {
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_AS": self.address_space(),
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_SIGPENDING": 64,
        }


# The budgets by the names of their options without the leading dashes: cell-seconds, memory-mib, files.
OPTIONS: dict[str, Budget] = {
    each.name.replace("_bytes", "_mib").replace("_", "-"): each for each in fields(Budgets) if each.metadata
}


def from_options(given: Mapping[str, float], stock_kernel: bool = False, course: Budgets = Budgets()) -> Budgets:
    """Make budgets from the values of options, by option name; the others are the course's."""
    own = {OPTIONS[name].name: value * OPTIONS[name].metadata["unit"] for name, value in given.items()}
    return replace(course, stock_kernel=stock_kernel, **own)
