"""Every test of the grader runs on the tiny course."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_course

from labkit.student.judging.words import load
from labkit.student.model import project


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Iterator[Path]:
    """The tiny course's folder, made once for all workers of pytest-xdist."""
    own = tmp_path_factory.getbasetemp()
    with tiny_course.shared(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) as folder:
        yield folder


@pytest.fixture(scope="module", autouse=True)
def on_the_tiny_course(tiny) -> Iterator[None]:
    with tiny_course.used(tiny):
        load(project.current().course)  # registers the messages used in results, as reporting a class does
        yield


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for a grader's temporary files. Its name is short, because pytest's own names are too long for sockets."""
    with tempfile.TemporaryDirectory(prefix="lk-", dir="/tmp") as folder:
        os.chmod(folder, 0o711)
        yield Path(folder)
