"""Fixtures shared by the tests of the course and of the grader."""

import fcntl
import gc
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import own_folder
import pytest
from fixtures import *  # noqa: F403
from unchanged import pytest_pyfunc_call, pytest_runtest_makereport, pytest_terminal_summary  # noqa: F401

from labkit.model import project

gc.disable()  # until all tests are collected: imports create almost no garbage


def pytest_collection_finish() -> None:
    """Exclude existing objects from garbage collection, which took a tenth of the tests' processor time."""
    gc.freeze()
    gc.set_threshold(5_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def constraints(tmp_path_factory) -> Path:
    """A constraints file for pip, with the versions pinned in pyproject.toml."""
    settings = tomllib.loads((project.current().root / "pyproject.toml").read_text("utf-8"))["tool"]["uv"]
    file = tmp_path_factory.mktemp("pins") / "constraints.txt"
    file.write_text("\n".join(settings["constraint-dependencies"]))
    return file


@pytest.fixture(scope="session")
def once() -> Callable[[str, Callable[[Path], object]], Path]:
    """Make a folder that all test workers share. The first worker to need it fills it while the others wait."""

    def made(name: str, fill: Callable[[Path], object]) -> Path:
        folder = Path(os.environ[own_folder.NAME], f"once-{name}")
        folder.mkdir(exist_ok=True)
        with open(folder.with_suffix(".lock"), "a+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.seek(0)
            if not lock.read():
                fill(folder)
                lock.write("filled")
        return folder

    return made


@pytest.fixture(scope="session")
def python_with_pip(once) -> Path:
    """A Python with pip: this one, or one from a new environment if uv created this one without pip."""
    if find_spec("pip"):
        return Path(sys.executable)

    def make(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=500)

    return once("pip", make) / "bin/python"
