"""Add the course to Pyodide's lock file, so that a lab's imports install what they need.

The kernel looks up each import in the lock file before it runs a cell. Pyodide itself is loaded from an address or a folder.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import urllib.request
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from email.parser import HeaderParser
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from labkit.author.release.parts import write_installed_wheel
from labkit.student.model.errors import UserError

Lock = dict[str, Any]
LOCK = "pyodide-lock.json"
RUNTIME = ("pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
# Packages that the kernel loads before the first cell, by import name. They load sooner if Pyodide itself loads them at the start.
OF_THE_KERNEL = ("micropip", "piplite", "ssl", "sqlite3", "ipykernel", "comm", "pyodide_kernel", "jedi", "ipython")
IN_PYTHON = {"pyodide-py"}  # part of Pyodide
SECONDS = 60


def read_lock(pyodide: str) -> Lock:
    """Read the lock file from an address or folder of Pyodide. Errors: UserError."""
    try:
        if is_address(pyodide):
            with urllib.request.urlopen(f"{pyodide.rstrip('/')}/{LOCK}", timeout=SECONDS) as answer:
                lock = json.loads(answer.read())
        else:
            lock = json.loads(Path(pyodide, LOCK).read_bytes())
        return {"info": lock["info"], "packages": lock["packages"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{pyodide}: cannot read Pyodide's {LOCK} there ({error}); choose another address or a folder with --pyodide"
        ) from None


def is_address(pyodide: str) -> bool:
    return bool(re.match(r"https?://", pyodide))


def write_packages(pyodide: str, wheels: Sequence[Path], kernel_wheels: Sequence[Path], out: Path) -> list[str]:
    """Write the lock file and the added wheels into a folder. Returns the packages to load at the start.

    With an address, Pyodide's own packages get absolute addresses. With a folder, the needed packages are copied from it.
    Errors: UserError, OSError.
    """
    lock = read_lock(pyodide)
    packages = lock["packages"]
    for wheel in (*wheels, *kernel_wheels):
        shutil.copy(wheel, out)
    ours = {entry["name"]: entry for entry in map(entry_of, (*wheels, *kernel_wheels))}
    packages.update(ours)
    needed = ["comm", *(each for entry in ours.values() for each in entry["depends"])]
    while needed:
        if (name := needed.pop()) not in packages:
            packages[name] = entry = entry_of(_installed(name, out))
            needed += entry["depends"]
    start = [*OF_THE_KERNEL, *(entry_of(wheel)["name"] for wheel in wheels)]
    if is_address(pyodide):
        for entry in packages.values():
            if not (out / entry["file_name"]).exists():
                entry["file_name"] = f"{pyodide.rstrip('/')}/{entry['file_name']}"
    else:
        lock["packages"] = packages = _closure(packages, start)
        files = [*RUNTIME, *(entry["file_name"] for entry in packages.values())]
        for name in files:
            if not (out / name).exists():
                shutil.copy(Path(pyodide, name), out)
    (out / LOCK).write_text(json.dumps(lock, indent=1, sort_keys=True) + "\n", "utf-8")
    return start


def _closure(packages: Mapping[str, Lock], names: Iterable[str]) -> dict[str, Lock]:
    kept: dict[str, Lock] = {}
    waiting = [canonicalize_name(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in kept and name in packages:
            kept[name] = packages[name]
            waiting += map(canonicalize_name, packages[name]["depends"])
    return kept


def entry_of(wheel: Path) -> Lock:
    """Make a wheel's entry in the lock file: name, imports and dependencies."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = next(name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        stated = HeaderParser().parsestr(archive.read(metadata).decode("utf-8"))
    tops = {name.split("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return {
        "name": canonicalize_name(stated["Name"]),
        "version": stated["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": sorted({*_depends(stated.get_all("Requires-Dist", []))}),
        "unvendored_tests": False,
    }


def _depends(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        wanted = Requirement(line)
        in_pyodide = {"extra": "", "sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix"}
        name = canonicalize_name(wanted.name)
        if name not in IN_PYTHON and (wanted.marker is None or wanted.marker.evaluate(in_pyodide)):
            yield name


def _installed(name: str, out: Path) -> Path:
    """Write a wheel of an installed package that Pyodide lacks. Returns its path. Errors: UserError."""
    try:
        installed: Distribution = distribution(name)
    except PackageNotFoundError:
        raise UserError(f"neither Pyodide nor this environment has {name}: pip install {name}") from None
    if any(str(file).endswith((".so", ".pyd", ".dylib")) for file in installed.files or ()):
        raise UserError(f"{name} is compiled and not part of Pyodide, so the labs cannot import it in a browser")
    return write_installed_wheel(installed, out)
