"""A pytest plugin: skip tests that need more than this machine has, and end with a line for each missing thing.

Mark a test, a parameter or a file with `needs("bubblewrap")`. A fixture that finds out more calls `skip_without`.
A test with a parameter `layer` needs that isolation layer. Parametrize it with [*WALLS, *ABSENT], so that skipped
layers are counted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from labkit.grade.kernel import meter
from labkit.grade.kernel.servers import available
from labkit.grade.sandbox.confine import LAYERS, available_layers

CLONE = Path(__file__).parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WALLS = [layer for layer in available_layers() if layer != "limits"]  # the isolating layers that work here, best first
ABSENT = [layer for layer in LAYERS if layer not in available_layers()]

# What a test may need: whether it is here (None: a fixture finds out), and what to do if it is missing.
NEEDS: dict[str, tuple[Callable[[], bool] | None, str]] = {
    "Linux": (available, "run the tests on Linux"),
    "isolation": (lambda: bool(WALLS), "use Linux 5.13 or newer with Landlock, or install bubblewrap"),
    "bubblewrap": (lambda: "bubblewrap" in WALLS, "install bubblewrap, and allow user namespaces"),
    "landlock": (lambda: "landlock" in WALLS, "use Linux 5.13 or newer with Landlock"),
    "root": (lambda: os.geteuid() == 0, "run the tests as root"),
    "an ordinary user": (lambda: os.geteuid() != 0, "run the tests as an ordinary user"),
    "mount": (None, "run the tests as a root that may mount file systems"),
    "cgroups": (None, "run the tests as root on a machine with version 1 of cgroups"),
    "Linux on x86-64": (lambda: available() and os.uname().machine == "x86_64", "run the tests on such a machine"),
    "schedstat": (lambda: bool(meter.waited(os.getpid())), "use a Linux that counts for how long processes wait"),
    "a large file": (None, "put a file of 16 MiB into a folder below /usr/lib"),
    "Chromium": (lambda: CHROMIUM is not None, "install chromium"),
    "Node": (lambda: shutil.which("node") is not None, "install node"),
    "Node or Chromium": (lambda: bool(CHROMIUM or shutil.which("node")), "install node or chromium"),
    "openssl": (lambda: shutil.which("openssl") is not None, "install openssl"),
    "/dev/full": (lambda: os.path.exists("/dev/full"), "run the tests on Linux"),
    "sys.monitoring": (lambda: hasattr(sys, "monitoring"), "use Python 3.12 or newer"),
    "Python 3.12 or older": (lambda: sys.version_info < (3, 13), "run the tests on it, because Colab has 3.12"),
    "pyseccomp": (lambda: find_spec("pyseccomp") is not None, "install the package pyseccomp"),
    "PyTorch": (lambda: find_spec("torch") is not None, "install the package torch"),
    "make": (lambda: shutil.which("make") is not None, "install make"),
    "make env": (lambda: (CLONE / ".venv/.ready").exists(), "run make env; the tests would wait for it"),
    "make bench": (lambda: (CLONE / "grader/docs/benchmarks.json").exists(), "run make bench"),
    "pip": (None, "install Python's module ensurepip: python3-venv on Debian"),
    "a package index": (None, "connect to one; pip downloads from it"),
    "the extra site": (None, "run pip install -e '.[site]'"),
}


def needs(name: str) -> pytest.MarkDecorator:
    """Skip the marked test where this is missing."""
    assert NEEDS[name][0], f"{name}: call skip_without in a fixture"
    return pytest.mark.needs(name)


def skip_without(name: str) -> None:
    """End this test: a fixture has found that this is missing."""
    pytest.skip(f"needs {name} ({NEEDS[name][1]})")


def skip_unless_isolated(asked: bool) -> None:
    """A command has refused to run submissions: end the test, unless it `asked` for less isolation than this machine has."""
    if not WALLS and not asked:
        skip_without("isolation")


def mount(folder: str | Path, options: str) -> None:
    """Mount a new file system in memory here. Where that is not possible, remove the folder and skip the test."""
    command = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True, timeout=60).returncode:
        os.rmdir(folder)
        skip_without("mount")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    layer = getattr(item, "callspec", None) and item.callspec.params.get("layer")
    for name in [*(mark.args[0] for mark in item.iter_markers("needs")), *filter(NEEDS.__contains__, [layer])]:
        if not NEEDS[name][0]():
            skip_without(name)


def pytest_terminal_summary(terminalreporter) -> None:
    reasons = Counter(_reason(report) for report in terminalreporter.getreports("skipped"))
    for reason, count in sorted(reasons.items()):
        name, _, advice = reason.removeprefix("needs ").partition(" (")
        terminalreporter.line(f"{name}: {count} test{'s'[: count != 1]} skipped{advice and f' ({advice}'}")


def _reason(report: pytest.TestReport) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr).removeprefix("Skipped: ")
