"""Given paths as folders and files with text names: read from disk here, from archives in `archives`."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

DEEPEST = 12  # folder levels that are read; an archive can have thousands
# A browser or mail program adds the second ending; the content decides.
NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.IGNORECASE)
JSON = re.compile(r"\.json$", re.IGNORECASE)  # browsers also name notebooks so; the beginning decides
BEGINNING = 4096  # bytes of such a file that are checked
BEGINS = re.compile(
    rb'\W*"(?:cells"\W*"(?:attachments|cell_type|execution_count|id|metadata|source)|nbformat|metadata".*"nbformat)',
    re.DOTALL,
)
ARCHIVE = re.compile(r"\.(zip|tar|tar\.gz|tgz)$", re.IGNORECASE)


@dataclass(frozen=True)
class File:
    """A file by name; `path` has its bytes, or is None if only the name was read."""

    name: str
    path: Path | None
    below: str  # its path below the given one, for people
    is_notebook: bool = False

    @property
    def stem(self) -> str:
        return stem_of(self.name)


@dataclass
class Folder:
    """A folder with everything in it that is not hidden. `place` identifies it and is no real path inside an archive."""

    name: str
    place: Path
    below: str = ""  # its path below the given one, with a final slash; empty for the given path
    folders: list[Folder] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    problem: str = ""  # why it cannot be read
    is_repository: bool = False

    def walk(self) -> Iterator[Folder]:
        """This folder and all below it, parents first, by name."""
        yield self
        for folder in self.folders:
            yield from folder.walk()

    def notebooks(self) -> Iterator[File]:
        return (file for folder in self.walk() for file in folder.files if file.is_notebook)

    def add_folder(self, name: str, place: Path | None = None, problem: str = "") -> Folder:
        folder = Folder(name, place or self.place / name, f"{self.below}{name}/", problem=problem)
        self.folders.append(folder)
        return folder


def visible(name: str | os.PathLike[str]) -> str:
    r"""A name as text. Bytes that are not UTF-8, as from Windows archives, become visible: M\xfcller."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def file_at(path: Path, name: str, below: str) -> File:
    """The file on disk, opened only if its name does not show whether it is a notebook."""
    return File(name, path, below, is_notebook(name) or is_json(name) and begins_as_notebook(_beginning(path)))


def is_notebook(name: str) -> bool:
    return bool(NOTEBOOK.search(name))


def is_json(name: str) -> bool:
    return bool(JSON.search(name))


def begins_as_notebook(content: bytes) -> bool:
    return bool(BEGINS.match(content[:BEGINNING].replace(b"\0", b"")))


def _beginning(path: Path) -> bytes:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb", buffering=0) as file:
            return (stat.S_ISREG(os.fstat(file.fileno()).st_mode) and file.read(BEGINNING)) or b""
    except OSError:
        return b""


def is_archive(name: str) -> bool:
    return bool(ARCHIVE.search(name))


def is_hidden(name: str, folder: bool) -> bool:
    """Whether it is a program's own file, such as .git, __MACOSX or ._lab.ipynb."""
    return name.startswith((".", "__") if folder else ".")


def stem_of(name: str) -> str:
    """The name without the ending of a notebook or archive, or any other single ending."""
    shorter = ARCHIVE.sub("", NOTEBOOK.sub("", name))
    return shorter if shorter != name else os.path.splitext(name)[0]


def read_folder(path: Path, without: Path | None = None) -> Folder:
    """The folder at this path without what is at `without`. Errors: OSError if it cannot be read."""
    root = Folder(visible(path.absolute().name), path.absolute())
    waiting = [(root, path, 0)]
    while waiting:
        folder, place, depth = waiting.pop()
        try:
            children = sorted(os.scandir(place), key=lambda child: child.name)
        except OSError as error:
            if folder is root:
                raise
            folder.problem = f"a folder that cannot be read: {error.strerror}"
            continue
        for child in children:
            _add(folder, child, depth, without, waiting)
    return root


def _add(
    folder: Folder, child: os.DirEntry[str], depth: int, without: Path | None, waiting: list[tuple[Folder, Path, int]]
) -> None:
    name, path, is_folder = visible(child.name), Path(child.path), child.is_dir(follow_symlinks=False)
    folder.is_repository |= name == ".git"
    if is_hidden(name, is_folder) or without is not None and path.absolute() == without.absolute():
        return
    if is_folder and depth < DEEPEST:
        waiting.append((folder.add_folder(name, path.absolute()), path, depth + 1))
    elif not is_folder and child.is_dir():
        folder.add_folder(name, problem="a link to another folder")
    elif not is_folder:
        folder.files.append(file_at(path, name, folder.below + name))
