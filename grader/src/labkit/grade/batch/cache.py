"""Store results under cache keys, so that nothing is graded twice. The cache can be deleted at any time."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from labkit.grade.batch.cache_key import lab_digest
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Result
from labkit.student.model.budgets import Budgets
from labkit.student.model.project import Project

ABANDONED = 3600.0  # seconds after which a temporary file counts as abandoned


class ResultCache:
    """Results stored as files in a folder. Each is written to a temporary file, flushed, and then renamed."""

    def __init__(self, project: Project, folder: Path, seed: int, budgets: Budgets):
        self.project, self.folder, self.settings = project, folder, f"{seed} {budgets}"
        folder.mkdir(parents=True, exist_ok=True)

    def key(self, submission: Submission) -> str:
        """Compute the cache key: a digest of a submission's bytes and of everything that affects their grading."""
        deciding = [self.settings, lab_digest(self.project, submission.lab), submission.lab, submission.digest]
        return hashlib.sha256("\0".join(deciding).encode()).hexdigest()

    def get(self, key: str, submission: Submission) -> Result | None:
        """Read a stored result and assign it to this submission. Returns None if it is missing or unreadable."""
        try:
            stored = json.loads((self.folder / f"{key}.json").read_text("utf-8"))
            return Result.from_stored(self.project, stored, submission)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, result: Result) -> bool:
        """Store a result, and return whether that worked. If the disk is full, the submission is graded again next time."""
        with suppress(OSError), whole(self.folder / f"{key}.json") as file:
            file.write(json.dumps(result.stored()))
            return True
        return False


def digest_of_file(path: Path) -> str:
    """Compute a file's SHA-256 digest. Returns "" if there is no file."""
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def whole(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file for an atomic write: it is flushed to disk, then renamed."""
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}-", suffix=".part")
    try:
        # Text should be clean by now. If a lone surrogate is left, it is escaped, so that the file can still be written.
        with os.fdopen(handle, mode, **text) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def sweep(*folders: Path) -> None:
    """Remove old temporary files, left by killed runs. Recent ones are kept: they may belong to a run in progress."""
    for path in (path for folder in folders for path in folder.glob(".*.part")):
        with suppress(OSError):
            if time.time() - path.lstat().st_mtime > ABANDONED:
                path.unlink()
