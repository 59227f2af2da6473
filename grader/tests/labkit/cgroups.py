"""Real shortages for some processes: a cgroup with little memory or few processes. Needs the superuser and Linux."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def cgroup(controller: str, processes: Iterable[int]) -> Iterator[Path]:
    """Create a cgroup and move these processes into it. Yields its folder; afterwards they return to their former group."""
    parent = Path("/sys/fs/cgroup", controller)
    if os.geteuid() or not (parent / "cgroup.procs").exists():
        pytest.skip(f"needs the superuser and the cgroup controller {controller} (version 1)")
    folder = parent / f"labkit-test-{os.getpid()}"
    folder.mkdir()
    try:
        for process in processes:
            (folder / "cgroup.procs").write_text(str(process))
        yield folder
    finally:
        for _ in range(50):
            for process in (folder / "cgroup.procs").read_text().split():
                with suppress(ProcessLookupError):
                    (parent / "cgroup.procs").write_text(process)
            try:
                folder.rmdir()
                break
            except OSError:  # a process in it is ending
                time.sleep(0.1)
