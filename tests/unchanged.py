"""Skip tests marked `@pytest.mark.unchanged` that passed before and whose inputs have not changed since. They count as passed.

After such a test passes, pytest's cache stores a digest of all sources and installed versions. A later run with the same digest
reuses the pass, and its summary has the number of reused passes. A fresh checkout, as in CI, has no cache. `--cache-clear` and
`make test LONG=1` run everything.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("grader/src", "grader/tests", "grader/benchmarks", "src", "tests", "solutions", "labs", "docs")
READ = {".py", ".toml", ".json", ".ipynb", ".po"}  # other files are docs pages and pictures
LONG = bool(os.environ.get("LABKIT_LONG"))
TAKEN = "taken from an earlier run"


def sources() -> list[Path]:
    """Every file that a test marked `unchanged` could import or read."""
    below = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts)
    return sorted(path for path in (*below, *ROOT.glob("*.toml")) if path.suffix in READ)


def digest_of(root: Path, files: Iterable[Path], versions: Iterable[str]) -> str:
    """A digest of file names, contents and versions, each preceded by its length so that the parts cannot run together."""
    found = sha256()
    for part in [*(each for path in files for each in (path.relative_to(root), path.read_bytes())), *versions]:
        data = part if isinstance(part, bytes) else str(part).encode()
        found.update(b"%d:%b" % (len(data), data))
    return found.hexdigest()


@cache
def digest() -> str:
    installed = sorted(f"{each.name} {each.version}" for each in distributions())
    return digest_of(ROOT, sources(), [sys.version, platform.platform(), *installed])


def _place(item: pytest.Item) -> str | None:
    """The cache key where the digest of a test's last pass is stored, or None for a test that always runs."""
    if LONG or not item.get_closest_marker("unchanged") or not hasattr(item.config, "cache"):
        return None
    return f"unchanged/{sha256(item.nodeid.encode()).hexdigest()[:20]}"


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    place = _place(pyfuncitem)
    if place and pyfuncitem.config.cache.get(place, None) == digest():
        pyfuncitem.user_properties.append((TAKEN, True))
        return True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if report.when == "call" and report.passed and (place := _place(item)):
        item.config.cache.set(place, digest())
    return report


def pytest_terminal_summary(terminalreporter) -> None:
    passed = terminalreporter.getreports("passed")
    if taken := sum((TAKEN, True) in map(tuple, report.user_properties) for report in passed if report.when == "call"):
        terminalreporter.line(
            f"passed in an earlier run of the same sources, so not run again: {taken} (--cache-clear runs them)"
        )
