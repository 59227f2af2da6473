"""facts.jsonl: the facts about each submission that was graded into a results folder, one line for each.

The file is the cache, it is what an interrupted run continues from and what shards are merged from, and it has the code of the
answers. Lines are only appended: of several lines with a key, the last counts, and a torn line is ignored. The file can be
deleted at any time; then all submissions are graded again.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Result
from labkit.student.model.project import Project

NAME = "facts.jsonl"
LINE = re.compile(rb'\{"key": "([^"]+)", .*\}\n')
ABANDONED = 3600.0  # seconds after which a temporary file counts as abandoned


class FactStore:
    """The facts in a results folder, by cache key."""

    def __init__(self, project: Project, out: Path):
        self.project, self.path = project, out / NAME
        self._starts: dict[str, int] = {}  # where each key's last line starts
        self._unwritten: dict[str, Mapping[str, Any]] = {}  # facts for which the disk had no space
        with suppress(OSError), self.path.open("rb") as file:
            start = 0
            for line in file:
                if found := LINE.fullmatch(line):
                    self._starts[found[1].decode("ascii", "replace")] = start
                start += len(line)

    def __contains__(self, key: str) -> bool:
        return key in self._starts

    def facts(self, key: str) -> Mapping[str, Any]:
        """Read the facts with this key. They are empty if there are none, or if they are unreadable."""
        try:
            if key in self._unwritten:
                return self._unwritten[key]
            with self.path.open("rb") as file:
                file.seek(self._starts[key])
                found = json.loads(file.readline())
            return found if found["key"] == key else {}
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def get(self, key: str, submission: Submission) -> Result | None:
        """Read the facts with this key as this submission's result. Returns None if they are missing or unreadable."""
        try:
            return Result.from_stored(self.project, self.facts(key), submission)
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def code(self, key: str) -> dict[str, str]:
        """The source of each code answer, by exercise."""
        code = self.facts(key).get("code", {})
        return {str(exercise): str(source) for exercise, source in code.items()} if isinstance(code, dict) else {}

    def put(self, key: str, result: Result) -> None:
        """Append a result's facts. On a full disk they stay in memory, and the submission is graded again by the next run."""
        facts = {"key": key, **result.stored()}
        try:
            self._starts[key] = self._append(json.dumps(facts).encode() + b"\n")
        except OSError:
            self._unwritten[key] = facts

    def _append(self, line: bytes) -> int:
        """Append a line, and return where it starts. Another grader may append to the same file. Errors: OSError."""
        with self.path.open("a+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            end = file.seek(0, os.SEEK_END)
            torn = bool(end) and os.pread(file.fileno(), 1, end - 1) != b"\n"
            line = b"\n" * torn + line
            if file.write(line) != len(line):
                file.truncate(end)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return end + torn


def join(folders: Iterable[Path], out: Path) -> None:
    """Write the facts of several results folders to `out`. Errors: OSError."""
    out.mkdir(parents=True, exist_ok=True)
    with whole(out / NAME, "wb") as joined:
        for folder in folders:
            with suppress(FileNotFoundError), (folder / NAME).open("rb") as file:
                joined.writelines(line for line in file if LINE.fullmatch(line))


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
