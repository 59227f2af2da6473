"""Compare versions that can change results between machines, so that all students of a class are graded alike."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

import labkit
from labkit.grade.batch.cache_key import grader
from labkit.grade.judge.consent import REFUSED
from labkit.grade.sandbox.confine import best_layer
from labkit.student.model.text import amount

PACKAGE = "nblabkit"
LAYER = "isolation"


def local_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return this machine's versions by name: labkit with a digest of its sources, Python, and these packages."""
    digest, root = hashlib.sha256(), Path(labkit.__file__).parent
    for path in grader():
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
