"""facts.jsonl: the facts about each submission that was graded into a results folder, one line for each.

The file is the cache, it is what an interrupted run continues from and what shards are merged from, and it has the code of the
answers. Lines are only appended: of several lines with a key, the last counts, and a torn line is ignored. The file can be
deleted at any time; then all submissions are graded again.
"""

from __future__ import annotations

import ast
import errno
import fcntl
import hashlib
import json
import os
import platform
import re
import secrets
import site
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

import labkit
from labkit.grade.batch import Settings
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.points import stated_in
from labkit.grade.judge.results import Result
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

NAME = "facts.jsonl"
SEED = "seed.txt"  # in the results folder, so that a regrade draws the same calls
LINE = re.compile(rb'\{"key": "([^"]+)", .*\}\n')
AFTERWARDS = ("desk", "author/release", "author/site", "cli")  # subpackages that do not affect outcomes
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

    def attached(self, key: str) -> dict[str, str]:
        """The pictures in written answers, as data URLs by name."""
        found = self.facts(key).get("attached", {})
        return {str(name): str(each) for name, each in found.items()} if isinstance(found, dict) else {}

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


def is_begun(out: Path) -> bool:
    """Whether this results folder may have a result."""
    return (out / NAME).exists()


def join(folders: Iterable[Path], out: Path) -> None:
    """Write the facts of several results folders to `out`. Errors: OSError."""
    out.mkdir(parents=True, exist_ok=True)
    with whole(out / NAME, "wb") as joined:
        for folder in folders:
            with suppress(FileNotFoundError), (folder / NAME).open("rb") as file:
                joined.writelines(line for line in file if LINE.fullmatch(line))


@contextmanager
def held(out: Path) -> Iterator[None]:
    """Keep other graders from writing to this folder, because two with different seeds would mix their results. Errors: UserError."""
    folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some file systems have no locks
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UserError(
                    f"{out}: another labkit is writing results here; run this again when it has ended"
                ) from None
        yield
    finally:
        os.close(folder)


def seed_for(out: Path, given: int | None, keep: bool = True) -> int:
    """Return the given seed, else the one stored in the folder, else a new one. Errors: OSError."""
    path, seed = out / SEED, given
    if seed is None:
        with suppress(OSError, ValueError):  # missing, or not a seed
            seed = int(path.read_text("utf-8"))
    if seed is None:
        seed = secrets.randbelow(2**31)
    if keep:
        with whole(path) as file:
            file.write(f"{seed}\n")
    return seed


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


def key_of(project: Project, settings: Settings, submission: Submission) -> str:
    """Compute a digest of the submission's bytes and of everything that affects their grading."""
    chosen = f"{settings.seed} {settings.budgets}"
    deciding = [chosen, lab_digest(project, submission.lab), submission.lab, submission.digest]
    return hashlib.sha256("\0".join(deciding).encode()).hexdigest()


@cache
def lab_digest(project: Project, lab: str) -> str:
    """Compute a digest of the grader, this lab's tests and notebooks, and all packages that a kernel can import.

    Other labs' tests and data are left out. Points are left out too, because they are looked up when a result is read.
    """
    # The files that `labkit build` makes for this lab.
    handed_out = project.editions_of(lab).values()
    made = (project.solutions / f"{lab}.ipynb", *handed_out, project.course.expected_of(lab))
    digest = _of_all_labs(project).copy()
    for path in (*filter(Path.exists, made), *tests_of(project, lab)):
        digest.update(path.name.encode())
        digest.update(_deciding(project, path, lab))
    return digest.hexdigest()


@cache
def _of_all_labs(project: Project) -> hashlib._Hash:
    """Begin a digest with what all labs share."""
    digest = hashlib.sha256(platform.python_version().encode())
    for name in installed():
        digest.update(name.encode("utf-8", "replace"))
    for path in sorted(grader().union(project.source.rglob("*.py"))):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest


def lab_digests(project: Project, submissions: Iterable[Submission]) -> dict[str, str]:
    """The digest of each graded lab."""
    return {lab: lab_digest(project, lab) for lab in sorted({each.lab for each in submissions if not each.refusal})}


def grader() -> set[Path]:
    """labkit's source files, except the subpackages that use outcomes but cannot change them."""
    own = Path(labkit.__file__).parent
    return {*own.rglob("*.py")}.difference(*((own / name).rglob("*.py") for name in AFTERWARDS))


def installed() -> list[str]:
    """List installed packages and versions from the names of their folders. Reading the metadata would take ten times as long.

    Packages in the user's site-packages are left out, because a kernel's interpreter is isolated from them.
    """
    own = site.getusersitepackages()
    folders = [Path(folder) for folder in sys.path if folder and folder != own]
    return sorted(path.name for folder in folders for path in folder.glob("*.dist-info"))


def tests_of(project: Project, lab: str) -> list[Path]:
    """The lab's tests, the autograder modules that they import, and all data files except those of unrelated labs."""
    waiting, found = [project.tests_of(lab)], set()
    while waiting:
        path = waiting.pop()
        if path not in found and path.exists():
            found.add(path)
            waiting += _imported_by(project, path)
    folders = map(project.autograder_of, project.course.names)
    others = [folder for folder in folders if not any(path.is_relative_to(folder) for path in found)]
    data = (path for path in project.autograder_files() if path.suffix != ".py")
    return sorted(found.union(path for path in data if not any(path.is_relative_to(folder) for folder in others)))


def _imported_by(project: Project, path: Path) -> Iterator[Path]:
    """Yield files that an autograder file may import. Each name is tried as a module and as a package.

    Includes the packages that contain the file, because they are imported first.
    """
    here = project.autograder
    yield from (folder / "__init__.py" for folder in path.parents if folder.is_relative_to(here))
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError):  # reported when the tests run
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            names = [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]
        for name in filter(None, names):
            parts = name.split(".")
            for end in range(1, len(parts) + 1):
                for folder in (here.parent, here, path.parent):
                    yield folder.joinpath(*parts[:end]).with_suffix(".py")
                    yield folder.joinpath(*parts[:end], "__init__.py")


def _deciding(project: Project, path: Path, lab: str) -> bytes:
    if path == project.tests_of(lab):
        try:
            return stated_in(path).rest.encode()
        except (SyntaxError, ValueError):  # reported when the tests run
            pass
    return path.read_bytes()
