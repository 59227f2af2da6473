"""Run a command to its end, with every process it starts: wall time, and processor time of all of them together."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    wall: float
    cpu: float
    peak_mib: float  # of the largest process


def measure(command: list[str], folder: Path, log: Path) -> Cost:
    """Errors: RuntimeError with the end of what the command wrote, when it ends with an exit code above 1."""
    watcher = [sys.executable, __file__, str(log), *command]
    done = subprocess.run(watcher, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{log.read_text('utf-8', 'replace')[-2000:]}\n{done.stderr[-2000:]}")
    return Cost(**json.loads(done.stdout))


def watch(log: str, command: list[str]) -> None:
    """As a process of its own: whatever the command leaves running becomes this process's child and is waited for."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    started = time.perf_counter()
    with open(log, "w") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    code = process.wait()
    wall = time.perf_counter() - started
    cpu, peak = 0.0, 0
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    if code > 1:
        sys.exit(code)
    print(json.dumps({"wall": wall, "cpu": cpu, "peak_mib": peak}))


if __name__ == "__main__":
    watch(sys.argv[1], sys.argv[2:])
