"""Run a command until it and all processes that it started have ended, and report the cost. Linux only."""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
LOOK_EVERY = 10  # milliseconds between two checks of the running command
LONGEST = 2 * 3600  # time limit in seconds for one command; the slowest tool needs far less for a class of 200
UNUSUAL = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")  # removed, because most users do not set them


@dataclass(frozen=True)
class Cost:
    """Costs of a command, in seconds and MiB."""

    wall: float
    cpu: float  # of all its processes together
    first: float  # until the command's first output
    largest: float  # peak memory of its largest process
    main: float  # peak memory of the command's own process


def measure(command: list, folder: Path, log: Path) -> Cost:
    """Measure a command. Errors: RuntimeError, with the end of its output, unless it exits with 0 or 1."""
    watcher = [sys.executable, __file__, log, *command]
    environment = {name: value for name, value in os.environ.items() if name not in UNUSUAL}
    usual = {"capture_output": True, "text": True, "timeout": LONGEST + 600}
    done = subprocess.run(list(map(str, watcher)), cwd=folder, env=environment, **usual)
    if done.returncode != 0:
        wrote = log.read_text("utf-8", "replace")[-2000:]
        raise RuntimeError(f"{' '.join(map(str, command))}\n{wrote}\n{done.stderr[-2000:]}")
    return Cost(**json.loads(done.stdout))


def watch(log: str, command: list[str]) -> None:
    """Run the command, adopt all processes that it leaves running, and wait for them. Must run in a separate process."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    started = time.perf_counter()
    with open(log, "w") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    first, main = None, 0.0
    ends = select.poll()
    ends.register(os.pidfd_open(process.pid), select.POLLIN)
    while not ends.poll(LOOK_EVERY):
        main = max(main, peak_of(process.pid))
        if first is None and os.stat(log).st_size:
            first = time.perf_counter() - started
        if time.perf_counter() - started > LONGEST:
            process.kill()
            sys.exit(f"it did not end within {LONGEST} seconds")
    wall = time.perf_counter() - started
    if process.wait(LONGEST) not in (0, 1):
        sys.exit(f"it ended with exit code {process.returncode}")
    wait_for_others(until=started + LONGEST)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    costs = Cost(wall, used.ru_utime + used.ru_stime, first or wall, used.ru_maxrss / 1024, main)
    print(json.dumps({name: round(value, 4) for name, value in vars(costs).items()}))


def wait_for_others(until: float) -> None:
    """Wait for processes that the command left running, so that the cost includes them."""
    while time.perf_counter() < until:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(LOOK_EVERY / 1000)
    sys.exit(f"a process that it left running did not end within {LONGEST} seconds")


def peak_of(process: int) -> float:
    """A process's peak memory so far, in MiB. Returns 0 if the process has just ended."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    watch(sys.argv[1], sys.argv[2:])
