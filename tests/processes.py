"""Which processes run for something, by the folder in their environment. Linux only."""

import os
import time
from pathlib import Path


def processes_in(folder: Path) -> set[int]:
    """Those whose temporary files go there."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(folder) in (process / "environ").read_bytes():
                found.add(int(process.name))
        except OSError:
            pass
    return found


def gone(folder: Path) -> bool:
    """Whether all of them end soon."""
    for _ in range(100):
        if not processes_in(folder):
            return True
        time.sleep(0.1)
    return False
