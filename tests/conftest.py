"""What many tests need: submissions made from the real labs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from labkit import project
from labkit.budgets import Budgets
from labkit.course import Environment
from labkit.intake.notebooks import Submission, parse_submission

# What a shell starts in the background ignores Ctrl-C, and so would every process that a test starts and interrupts.
# A handler that does nothing is not inherited.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, lambda *_: None)

QUICK = Budgets(cell_seconds=4, notebook_seconds=60)


class Handout:
    """A student's copy of a lab, to be filled in and handed in. `cells` are plain dicts in the notebook's order."""

    def __init__(self, lab: str, solved: bool = False):
        self.lab = lab
        folder = project.current().solutions if solved else project.current().labs
        self.notebook = json.loads((folder / f"{lab}.ipynb").read_text("utf-8"))
        self.cells = self.notebook["cells"]

    def cell(self, name: str) -> dict:
        return next(cell for cell in self.cells if cell.get("id") == name)

    def write(self, name: str, source: str) -> Handout:
        self.cell(name)["source"] = source
        return self

    def insert(self, source: str, *, after: str | None = None, **extra: object) -> Handout:
        """Add a code cell, first or after a named one."""
        place = 0 if after is None else self.cells.index(self.cell(after)) + 1
        fresh = {
            "cell_type": "code",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "id": f"new{place}",
        }
        self.cells.insert(place, {**fresh, **extra})
        return self

    def remove(self, *names: str) -> Handout:
        self.cells[:] = [cell for cell in self.cells if cell.get("id") not in names]
        return self

    def as_bytes(self) -> bytes:
        return json.dumps(self.notebook).encode()

    def submission(self) -> Submission:
        return parse_submission(self.as_bytes(), self.lab)

    def save(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.as_bytes())
        return path


@pytest.fixture
def handout() -> Callable[..., Handout]:
    return Handout


@pytest.fixture(scope="session")
def run_command() -> Callable[..., subprocess.CompletedProcess]:
    def run(*command: object, **settings: object) -> subprocess.CompletedProcess:
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=240, **settings)

    return run


@pytest.fixture(scope="session")
def labkit(run_command) -> Callable[..., subprocess.CompletedProcess]:
    """The command line in a process of its own."""
    return lambda *arguments, **settings: run_command(Path(sys.executable).with_name("labkit"), *arguments, **settings)


@pytest.fixture
def start_kernel():
    """Start kernels, forks unless another kind is asked for, that are stopped after the test."""
    from labkit.kernel.forked import ForkedKernel

    started = []

    def start(kind=ForkedKernel, environment=Environment(), budgets=QUICK, **more):
        started.append(kind(environment, budgets, **more))
        return started[-1]

    yield start
    for kernel in started:
        kernel.stop()
