"""Read an untrusted file: at most so many bytes, or why it is refused. A notebook too large is read without its outputs."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from labkit.intake.outputs import without_outputs
from labkit.model.budgets import MIB, Budgets

CHUNK = 256 * 1024
WITH_OUTPUTS = 5  # how many times the bytes that are kept a notebook with its outputs may have


@dataclass(frozen=True)
class Refusal:
    """Why a file cannot be graded: a status of the contract, and the reason in words."""

    status: str  # unreadable or not_a_lab
    reason: str


def read_file(path: Path, budgets: Budgets = Budgets()) -> bytes | Refusal:
    """The bytes of an ordinary file of bounded size. It is looked at first: a pipe would never end, a link leads away."""
    most = budgets.submission_bytes
    return _read(path, most, lambda file: file.read(most + 1), most)


def read_notebook(path: Path, budgets: Budgets = Budgets()) -> bytes | Refusal:
    """The same of a notebook: where the file is too large, without its outputs, which grading does not need."""
    most = budgets.submission_bytes

    def read(file: BinaryIO) -> bytes | None:
        whole = file.read(most + 1)
        return whole if len(whole) <= most else without_outputs(_chunks(whole, file, most_of_notebook(most)), most)

    return _read(path, most, read, most_of_notebook(most))


def most_of_notebook(most: int) -> int:
    """The bytes a notebook may have with its outputs, of which `most` are kept."""
    return WITH_OUTPUTS * most


def _read(path: Path, most: int, read: Callable[[BinaryIO], bytes | None], largest: int) -> bytes | Refusal:
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return Refusal("unreadable", "this is a link to another file; hand in the file itself")
        if not stat.S_ISREG(found.st_mode):
            return Refusal("unreadable", f"this is not a file but a {_kind(found.st_mode)}")
        size = f"the file has {found.st_size / MIB:.1f} MiB"
        if found.st_size > largest:
            return Refusal("unreadable", _too_large(size, most, largest))
        # By now it may have been exchanged for something else.
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            content = read(file)
    except OSError as error:
        return Refusal("unreadable", f"the file cannot be read: {error.strerror}")
    if content is None or len(content) > most:
        return Refusal("unreadable", _too_large(size, most, largest))
    return content


def _too_large(size: str, most: int, largest: int) -> str:
    beside = f", and {largest / MIB:g} with the outputs of a notebook" if largest > most else ""
    return f"{size}; at most {most / MIB:g} are read{beside} (labkit grade --submission-mib)"


def _chunks(first: bytes, file: BinaryIO, most: int) -> Iterator[bytes]:
    """What was read already, and the rest up to `most`; a file that grew beyond ends as one that was cut."""
    yield from (first[at : at + CHUNK] for at in range(0, len(first), CHUNK))
    left = most - len(first)
    while left > 0 and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "folder"
    return "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
