"""The fixtures that tests of the course and of the grader share."""

import tomllib
from pathlib import Path

import pytest
from fixtures import *  # noqa: F403

from labkit.model import project


@pytest.fixture(scope="session")
def constraints(tmp_path_factory) -> Path:
    """The pins of pyproject.toml, as a file for pip."""
    settings = tomllib.loads((project.current().root / "pyproject.toml").read_text("utf-8"))["tool"]["uv"]
    file = tmp_path_factory.mktemp("pins") / "constraints.txt"
    file.write_text("\n".join(settings["constraint-dependencies"]))
    return file
