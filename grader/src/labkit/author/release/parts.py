"""Collect what a machine needs to grade a course: the course's files, and its requirements other than labkit."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from labkit.author.release.wheels import DISTRIBUTION, project_table
from labkit.student.model.project import MANIFEST, Project

LEFT_OUT = ("__pycache__", "*.egg-info", ".*")


def copy_parts(project: Project, to: Path) -> None:
    """Copy the course into a new folder: released labs, solutions, tests and sources. Errors: OSError."""
    for folder in (project.labs, project.solutions, project.source):
        shutil.copytree(folder, to / folder.relative_to(project.root), ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path in project.autograder_files():
        copy = to / path.relative_to(project.root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    shutil.copy(project.root / MANIFEST, to)


def requirements(project: Project) -> str:
    """The requirements in the course's `pyproject.toml`, one per line, without labkit. Errors: OSError, UserError."""
    stated = project_table(project).get("dependencies", [])
    return "".join(f"{line}\n" for line in stated if re.match(r"[\w.-]*", line)[0] != DISTRIBUTION)
