"""No work twice: a result is kept under a digest of all that it follows from. Safe to delete at any time."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import tempfile
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from labkit import project
from labkit.budgets import Budgets
from labkit.grading.results import Result
from labkit.grading.worths import all_but_worths, reworth

DECIDING = ("numpy", "matplotlib", "sympy", "nbval", "pytest", "ipykernel", "IPython")


class ResultCache:
    """Results as files in a folder. Each is written whole and flushed before it gets its name."""

    def __init__(self, folder: Path, seed: int, budgets: Budgets):
        self.folder, self.settings = folder, f"{seed} {budgets} {fingerprint()}"
        folder.mkdir(parents=True, exist_ok=True)

    def key(self, path: Path) -> str:
        """The digest of a submission's bytes and name and of all that judges them."""
        content = path.read_bytes() if not path.is_symlink() else os.readlink(path).encode()
        return hashlib.sha256(b"\0".join((self.settings.encode(), os.fsencode(path.name), content))).hexdigest()

    def get(self, key: str, student: str) -> Result | None:
        """The stored result in the name of this student, with today's points; None when none can be read."""
        try:
            stored = json.loads((self.folder / f"{key}.json").read_text("utf-8"))
            return reworth(Result.from_json({**stored, "student": student}))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, result: Result) -> None:
        write_whole(self.folder / f"{key}.json", [json.dumps(result.as_json())])


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write a file so that there is never half of it: to a new file, flushed to disk, then renamed."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@cache
def fingerprint() -> str:
    """A digest of the grader itself: its code, tests, references and the versions that decide outcomes.

    Not of what a check is worth: that follows from the outcome.
    """
    digest = hashlib.sha256(platform.python_version().encode())
    for name in DECIDING:
        digest.update(version(name).encode())
    places = (project.SOURCE, project.AUTOGRADER, project.SOLUTIONS, project.LABS)
    for path in sorted(
        path for place in places for path in place.rglob("*") if path.suffix in (".py", ".ipynb", ".json")
    ):
        digest.update(path.name.encode())
        digest.update(_deciding(path))
    return digest.hexdigest()


def _deciding(path: Path) -> bytes:
    if path.parent == project.AUTOGRADER and path.suffix == ".py":
        try:
            return all_but_worths(path.read_text("utf-8")).encode()
        except (SyntaxError, ValueError):  # the tests say so when they are run
            pass
    return path.read_bytes()
