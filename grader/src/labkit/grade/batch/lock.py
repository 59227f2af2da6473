"""Detect changes to the files that labkit.toml lists as `locked`. A digest of each is stored next to it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from labkit.student.model.project import Project


def locked_files(project: Project) -> list[Path]:
    """The locked files listed in labkit.toml."""
    return [project.root / name for name in project.locked]


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def changed(project: Project) -> Iterator[Path]:
    """Yield the locked files that have changed."""
    for path in locked_files(project):
        stored = _digest_file(path)
        if not path.exists() or not stored.exists() or stored.read_text("utf-8").split()[:1] != [digest_of(path)]:
            yield path


def lock(project: Project) -> dict[Path, str]:
    """Write each locked file's current digest next to it, in the format that `sha256sum --check` reads."""
    digests = {path: digest_of(path) for path in locked_files(project)}
    for path, digest in digests.items():
        _digest_file(path).write_text(f"{digest}  {path.name}\n", "utf-8")
    return digests


def _digest_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")
