"""Archives are read in place: the names of all that is in one, and the bytes of what can be a hand-in.

Nothing is written by a name out of an archive: each file that is taken gets a number for its folder, so that no name
leads out and none meets another. What an archive says of sizes is not believed; bytes are counted as they come.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from multiprocessing.util import get_temp_dir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

from labkit.intake.tree import DEEPEST, File, Folder, begins_as_notebook, is_archive, is_hidden, is_json, is_notebook
from labkit.model.budgets import MIB
from labkit.model.text import clean, printable, shortened

CHUNK = 64 * 1024
AT_ONCE = 16 * MIB  # of what is read in one piece: the list of what is in a zip, a name in a tar
IS_UTF_8 = 0x800  # the flag of a zip that says so of a name
RATIO = 100  # bytes that may come of one byte of an archive
ALL = 8192 * MIB  # that are taken of all archives of a run
ALWAYS = 64 * MIB  # that may come of any archive, however small


@dataclass(frozen=True)
class Bounds:
    """How much is taken of one archive."""

    entries: int
    size: int  # bytes, unpacked


GIVEN = Bounds(50_000, 4096 * MIB)  # what an instructor gives
HANDED_IN = Bounds(1_000, 128 * MIB)  # what a student hands in
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, gzip.BadGzipFile, struct.error),
    *(EOFError, ValueError, NotImplementedError, RuntimeError, OverflowError, MemoryError),
)


class BadArchive(Exception):
    """An archive that is not read, and why, in words that follow its name."""


@dataclass
class ExtractionDirectory:
    """An empty folder of the grader's own, for what is taken out of archives, and how many bytes of a file are."""

    folder: Path
    most: int
    left: int = ALL  # bytes that may still come
    count: int = 0

    def place(self, name: str) -> Path:
        """Where the next file goes; of a long name the end, in which its lab stands."""
        self.count += 1
        folder = self.folder / str(self.count)
        folder.mkdir()
        return folder / (name.encode("utf-8", "replace")[-200:].decode("utf-8", "ignore").replace("\0", "") or "_")


@contextmanager
def extraction_directory(most: int) -> Iterator[ExtractionDirectory]:
    """A room that is gone afterwards: in the process's own folder, which its workers remove should it be killed."""
    with TemporaryDirectory(prefix="in-", dir=get_temp_dir(), ignore_cleanup_errors=True) as folder:
        yield ExtractionDirectory(Path(folder), most)


@dataclass(frozen=True)
class _Member:
    name: str
    kind: str  # file, folder, link, or what else it is
    changed: float
    size: int
    open: Callable[[], IO[bytes]]


Found = dict[tuple[str, ...], Folder | File]  # by the parts of its name; those of a file end with ""


def read_archive(
    file: File,
    room: ExtractionDirectory,
    bounds: Bounds,
    below: str = "",
    wanted: Callable[[str], bool] = lambda name: False,
) -> Folder:
    """What is in an archive, under names that begin with `below`. Errors: BadArchive, OSError.

    Bytes are taken of notebooks, of archives, and of names that are `wanted`.
    """
    if file.path is None:
        raise BadArchive("is not there, only its name")
    root = Folder(file.stem, file.path.absolute(), below)
    found: Found = {(): root}
    try:
        with _InPieces(io.FileIO(os.open(file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK))) as opened:
            looked = os.fstat(opened.fileno())
            if not stat.S_ISREG(looked.st_mode):
                raise BadArchive("is no ordinary file")
            size = looked.st_size
            left = min(bounds.size, room.left, max(ALWAYS, RATIO * size))
            members = (
                _of_zip(opened, bounds.entries)
                if file.name.lower().endswith(".zip")
                else _of_tar(opened, file.name, left)
            )
            for number, member in enumerate(members):
                _bound(number + 1, bounds.entries)
                taken = _take(member, found, room, wanted, left)
                left, room.left = left - taken, room.left - taken
    except BROKEN as error:
        raise BadArchive(f"cannot be read: {shortened(str(error) or type(error).__name__)}") from None
    return _sorted(root)


def _bound(entries: int, most: int) -> None:
    if entries > most:
        raise BadArchive(f"has more than {most:,} entries")


def _take(member: _Member, found: Found, room: ExtractionDirectory, wanted: Callable[[str], bool], left: int) -> int:
    """Put one entry where it belongs, and return how many bytes it took."""
    parts = _parts(member.name)
    if not parts or len(parts) > DEEPEST or any(is_hidden(part, True) for part in parts[:-1]):
        if ".git" in parts[:-1]:
            _folder(found, parts[: parts.index(".git")]).is_repository = True
        return 0
    name, is_folder = parts[-1], member.kind == "folder"
    if is_hidden(name, is_folder):
        return 0
    if is_folder:
        _folder(found, parts)
        return 0
    folder, path, taken, notebook = _folder(found, parts[:-1]), None, 0, is_notebook(name)
    if member.kind != "file":
        # A link stays one, so that its row says it; but it leads nowhere.
        path = room.place(name)
        path.symlink_to("what an archive links to")
    elif notebook or is_archive(name) or wanted(name):
        path = room.place(name)
        taken = _write(member, path, HANDED_IN.size if is_archive(name) else room.most, left)
    elif is_json(name):
        path = room.place(name)
        if taken := _write(member, path, room.most, left, begins_as_notebook):
            notebook = True
        else:
            path.unlink()
            path = None
    file = File(name, path, folder.below + name, notebook)
    if isinstance(before := found.get((*parts, "")), File):  # the last of one name counts
        folder.files.remove(before)
    found[*parts, ""] = file
    folder.files.append(file)
    return taken


def _write(member: _Member, path: Path, most: int, left: int, begins: Callable[[bytes], bool] = bool) -> int:
    """The first bytes of an entry, and after them nothing up to the length that it says it has, which takes no disk.

    Nothing of one that does not begin as `begins` says.
    """
    taken = 0
    with open(path, "xb") as to:
        with suppress(zipfile.BadZipFile, zlib.error, EOFError), member.open() as source:  # what there is of it is read
            while taken <= most and (piece := source.read(CHUNK)):
                if not taken and not begins(piece):
                    return 0
                taken += len(piece)
                if taken > left:
                    raise BadArchive(f"unpacks to more than {RATIO} times its size, or more than is taken")
                to.write(piece)
        if taken > most:
            with suppress(OSError):
                to.truncate(max(taken, member.size))
    with suppress(OSError, OverflowError, ValueError):
        os.utime(path, (member.changed, member.changed))
    return taken


def _parts(name: str) -> tuple[str, ...]:
    name = name.replace("\0", "")
    if name.startswith("/") or re.match("[A-Za-z]:/", name) or ".." in name.split("/"):
        raise BadArchive(f"holds a name that leads out of it: {shortened(printable(name), 80)}")
    return tuple(clean(part) for part in name.split("/") if part not in ("", "."))


def _folder(found: Found, parts: tuple[str, ...]) -> Folder:
    folder = found.get(parts)
    if not isinstance(folder, Folder):
        folder = found[parts] = _folder(found, parts[:-1]).add_folder(parts[-1])
    return folder


def _sorted(root: Folder) -> Folder:
    for folder in root.walk():
        folder.folders.sort(key=lambda each: each.name)
        folder.files.sort(key=lambda each: each.name)
    return root


def as_text(name: bytes, page: str = "") -> str:
    """A name of which nobody says how it is written: UTF-8, else in this code page, or the one that it may be in."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode(page or page_of([name]))


def page_of(names: Iterable[bytes]) -> str:
    """The code page of names that are not UTF-8: latin-1 where all their letters are some, else DOS's own.

    Code page 850 has every letter of 437 with an accent, at the same place, and more capitals.
    """
    is_latin = all(byte < 0x80 or byte >= 0xC0 for name in names if not _is_utf_8(name) for byte in name)
    return "latin-1" if is_latin else "cp850"


def _is_utf_8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _InPieces(io.BufferedReader):
    """A file of which nobody reads very much at once, as a hostile list of entries would have it."""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > AT_ONCE:
            raise BadArchive(f"has a list of entries, or a name, of more than {AT_ONCE // MIB} MiB")
        return super().read(size)


def _of_zip(file: _InPieces, entries: int) -> Iterator[_Member]:
    with zipfile.ZipFile(file) as archive:
        _bound(len(archive.filelist), entries)
        page = page_of(each.orig_filename.encode("cp437") for each in archive.filelist if not each.flag_bits & IS_UTF_8)
        for info in archive.infolist():
            if info.flag_bits & 1:
                raise BadArchive("is encrypted: unpack it with its password, and give the folder")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BadArchive("is compressed in a way that is not read; deflate, the usual one, is")
            name = info.orig_filename
            if not info.flag_bits & IS_UTF_8:
                name = as_text(name.encode("cp437"), page)
            name, mode = name.replace("\\", "/").partition("\0")[0], info.external_attr >> 16
            kind = "link" if stat.S_ISLNK(mode) else "folder" if name.endswith("/") else "file"
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
                raise BadArchive(f"holds something that is no file: {shortened(printable(name), 80)}")
            yield _Member(name, kind, _changed(info), info.file_size, partial(archive.open, info))


def _changed(info: zipfile.ZipInfo) -> float:
    """When an entry was changed: in UTC where the archive has it so, else in the time of the place where this is read."""
    extra = info.extra
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == 0x5455 and length >= 5 and len(extra) >= 9 and extra[4] & 1:
            return float(struct.unpack_from("<i", extra, 5)[0])
        extra = extra[4 + length :]
    try:
        return datetime(*info.date_time).timestamp()
    except (ValueError, OverflowError):
        return 0.0


class _UpTo:
    """A file that may be read up to a place, and never very much at once."""

    def __init__(self, file: io.BufferedIOBase, last: int):
        self._file, self._last, self.tell = file, last, file.tell

    def read(self, size: int) -> bytes:
        if size > AT_ONCE:
            raise BadArchive(f"has a name of more than {AT_ONCE // MIB} MiB")
        self._hold(self.tell() + size)
        return self._file.read(size)

    def seek(self, place: int) -> int:
        self._hold(place)
        return self._file.seek(place)

    def _hold(self, place: int) -> None:
        if place > self._last:
            raise BadArchive(f"unpacks to more than {RATIO} times its size, or more than is taken")


def _of_tar(file: _InPieces, name: str, most: int) -> Iterator[_Member]:
    source = file if name.lower().endswith(".tar") else gzip.GzipFile(fileobj=file)
    with tarfile.open(fileobj=cast("IO[bytes]", _UpTo(source, most)), mode="r:", errors="surrogateescape") as archive:
        for info in archive:
            name = as_text(info.name.encode("utf-8", "surrogateescape"))
            kind = "folder" if info.isdir() else "link" if info.issym() or info.islnk() else "file"
            if kind == "file" and not info.isfile():
                raise BadArchive(f"holds something that is no file: {shortened(printable(name), 80)}")
            content = cast("Callable[[], IO[bytes]]", partial(archive.extractfile, info))  # only a file's is read
            yield _Member(name, kind, info.mtime, info.size, content)
