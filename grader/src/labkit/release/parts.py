"""What a machine needs to judge submissions of a course: its parts, what it requires, and the labkit that is at work here."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import labkit
from labkit.model.course import CourseError
from labkit.model.project import MANIFEST, Project
from labkit.model.text import in_a_line

DISTRIBUTION = "nblabkit"
WHEEL = "Wheel-Version: 1.0\nGenerator: labkit\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
KERNELSPEC = "share/jupyter/kernels/labkit/kernel.json"  # below the environment's own folder
LEFT_OUT = ("__pycache__", "*.egg-info", ".*")


def copy_parts(project: Project, to: Path) -> None:
    """The course in a folder that is not there yet: what is handed out, the solutions, the tests, the sources. Errors: OSError."""
    for folder in (project.labs, project.solutions, project.source):
        shutil.copytree(folder, to / folder.relative_to(project.root), ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path in project.autograder_files():
        copy = to / path.relative_to(project.root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    shutil.copy(project.root / MANIFEST, to)


def requirements(project: Project) -> str:
    """What the course's `pyproject.toml` requires besides labkit, a line each. Errors: OSError, CourseError."""
    path = project.root / "pyproject.toml"
    try:
        stated = tomllib.loads(path.read_text("utf-8"))["project"]["dependencies"]
    except (FileNotFoundError, KeyError):
        return ""
    except ValueError as error:
        raise CourseError(f"{path}: {in_a_line(error)}") from None
    return "".join(f"{line}\n" for line in stated if re.match(r"[\w.-]*", line)[0] != DISTRIBUTION)


def write_wheel(folder: Path) -> Path:
    """A wheel of this labkit as it is installed or checked out, with its requirements; its path. Errors: OSError."""
    installed = distribution(DISTRIBUTION)
    info = f"{DISTRIBUTION}-{installed.version}.dist-info"
    files = dict(_files_of_labkit())
    for name in ("METADATA", "entry_points.txt"):
        files[f"{info}/{name}"] = (installed.read_text(name) or "").encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    files[info.replace(".dist-info", f".data/data/{KERNELSPEC}")] = files["labkit/jupyter/kernel.json"]
    record = "".join(f"{name},{_digest(content)},{len(content)}\n" for name, content in files.items())
    path = folder / f"{DISTRIBUTION}-{installed.version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}.items():
            wheel.writestr(name, content)
    return path


def _files_of_labkit() -> Iterator[tuple[str, bytes]]:
    package = Path(labkit.__file__).parent
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(package.parent).as_posix(), path.read_bytes()


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
