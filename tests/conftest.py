"""Fixtures shared by the tests of the course and of the grader."""

import gc
import tomllib
from pathlib import Path

import pytest
from fixtures import *  # noqa: F403

from labkit.student.model import project

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
