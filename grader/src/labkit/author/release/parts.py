"""What releases consist of: wheels of labkit and of the course, written from their files, and a copy of the course for graders."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from email.message import Message
from importlib.metadata import Distribution, distribution
from pathlib import Path

import labkit
from labkit.student.model.course import PART, part_of
from labkit.student.model.project import MANIFEST, Project

DISTRIBUTION = "nblabkit"
LEFT_OUT = ("__pycache__", "*.egg-info", ".*")  # of a copy of the course
WHEEL = "Wheel-Version: 1.0\nGenerator: labkit\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
EPOCH = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same input gives the same bytes


def write_wheel(folder: Path) -> Path:
    """Write a wheel of this labkit, installed or checked out, with its requirements. Returns its path. Errors: OSError."""
    installed = distribution(DISTRIBUTION)
    files = dict(_files_below(Path(labkit.__file__).parent))
    metadata = {name: (installed.read_text(name) or "").encode() for name in ("METADATA", "entry_points.txt")}
    return _write(folder, DISTRIBUTION, installed.version, files, metadata)


def write_course_wheel(
    project: Project, packages: Iterable[str], folder: Path, labs: Sequence[str] = (), label: str = ""
) -> Path:
    """Write a wheel of the course's package and of these others in its source folder. Returns its path.

    labs: the labs that the wheel is for, by default all. label: the local part of the version, which distinguishes it from
    wheels for other labs. Errors: OSError, UserError.
    """
    stated = project.metadata
    name, version = stated.get("name") or project.package, project.version or "0"
    files = dict(_files_of_course(project, labs or project.course.names))
    files |= dict(pair for package in packages for pair in _files_below(project.source / package))
    fields = [("Metadata-Version", "2.1"), ("Name", name), ("Version", f"{version}{label and f'+{label}'}")]
    fields += [("Summary", stated["description"])] if stated.get("description") else []
    fields += [("Requires-Python", stated["requires-python"])] if stated.get("requires-python") else []
    fields += [("Requires-Dist", line) for line in stated.get("dependencies", [DISTRIBUTION])]
    message = Message()
    for field, value in fields:
        message[field] = value
    return _write(folder, name, fields[2][1], files, {"METADATA": message.as_bytes()})


def write_installed_wheel(installed: Distribution, folder: Path) -> Path:
    """Write a wheel of an installed pure-Python package. Returns its path. Errors: OSError."""
    files = {}
    for file in installed.files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts and not file.parts[0].endswith(".dist-info"):
            files[file.as_posix()] = Path(str(file.locate())).read_bytes()
    metadata = {"METADATA": (installed.read_text("METADATA") or "").encode()}
    return _write(folder, installed.metadata["Name"], installed.version, files, metadata)


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
    stated = project.metadata.get("dependencies", [])
    return "".join(f"{line}\n" for line in stated if re.match(r"[\w.-]*", line)[0] != DISTRIBUTION)


def _files_of_course(project: Project, labs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The files of the course's package, without the folders of other labs."""
    package, names = project.source / project.package, project.course.names
    wanted = {path.name for path in part_of(package, names, labs)}
    yield from ((name, content) for name, content in _files_below(package) if name.split("/")[1] in wanted)
    if len(labs) < len(names):
        yield f"{project.package}/{PART}", "\n".join(labs).encode()


def _files_below(package: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(package.rglob("*")):
        parts = path.relative_to(package.parent).parts
        if path.is_file() and "__pycache__" not in parts and not any(part.startswith(".") for part in parts):
            yield "/".join(parts), path.read_bytes()


def _write(folder: Path, name: str, version: str, files: Mapping[str, bytes], metadata: Mapping[str, bytes]) -> Path:
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    content = dict(files)
    content |= {f"{info}/{each}": text for each, text in metadata.items()}
    content[f"{info}/WHEEL"] = WHEEL.encode()
    record = "".join(f"{each},{_digest(text)},{len(text)}\n" for each, text in content.items())
    content[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for each, text in content.items():
            entry = zipfile.ZipInfo(each, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, text)
    return path


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
