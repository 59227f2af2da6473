"""A Dask cluster on this machine: a scheduler and workers that share nothing but the network."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from processes import PATIENCE, started, until

from labkit.student.model import project

DASK = Path(sys.executable).with_name("dask")
SHORT = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "6s"}  # because the default is half a minute
HERE = {name: value for name, value in os.environ.items() if name != project.VARIABLE}


class Cluster:
    """A cluster's processes, which end with the test. The address is known once the scheduler runs."""

    def __init__(self, folder: Path, protocol: str = "tcp", **environment: str):
        self.folder, self.protocol, self.stack, self.workers = folder, protocol, ExitStack(), 0
        self.environment = {**HERE, **SHORT, **environment}
        self.port, self.address = 0, ""
        self.start_scheduler()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.stack.close()

    def start_scheduler(self) -> None:
        """Start the scheduler: the first time on a free port, after that on the same port again."""
        told = self.folder / "scheduler.json"
        told.unlink(missing_ok=True)
        # The scheduler has no labkit, because only plain data pass through it.
        without = self.folder / "without"
        without.mkdir(exist_ok=True)
        (without / "labkit.py").write_text("raise ModuleNotFoundError(\"No module named 'labkit'\", name='labkit')\n")
        options = [
            "--host",
            f"{self.protocol}://127.0.0.1",
            "--port",
            self.port,
            "--no-dashboard",
            "--scheduler-file",
            told,
        ]
        self.scheduler = self._start("scheduler", options, {**self.environment, "PYTHONPATH": str(without)})
        assert until(lambda: told.exists() and told.read_text().strip()), "the scheduler did not start in time"
        self.address = json.loads(told.read_text())["address"]
        self.port = int(self.address.rpartition(":")[2])

    def worker(
        self, *options: object, before: tuple[object, ...] = (), **environment: str
    ) -> tuple[subprocess.Popen, Path]:
        """Start a worker with one thread. Returns its process and its folder.

        `before`: words to put before the worker's own command.
        """
        self.workers += 1
        place = self.folder / f"w{self.workers}"
        place.mkdir()
        options = [self.address, "--nthreads", 1, "--no-dashboard", "--local-directory", place, *options]
        environment = {**self.environment, "WORKER": str(place), **environment}
        return self._start("worker", options, environment, before), place

    def registered(self) -> bool:
        """Whether the scheduler knows all workers."""
        logs = [self.folder / f"worker-{number}.log" for number in range(1, self.workers + 1)]
        return all(b"Registered to" in log.read_bytes() for log in logs)

    def _start(self, part: str, options: list, environment: dict, before: tuple = ()) -> subprocess.Popen:
        log = self.stack.enter_context(open(self.folder / f"{part}-{self.workers}.log", "ab"))
        command = started(*before, DASK, part, *options, cwd=self.folder, env=environment, stdout=log, stderr=log)
        return self.stack.enter_context(command)


def kill(process: subprocess.Popen) -> None:
    """Kill the process and its nanny without warning."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


def judges(place: Path) -> bool:
    """Whether this worker is grading a batch."""
    return any(place.glob("dask-scratch-space/*/judge-*/batch-*"))
