"""Represent folders and files on disk as trees, with names as text. archives.py does the same for archives."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

DEEPEST = 12  # folder levels that are read; an archive can have thousands
# A browser or mail program adds the second extension; the content decides what the file is.
NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.IGNORECASE)
# Browsers may save notebooks as .json, A+ drops all extensions, and a script may be a notebook. The first bytes decide.
PERHAPS = re.compile(r"\.json$|\.py$|^[^.]+$", re.IGNORECASE)
BEGINNING = 4096  # number of bytes that are checked
BEGINS = re.compile(
    rb'\W*"(?:cells"\W*"(?:attachments|cell_type|execution_count|id|metadata|source)|nbformat|metadata".*"nbformat)',
    re.DOTALL,
)
# A script of jupytext or `labkit release`; other scripts are not notebooks.
SCRIPT = re.compile(rb'#[ \t]*%%[^\n]*\bname="|# ---\s+# jupyter:')
ARCHIVE = re.compile(r"\.(zip|tar|tar\.gz|tgz)$", re.IGNORECASE)
# Google Drive splits a large download into NAME-001.zip, NAME-002.zip or NAME-2-001.zip. NAME may end in the time of download.
PART = re.compile(r"(?P<download>.+?(?P<stamp>-\d{8}T\d{6}Z)?)(-\d{1,2})?-\d{3}")


@dataclass(frozen=True)
class File:
    """A file's name and, in `path`, where its bytes are on disk; None if only the name is known."""

    name: str
    path: Path | None
    below: str  # path relative to the given one, for display
    is_notebook: bool = False

    @property
    def stem(self) -> str:
        """The name without the extension of a notebook or archive, or else without its last extension."""
        shorter = ARCHIVE.sub("", NOTEBOOK.sub("", self.name))
        return shorter if shorter != self.name else os.path.splitext(self.name)[0]


@dataclass
class Folder:
    """A folder and its contents, without hidden files. `place` identifies it; inside an archive it is not a real path."""

    name: str
    place: Path
    below: str = ""  # path relative to the given one, with a final slash; empty for the given path itself
    folders: list[Folder] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    problem: str = ""  # why it cannot be read
    is_repository: bool = False

    def walk(self) -> Iterator[Folder]:
        """Yield this folder and all folders below, parents first, by name."""
        yield self
        for folder in self.folders:
            yield from folder.walk()

    def notebooks(self) -> Iterator[File]:
        return (file for folder in self.walk() for file in folder.files if file.is_notebook)

    def sort(self) -> None:
        self.folders.sort(key=lambda each: each.name)
        self.files.sort(key=lambda each: each.name)

    def add_folder(self, name: str, place: Path | None = None, problem: str = "") -> Folder:
        folder = Folder(name, place or self.place / name, f"{self.below}{name}/", problem=problem)
        self.folders.append(folder)
        return folder


def visible(name: str | os.PathLike[str]) -> str:
    r"""A name as text. Bytes that are not UTF-8, as in archives from Windows, are escaped, as in M\xfcller."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def file_at(path: Path, name: str, below: str) -> File:
    """Describe the file on disk. It is opened only if its name does not show whether it is a notebook."""
    return File(name, path, below, is_notebook(name) or may_be_notebook(name) and begins_as_notebook(_beginning(path)))


def is_notebook(name: str) -> bool:
    return bool(NOTEBOOK.search(name))


def may_be_notebook(name: str) -> bool:
    return bool(PERHAPS.search(name))


def begins_as_notebook(content: bytes) -> bool:
    return bool(BEGINS.match(content[:BEGINNING].replace(b"\0", b""))) or begins_as_script(content)


def begins_as_script(content: bytes) -> bool:
    """Whether this is a notebook in percent format. A JSON file never is, because it escapes quotes and line ends."""
    return bool(SCRIPT.search(content[:BEGINNING].replace(b"\0", b"")))


def _beginning(path: Path) -> bytes:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb", buffering=0) as file:
            return (stat.S_ISREG(os.fstat(file.fileno()).st_mode) and file.read(BEGINNING)) or b""
    except OSError:
        return b""


def is_archive(name: str) -> bool:
    return bool(ARCHIVE.search(name))


def is_hidden(name: str, folder: bool) -> bool:
    """Whether this is a hidden file or folder, such as .git, __MACOSX or ._lab.ipynb."""
    return name.startswith((".", "__") if folder else ".")


def read_folder(path: Path, without: Path | None = None) -> Folder:
    """Read the folder at this path, leaving out the path `without`. Errors: OSError."""
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


def join_parts(trees: Mapping[Path, File | Folder]) -> dict[Path, File | Folder]:
    """Replace the parts of each download with one tree at the path of the first part."""
    whole: dict[Path, File | Folder] = {}
    first: dict[tuple[str, ...], Folder] = {}
    for place, tree in trees.items():
        part = _part(tree) if isinstance(tree, Folder) else ()
        if part and isinstance(tree, Folder) and first.setdefault(part, tree) is not tree:
            _add_contents(first[part], tree)
        else:
            whole[place] = tree
    return whole


def _part(tree: Folder) -> tuple[str, ...]:
    """A key that is the same for all parts of a download; empty if the folder is not a part."""
    found = PART.fullmatch(tree.name)
    if found and found["stamp"]:
        return (found["download"],)
    return (found["download"], tree.folders[0].name) if found and len(tree.folders) == 1 and not tree.files else ()


def _add_contents(to: Folder, more: Folder) -> None:
    known = {folder.name: folder for folder in to.folders}
    for folder in more.folders:
        if folder.name in known:
            _add_contents(known[folder.name], folder)
        else:
            to.folders.append(folder)
    to.files += more.files
    to.is_repository |= more.is_repository
    to.sort()
