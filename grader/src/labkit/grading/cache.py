"""No work twice: what was found is kept under a digest of all that it follows from. Safe to delete at any time."""

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

from labkit.grading.cache_key import lab_digest
from labkit.intake.handout import handout
from labkit.intake.submission import Submission
from labkit.judge.results import Result
from labkit.model.budgets import Budgets
from labkit.model.project import Project

ABANDONED = 3600.0  # seconds after which nobody is still writing a file


class ResultCache:
    """Results as files in a folder. Each is written whole and flushed before it gets its name."""

    def __init__(self, project: Project, folder: Path, seed: int, budgets: Budgets):
        self.project, self.folder, self.settings = project, folder, f"{seed} {budgets}"
        folder.mkdir(parents=True, exist_ok=True)

    def key(self, submission: Submission) -> str:
        """The digest of a submission's bytes and of all that judges them."""
        deciding = [self.settings, lab_digest(self.project, submission.lab), submission.lab, submission.digest]
        if handout(self.project, submission.lab).draws_values:
            deciding.append(submission.student)
        return hashlib.sha256("\0".join(deciding).encode()).hexdigest()

    def get(self, key: str, submission: Submission) -> Result | None:
        """The stored facts as the result of this submission; None when none can be read."""
        try:
            stored = json.loads((self.folder / f"{key}.json").read_text("utf-8"))
            return Result.from_stored(self.project, stored, submission)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, result: Result) -> bool:
        """Whether it could be kept: on a full disk the row is there all the same, and is only judged again next time."""
        with suppress(OSError), whole(self.folder / f"{key}.json") as file:
            file.write(json.dumps(result.stored()))
            return True
        return False


def digest_of_file(path: Path) -> str:
    """Of a file's bytes, read in pieces; empty where there is no file."""
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def whole(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write so that there is never half of it: a new one, flushed to disk and renamed when all went well."""
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}-", suffix=".part")
    try:
        # Text is clean where it enters; should half a surrogate pair have come through, it costs one letter and no class.
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
    """Remove what `whole` left where it was killed. What is younger than an hour may be somebody's who writes just now."""
    for path in (path for folder in folders for path in folder.glob(".*.part")):
        with suppress(OSError):
            if time.time() - path.lstat().st_mtime > ABANDONED:
                path.unlink()
