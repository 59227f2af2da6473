"""What another machine needs to grade all students alike: the course, as an archive, and the same versions.

The archive has everything that labs and tests import and read. It uses the default folder names, even if this course uses
others. The same course always gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path

import labkit
from labkit.grade.batch.store import grader
from labkit.grade.intake.choose import digest_of
from labkit.grade.sandbox.confine import REFUSED, best_layer
from labkit.student.model.project import FOLDERS, MANIFEST, Project
from labkit.student.model.text import amount

PACKAGE = "nblabkit"
LAYER = "isolation"
NEVER = ("__pycache__", ".ipynb_checkpoints", ".pytest_cache")
IMPORT = re.compile(rb'^\s*"?(?:from|import)\s+(\w+)', re.MULTILINE)  # an import line; in a notebook the line is quoted


def pack(project: Project) -> bytes:
    """Make a zip archive of everything needed to grade a submission of any lab. Errors: UserError, OSError."""
    packed = io.BytesIO()
    manifest = f"package = {json.dumps(project.package)}\nlanguages = {json.dumps([*project.languages])}\n"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {MANIFEST: manifest.encode(), **dict(_parts(project))}.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _parts(project: Project) -> Iterator[tuple[str, bytes]]:
    """Yield each file's path in the archive, and its content."""
    for path in sorted(project.source.iterdir()):  # tests may import modules that no lab uses
        if path.is_dir() and (path / "__init__.py").exists():
            yield from _below(path, f"{FOLDERS['source']}/{path.name}")
        elif path.suffix == ".py":
            yield f"{FOLDERS['source']}/{path.name}", path.read_bytes()
    for path in project.autograder_files():
        yield f"{FOLDERS['autograder']}/{path.relative_to(project.autograder).as_posix()}", path.read_bytes()
    for name in project.course.names:
        yield f"{FOLDERS['solutions']}/{name}.ipynb", (project.solutions / f"{name}.ipynb").read_bytes()
        for language, path in project.editions_of(name).items():
            below = f"{FOLDERS['labs']}/{language}" if path.parent != project.labs else FOLDERS["labs"]
            yield f"{below}/{path.name}", path.read_bytes()


def _below(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        if path.is_file() and path.suffix != ".pyc" and not set(NEVER) & set(below.parts):
            yield f"{name}/{below.as_posix()}", path.read_bytes()


def imported(packed: bytes) -> set[str]:
    """Names of all modules that the archive's code and notebooks import: the course's own, Python's and others."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        code = [archive.read(name) for name in archive.namelist() if name.endswith((".py", ".ipynb"))]
    return {name.decode() for each in code for name in IMPORT.findall(each)}


def unpack(packed: bytes, place: Path) -> Path:
    """Unpack the course below `place`, into a folder named after its digest, and return the folder.

    An existing folder is reused. It is complete, because it gets this name only after unpacking.
    """
    folder = place / f"course-{digest_of(packed)}"
    if not folder.exists():
        place.mkdir(parents=True, exist_ok=True)
        making = tempfile.mkdtemp(prefix=".course-", dir=place)
        try:
            with zipfile.ZipFile(io.BytesIO(packed)) as archive:
                archive.extractall(making)  # extractall ignores names that lead out of the folder
            os.chmod(making, 0o755)
            os.rename(making, folder)
        except OSError:
            if not folder.exists():  # another thread was first
                raise
        finally:
            shutil.rmtree(making, ignore_errors=True)
    return folder


def local_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return this machine's versions by name: labkit with a digest of its sources, Python, and these packages."""
    digest, root = hashlib.sha256(), Path(labkit.__file__).parent
    for path in sorted(grader()):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    own = {
        "labkit": f"{_version(PACKAGE)} ({digest.hexdigest()[:12]})",
        "Python": ".".join(map(str, sys.version_info[:2])),
    }
    return {**own, **{name: _version(name) for name in packages}}


def grading_versions(packages: Iterable[str]) -> dict[str, str]:
    """Like `local_versions`, with the isolation layer added."""
    return {**local_versions(packages), LAYER: best_layer()}


def unfit(ours: Mapping[str, str], theirs: Mapping[str, str], unsandboxed: bool) -> str | None:
    """Explain why a machine with versions `theirs` cannot grade for a machine with `ours`; None if it can."""
    other = [name for name in sorted(ours, key=str.lower) if theirs.get(name) != ours[name]]
    if other:
        first = min(other, key=lambda name: name != "labkit")
        more = f" (and {amount(len(other) - 1, 'more difference')})" if other[1:] else ""
        here = f"this machine has {ours[first]}{more}"
        return f"it has {first} {theirs.get(first, 'absent')}, but {here}; install the same version on both"
    return REFUSED if theirs[LAYER] == "limits" and not unsandboxed else None


def deciding(modules: Iterable[str]) -> list[str]:
    """The packages that labkit needs for students or for grading, and the packages that provide `modules`."""
    lines = [
        line for line in metadata.requires(PACKAGE) or () if "extra ==" not in line or "grade" in line.split(";")[1]
    ]
    having = metadata.packages_distributions()
    found = {package for module in modules for package in having.get(module, ())} - {PACKAGE}
    return sorted(found | {re.match(r"[\w.-]+", line)[0] for line in lines})


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"
