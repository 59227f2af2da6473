"""What was given, as folders and files with names that are text: read from a disk here, from an archive elsewhere."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

DEEPEST = 12  # folders below what was given; nobody hands in more, and an archive can hold thousands
# A browser or a mail program adds the second ending; what is in the file decides.
NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.IGNORECASE)
JSON = re.compile(r"\.json$", re.IGNORECASE)  # as a browser names a notebook too; how it begins decides
BEGINNING = 4096  # bytes of such a file that are looked at
BEGINS = re.compile(
    rb'\W*"(?:cells"\W*"(?:attachments|cell_type|execution_count|id|metadata|source)|nbformat|metadata".*"nbformat)',
    re.DOTALL,
)
ARCHIVE = re.compile(r"\.(zip|tar|tar\.gz|tgz)$", re.IGNORECASE)


@dataclass(frozen=True)
class File:
    """A file by its name; `path` is where its bytes lie, None where only its name was taken."""

    name: str
    path: Path | None
    below: str  # its name below what was given, for people to find it
    is_notebook: bool = False

    @property
    def stem(self) -> str:
        return stem_of(self.name)


@dataclass
class Folder:
    """A folder and all in it that is not hidden. `place` tells it apart; for one in an archive there is no such place."""

    name: str
    place: Path
    below: str = ""  # its name below what was given, with a slash at its end; of what was given itself nothing
    folders: list[Folder] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    problem: str = ""  # why nothing of it can be seen
    is_repository: bool = False

    def walk(self) -> Iterator[Folder]:
        """This folder and those below it, each before what is in it, by name."""
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
    r"""A name as text. Bytes that are not UTF-8, as in folders of a Windows archive, become visible: M\xfcller."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def file_at(path: Path, name: str, below: str) -> File:
    """The file on this disk, opened only where its name does not say whether it is a notebook."""
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
    """What programs keep beside the files of people, such as .git, __MACOSX and ._lab.ipynb."""
    return name.startswith((".", "__") if folder else ".")


def stem_of(name: str) -> str:
    """The name without the ending of a notebook, an archive, or any one other."""
    shorter = ARCHIVE.sub("", NOTEBOOK.sub("", name))
    return shorter if shorter != name else os.path.splitext(name)[0]


def read_folder(path: Path, without: Path | None = None) -> Folder:
    """The folder at this path, but not what lies at `without`. Errors: OSError, when it cannot be read itself."""
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
