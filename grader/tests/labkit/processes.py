"""Processes started by tests. Each ends with its test, and every wait has a limit."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from labkit.grade.sandbox.privileges import as_kernels_user

PATIENCE = 60  # seconds to wait for something quick on a busy machine


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Wait for the condition to become true. Returns False if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def started(*command: object, **settings: object) -> Iterator[subprocess.Popen]:
    """A process in a new session; everything left in that session is killed at the end of the test."""
    process = subprocess.Popen(list(map(str, command)), start_new_session=True, **settings)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            pipe.close()


def first_line(process: subprocess.Popen) -> str:
    """Read a process's first line of output, which must come in one piece. Errors: AssertionError if there is none."""
    assert select.select([process.stdout], [], [], PATIENCE)[0], "the process printed nothing in time"
    return process.stdout.readline().strip()


def processes_in(folder: Path) -> set[int]:
    """Processes with an environment that names the folder, for example as TMPDIR. Linux only."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        for reader in (
            nullcontext,
            as_kernels_user,
        ):  # a container's superuser may not read the environment of another user's process
            with suppress(OSError), reader():
                if os.fsencode(folder) in (process / "environ").read_bytes():
                    found.add(int(process.name))
    return found


def gone(folder: Path) -> bool:
    """Whether all processes whose environment names the folder end soon.

    A check may miss a process that starts during the check, so two in a row must find none.
    """
    return until(lambda: not processes_in(folder) and not processes_in(folder))
