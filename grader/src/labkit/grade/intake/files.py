"""Read an untrusted file up to a size limit, or give the reason for refusing it. A large notebook is read without its outputs."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from labkit.grade.intake.outputs import without_outputs
from labkit.student.model.budgets import MIB, Budgets

CHUNK = 256 * 1024
WITH_OUTPUTS = 5  # a notebook with outputs may be this many times larger than without


@dataclass(frozen=True)
class Refusal:
    """Why a file cannot be graded: the status for the gradebook, and the reason."""

    status: str  # unreadable or not_a_lab
    reason: str


def read_file(path: Path, budgets: Budgets = Budgets()) -> bytes | Refusal:
    """Read a regular file of limited size. The type is checked first, because a pipe never ends and a link leads elsewhere."""
    most = budgets.submission_bytes
    return _read(path, most, lambda file: file.read(most + 1), most)


def read_notebook(path: Path, budgets: Budgets = Budgets()) -> bytes | Refusal:
    """Read a notebook's bytes. A notebook that is too large is read without its outputs, which grading does not need."""
    most = budgets.submission_bytes

    def read(file: BinaryIO) -> bytes | None:
        whole = file.read(most + 1)
        return whole if len(whole) <= most else without_outputs(_chunks(whole, file, most_of_notebook(most)), most)

    return _read(path, most, read, most_of_notebook(most))


def most_of_notebook(most: int) -> int:
    """The size limit of a notebook with its outputs, in bytes; `most` is the limit without them."""
    return WITH_OUTPUTS * most


def _read(path: Path, most: int, read: Callable[[BinaryIO], bytes | None], largest: int) -> bytes | Refusal:
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return Refusal("unreadable", "this is a link to another file; submit the file itself")
        if not stat.S_ISREG(found.st_mode):
            return Refusal("unreadable", f"this is a {_kind(found.st_mode)}, not a file")
        size = f"the file is {found.st_size / MIB:.1f} MiB"
        if found.st_size > largest:
            return Refusal("unreadable", _too_large(size, most, largest))
        # The file may have been replaced since its type was checked.
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            content = read(file)
    except OSError as error:
        return Refusal("unreadable", f"the file cannot be read: {error.strerror}")
    if content is None or len(content) > most:
        return Refusal("unreadable", _too_large(size, most, largest))
    return content


def _too_large(size: str, most: int, largest: int) -> str:
    beside = f", or {largest / MIB:g} MiB with a notebook's outputs" if largest > most else ""
    return f"{size}; the limit is {most / MIB:g} MiB{beside} (labkit grade --submission-mib)"


def _chunks(first: bytes, file: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield the first piece, then the rest up to `most` bytes. Bytes added to the file in the meantime are cut off."""
    yield from (first[at : at + CHUNK] for at in range(0, len(first), CHUNK))
    left = most - len(first)
    while left > 0 and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "folder"
    return "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
