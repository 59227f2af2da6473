"""Read archives: list the names of all entries, and extract possible submissions.

Paths in an archive are never used on disk. Each extracted file goes into its own numbered folder, so it cannot end up outside the
folder or overwrite another file. Declared sizes are ignored; bytes are counted while reading.
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
from math import inf
from multiprocessing.util import get_temp_dir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

from labkit.grade.intake.owners import is_added
from labkit.grade.intake.tree import (
    DEEPEST,
    File,
    Folder,
    begins_as_notebook,
    is_archive,
    is_hidden,
    is_notebook,
    may_be_notebook,
)
from labkit.student.model.budgets import MIB
from labkit.student.model.text import clean, printable, shortened

CHUNK = 64 * 1024
AT_ONCE = 16 * MIB  # maximum bytes in one read, for example of a zip's entry list or a name in a tar
IS_UTF_8 = 0x800  # the zip flag for a UTF-8 name
RATIO = 100  # maximum unpacked bytes per byte of an archive
ALL = 8192 * MIB  # maximum unpacked bytes from all archives of a run
ALWAYS = 64 * MIB  # unpacked bytes that are allowed whatever the ratio
TOO_LARGE = f"unpacks to more than {RATIO} times its size, or to more than the limit"


@dataclass(frozen=True)
class Bounds:
    """Limits for one archive."""

    entries: int
    size: int  # bytes, unpacked
    is_download: bool = False  # whether files that describe submissions are extracted too


GIVEN = Bounds(50_000, 4096 * MIB, is_download=True)  # for an archive from the instructor
HANDED_IN = Bounds(1_000, 128 * MIB)  # for an archive from a student
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, gzip.BadGzipFile, struct.error),
    *(EOFError, ValueError, NotImplementedError, RuntimeError, OverflowError, MemoryError),
)


class BadArchive(Exception):
    """An archive cannot be used. The message is the end of a sentence that starts with the archive's name."""


@dataclass
class ExtractionDirectory:
    """A private folder for files extracted from archives. Limits the bytes of each file, and of all files together."""

    folder: Path
    most: int
    left: int = ALL  # bytes that may still be extracted
    count: int = 0

    def place(self, name: str) -> Path:
        """Choose the path for the next file. A long name is cut at the start, because the lab's name is at the end."""
        self.count += 1
        folder = self.folder / str(self.count)
        folder.mkdir()
        return folder / (name.encode("utf-8", "replace")[-200:].decode("utf-8", "ignore").replace("\0", "") or "_")


@contextmanager
def extraction_directory(most: int) -> Iterator[ExtractionDirectory]:
    """Create an extraction directory in the process's temporary folder, which is removed even if the process is killed."""
    with TemporaryDirectory(prefix="in-", dir=get_temp_dir(), ignore_cleanup_errors=True) as folder:
        yield ExtractionDirectory(Path(folder), most)


@dataclass(frozen=True)
class _Member:
    name: str
    kind: str  # file, folder, link or other
    changed: float
    size: int
    open: Callable[[], IO[bytes]]


Found = dict[tuple[str, ...], Folder | File]  # by the parts of the name; the parts of a file's name end with ""


def read_archive(file: File, directory: ExtractionDirectory, bounds: Bounds, below: str = "") -> Folder:
    """Read the tree of an archive. All names in it start with `below`. Errors: BadArchive, OSError.

    Extracts notebooks and archives. Other files are only listed.
    """
    if file.path is None:
        raise BadArchive("is missing; only its name was found")
    root = Folder(file.stem, file.path.absolute(), below)
    found: Found = {(): root}
    try:
        with open(os.open(file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as opened:
            looked = os.fstat(opened.fileno())
            if not stat.S_ISREG(looked.st_mode):
                raise BadArchive("is not a regular file")
            left = min(bounds.size, directory.left, max(ALWAYS, RATIO * looked.st_size))
            is_zip = file.name.lower().endswith(".zip")
            members = _of_zip(opened, bounds.entries) if is_zip else _of_tar(opened, file.name, left)
            for number, member in enumerate(members):
                _check_entries(number + 1, bounds.entries)
                taken = _take(member, found, directory, bounds, left)
                left, directory.left = left - taken, directory.left - taken
    except BROKEN as error:
        raise BadArchive(f"cannot be read: {shortened(str(error) or type(error).__name__)}") from None
    for folder in root.walk():
        folder.sort()
    return root


def _check_entries(entries: int, most: int) -> None:
    if entries > most:
        raise BadArchive(f"has more than {most:,} entries")


def _take(member: _Member, found: Found, directory: ExtractionDirectory, bounds: Bounds, left: int) -> int:
    """Add one entry to the tree and return how many bytes it used."""
    if member.kind == "other":
        raise BadArchive(f"has an entry that is not a file: {shortened(printable(member.name), 80)}")
    parts, is_folder = _parts(member.name), member.kind == "folder"
    if ".git" in parts[:-1]:
        _folder(found, parts[: parts.index(".git")]).is_repository = True
    is_inside_hidden = any(is_hidden(part, True) for part in parts[:-1])
    if not parts or len(parts) > DEEPEST or is_inside_hidden or is_hidden(parts[-1], is_folder):
        return 0
    if is_folder:
        _folder(found, parts)
        return 0
    name, folder = parts[-1], _folder(found, parts[:-1])
    path, taken = _extract(member, name, directory, bounds, left)
    is_other = bounds.is_download and is_added(name)
    file = File(
        name, path, folder.below + name, is_notebook(name) or may_be_notebook(name) and taken > 0 and not is_other
    )
    if isinstance(before := found.get((*parts, "")), File):  # of entries with the same name, the last counts
        folder.files.remove(before)
    found[*parts, ""] = file
    folder.files.append(file)
    return taken


def _extract(member: _Member, name: str, to: ExtractionDirectory, bounds: Bounds, left: int) -> tuple[Path | None, int]:
    """Extract an entry that grading needs. Return its path and the number of bytes; None for any other file."""
    is_needed = is_notebook(name) or is_archive(name) or bounds.is_download and is_added(name)
    if member.kind == "file" and not is_needed and not may_be_notebook(name):
        return None, 0
    path = to.place(name)
    if member.kind == "link":  # a link stays a link, so that it can be reported, but it gets a harmless target
        path.symlink_to("what an archive links to")
        return path, 0
    most = HANDED_IN.size if is_archive(name) else to.most
    taken = _write(member, path, most, left, bool if is_needed else begins_as_notebook)
    if taken or is_needed:
        return path, taken
    path.unlink()
    return None, 0


def _write(member: _Member, path: Path, most: int, left: int, begins: Callable[[bytes], bool]) -> int:
    """Write an entry and return the number of bytes. Writes nothing if `begins` rejects the first bytes.

    If the entry has more than `most` bytes, the rest becomes a hole, which uses no disk space.
    """
    taken = 0
    with open(path, "xb") as to:
        # A damaged entry is read as far as possible.
        with suppress(zipfile.BadZipFile, zlib.error, EOFError), member.open() as source:
            while taken <= most and (piece := source.read(CHUNK)):
                if not taken and not begins(piece):
                    return 0
                taken += len(piece)
                if taken > left:
                    raise BadArchive(TOO_LARGE)
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
        raise BadArchive(f"has an entry with a path outside the archive: {shortened(printable(name), 80)}")
    return tuple(clean(part) for part in name.split("/") if part not in ("", "."))


def _folder(found: Found, parts: tuple[str, ...]) -> Folder:
    folder = found.get(parts)
    if not isinstance(folder, Folder):
        folder = found[parts] = _folder(found, parts[:-1]).add_folder(parts[-1])
    return folder


def as_text(name: bytes, page: str = "") -> str:
    """Decode a name of unknown encoding: as UTF-8, else with the code page `page`, else with the most likely one."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode(page or page_of([name]))


def page_of(names: Iterable[bytes]) -> str:
    """Guess the code page of names that are not UTF-8: latin-1 if all their bytes are letters in it, else DOS's cp850.

    cp850 also decodes the accented letters of cp437, which are in the same positions, and has more capitals.
    """
    others = [name for name in names if "\ufffd" in name.decode("utf-8", "replace")]
    return "latin-1" if all(byte < 0x80 or byte >= 0xC0 for name in others for byte in name) else "cp850"


class _Bounded:
    """A file that can be read only up to a limit, and in bounded pieces, because a hostile header may request huge reads."""

    def __init__(self, file: io.BufferedIOBase, last: float = inf):
        self._file, self._last, self.tell, self.seekable = file, last, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > AT_ONCE:
            raise BadArchive(f"has a list of entries, or an entry name, of more than {AT_ONCE // MIB} MiB")
        self._hold(self.tell() + max(size, 0))
        return self._file.read(size)

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        self._hold(place)
        return self._file.seek(place, whence)

    def _hold(self, place: int) -> None:
        if place > self._last:
            raise BadArchive(TOO_LARGE)


def _of_zip(file: io.BufferedReader, entries: int) -> Iterator[_Member]:
    with zipfile.ZipFile(cast("IO[bytes]", _Bounded(file))) as archive:
        _check_entries(len(archive.filelist), entries)
        page = page_of(each.orig_filename.encode("cp437") for each in archive.filelist if not each.flag_bits & IS_UTF_8)
        for info in archive.infolist():
            if info.flag_bits & 1:
                raise BadArchive("is encrypted: unpack it with its password and grade the folder")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BadArchive("uses an unsupported compression method; use deflate")
            name = info.orig_filename
            if not info.flag_bits & IS_UTF_8:
                name = as_text(name.encode("cp437"), page)
            name, mode = name.replace("\\", "/").partition("\0")[0], info.external_attr >> 16
            kind = "link" if stat.S_ISLNK(mode) else "folder" if name.endswith("/") else "file"
            kind = kind if stat.S_IFMT(mode) in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK) else "other"
            yield _Member(name, kind, _changed(info), info.file_size, partial(archive.open, info))


def _changed(info: zipfile.ZipInfo) -> float:
    """An entry's modification time: in UTC if the archive has it, else in local time."""
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


def _of_tar(file: io.BufferedReader, name: str, most: int) -> Iterator[_Member]:
    source = file if name.lower().endswith(".tar") else gzip.GzipFile(fileobj=file)
    bounded = cast("IO[bytes]", _Bounded(source, most))
    with tarfile.open(fileobj=bounded, mode="r:", errors="surrogateescape") as archive:
        for info in archive:
            name = as_text(info.name.encode("utf-8", "surrogateescape"))
            kind = "folder" if info.isdir() else "file" if info.isfile() else "other"
            kind = "link" if info.issym() or info.islnk() else kind
            content = cast("Callable[[], IO[bytes]]", partial(archive.extractfile, info))  # called for files only
            yield _Member(name, kind, info.mtime, info.size, content)
