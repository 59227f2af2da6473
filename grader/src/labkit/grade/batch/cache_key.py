"""The cache key of a submission. It changes whenever the outcome could change."""

from __future__ import annotations

import ast
import hashlib
import platform
import site
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import labkit
from labkit.grade.batch.settings import Settings
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.points import stated_in
from labkit.student.model.project import Project

AFTERWARDS = ("desk", "author/release", "author/site", "cli")  # subpackages that do not affect outcomes


def key_of(project: Project, settings: Settings, submission: Submission) -> str:
    """Compute a digest of the submission's bytes and of everything that affects their grading."""
    chosen = f"{settings.seed} {settings.budgets}"
    deciding = [chosen, lab_digest(project, submission.lab), submission.lab, submission.digest]
    return hashlib.sha256("\0".join(deciding).encode()).hexdigest()


@cache
def lab_digest(project: Project, lab: str) -> str:
    """Compute a digest of the grader, this lab's tests and notebooks, and all packages that a kernel can import.

    Other labs' tests and data are left out. Points are left out too, because they are looked up when a result is read.
    """
    digest = hashlib.sha256(platform.python_version().encode())
    for name in installed():
        digest.update(name.encode("utf-8", "replace"))
    # The files that `labkit build` makes for this lab.
    handed_out = project.editions_of(lab).values()
    made = (project.solutions / f"{lab}.ipynb", *handed_out, project.course.expected_of(lab))
    for path in (*sources(project), *filter(Path.exists, made), *tests_of(project, lab)):
        digest.update(path.name.encode())
        digest.update(_deciding(project, path, lab))
    return digest.hexdigest()


def grader() -> list[Path]:
    """labkit's source files, except the subpackages that use outcomes but cannot change them."""
    own = Path(labkit.__file__).parent
    return sorted(set(own.rglob("*.py")) - _afterwards())


def sources(project: Project) -> list[Path]:
    """labkit's source files and everything in the course that labs and tests can import."""
    return sorted({*grader(), *project.source.rglob("*.py")} - _afterwards())


def _afterwards() -> set[Path]:
    return {path for name in AFTERWARDS for path in (Path(labkit.__file__).parent / name).rglob("*.py")}


def installed() -> list[str]:
    """List installed packages and versions from the names of their folders. Reading the metadata would take ten times as long.

    Packages in the user's site-packages are left out, because a kernel's interpreter is isolated from them.
    """
    own = site.getusersitepackages()
    folders = [Path(folder) for folder in sys.path if folder and folder != own]
    return sorted(path.name for folder in folders for path in folder.glob("*.dist-info"))


def tests_of(project: Project, lab: str) -> list[Path]:
    """The lab's tests, the autograder modules that they import, and all data files except those of unrelated labs."""
    waiting, found = [project.tests_of(lab)], set()
    while waiting:
        path = waiting.pop()
        if path not in found and path.exists():
            found.add(path)
            waiting += _imported_by(project, path)
    folders = map(project.autograder_of, project.course.names)
    others = [folder for folder in folders if not any(path.is_relative_to(folder) for path in found)]
    data = (path for path in project.autograder_files() if path.suffix != ".py")
    return sorted(found.union(path for path in data if not any(path.is_relative_to(folder) for folder in others)))


def _imported_by(project: Project, path: Path) -> Iterator[Path]:
    """Yield files that an autograder file may import. Each name is tried as a module and as a package.

    Includes the packages that contain the file, because they are imported first.
    """
    here = project.autograder
    yield from (folder / "__init__.py" for folder in path.parents if folder.is_relative_to(here))
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError):  # reported when the tests run
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            names = [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]
        for name in filter(None, names):
            parts = name.split(".")
            for end in range(1, len(parts) + 1):
                for folder in (here.parent, here, path.parent):
                    yield folder.joinpath(*parts[:end]).with_suffix(".py")
                    yield folder.joinpath(*parts[:end], "__init__.py")


def _deciding(project: Project, path: Path, lab: str) -> bytes:
    if path == project.tests_of(lab):
        try:
            return stated_in(path).rest.encode()
        except (SyntaxError, ValueError):  # reported when the tests run
            pass
    return path.read_bytes()
