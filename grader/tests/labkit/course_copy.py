"""A copy of the course that a test may break, with the command line working in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from commands import commands

from labkit.student.model import project

PARTS = ("src", "labs", "solutions", "tests/autograder")
LEFT = shutil.ignore_patterns("__pycache__", "*.egg-info")


class CourseCopy:
    """The course in a folder; `change` edits one of its files, and `labkit` runs the command there."""

    def __init__(self, folder: Path):
        self.folder = folder
        for part in PARTS:
            shutil.copytree(project.current().root / part, folder / part, ignore=LEFT)
        shutil.copy(project.current().root / project.MANIFEST, folder)

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def change(self, name: str, before: str, after: str) -> None:
        path = self.folder / name
        source = path.read_text("utf-8")
        assert before in source, f"{name} no longer contains {before!r}: update the test that replaces it"
        path.write_text(source.replace(before, after, 1), "utf-8")

    def labkit(self, *arguments: object) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if name != project.VARIABLE}
        return commands().run(*arguments, env=environment, cwd=self.folder)
