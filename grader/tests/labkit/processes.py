"""Processes that tests start: each ends with its test, and none is waited for without a limit."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 60  # seconds for what takes a moment, on a machine that is busy with something else


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def started(*command: object, **settings: object) -> Iterator[subprocess.Popen]:
    """A process in a session of its own. What is left of that session at the end is killed, however the test went."""
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
    """What it says first; it says it at once and in one piece. Errors: AssertionError when nothing comes."""
    assert select.select([process.stdout], [], [], PATIENCE)[0], "the process says nothing"
    return process.stdout.readline().strip()


def processes_in(folder: Path) -> set[int]:
    """Those whose environment names the folder, such as for their temporary files. Linux only."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(folder) in (process / "environ").read_bytes():
                found.add(int(process.name))
        except OSError:
            pass
    return found


def gone(folder: Path) -> bool:
    """Whether all of them end soon; one may be started while another is looked at, so it takes two looks."""
    return until(lambda: not processes_in(folder) and not processes_in(folder))
