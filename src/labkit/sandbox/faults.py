"""What goes wrong and is no submission's doing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress


class MachineFailed(Exception):
    """The machine or the grader failed: memory, disk, processes, a server that was killed.

    It is nobody's result. The message says what is missing, in words for whoever grades.
    """


class ServerGone(MachineFailed):
    """The fork server has ended; another one can be started."""


@contextmanager
def blame_machine(doing: str, *others: type[Exception]) -> Iterator[None]:
    """Whoever is `doing` this in the grader gets MachineFailed for what a system call, memory or `others` refuse."""
    try:
        yield
    except (OSError, MemoryError, *others) as error:
        raise MachineFailed(f"{doing} failed: {in_words(error)}") from None


def in_words(error: BaseException) -> str:
    """One line: what the system says, and of which file; the error's name where it says nothing."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror + (f" ({error.filename})" if error.filename else "")
    return " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())


def memory_kills() -> int:
    """How many processes were ended on this machine because memory ran out; 0 on a system that does not count them."""
    with suppress(OSError), open("/proc/vmstat") as counts:
        return next((int(line.split()[1]) for line in counts if line.startswith("oom_kill ")), 0)
    return 0
