"""Describe the machine that ran a benchmark: processor, memory, system, and the versions of the measured packages."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

import peers

from labkit.grade.sandbox.confine import best_layer

MEASURED = ("nblabkit", "nbval", "pytest", "ipykernel", "matplotlib", "numpy")


def hardware() -> str:
    """Processor, memory and system, without a final period."""
    processor = _found(r"model name\s*: (.+)", "/proc/cpuinfo") or platform.processor()
    memory = int(_found(r"MemTotal:\s+(\d+)", "/proc/meminfo") or 0) / 2**20
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    return f"{processor}, {os.cpu_count()} cores, {memory:.0f} GiB of memory, {system}"


def describe() -> str:
    """Describe the machine in one sentence."""
    versions = [f"{name} {version(name)}" for name in MEASURED]
    versions += [requirement.replace("==", " ") for requirement, *_ in peers.PINNED.values()]
    return f"{hardware()}; {', '.join(versions)}; labkit isolates submissions with {best_layer()}."


def _found(pattern: str, path: str) -> str | None:
    found = re.search(pattern, Path(path).read_text()) if Path(path).exists() else None
    return found and found[1]
