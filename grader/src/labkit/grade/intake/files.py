"""Read an untrusted file up to a size limit, or give the reason for refusing it. A large notebook is read without its outputs."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from labkit.student.judging.finding import Finding
from labkit.student.model.budgets import MIB, Budgets

CHUNK = 256 * 1024
WITH_OUTPUTS = 5  # a notebook with outputs may be this many times larger than without

STEPS = 1_000_000  # maximum number of brackets that are read; each takes a microsecond
# The text before the opening bracket of a value to remove: outputs, pasted pictures or widget state.
_UNNEEDED = re.compile(rb'(?<!\\)"(?:outputs|attachments|widgets)"\s*:\s*\Z')
PIECE = 2**16  # bytes that are matched at once; for each, a repeated group may remember some hundred bytes
LONGEST_KEY = 64  # bytes before a bracket that are searched for such a key
DEPTHS = range(2, 4)  # nesting levels of these keys: in the notebook's metadata or in a cell
_TEXT = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
# Complete strings, but no other brackets. Python 3.11.0 to 3.11.4 would match too much if the outer group were possessive too
# (CPython gh-106052): in a possessive group, a repetition may only come last.
_BETWEEN = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*', re.DOTALL)
# cp1252 leaves five bytes undefined; they are read as latin-1.
_ESCAPED = {0xDC00 + code: chr(code) for code in range(0x80, 0x100)}


@dataclass(frozen=True)
class Refusal:
    """Why a file cannot be graded: the status for the gradebook, and the reason."""

    status: str  # unreadable or not_a_lab
    reason: str


def read_notebook(path: Path, budgets: Budgets = Budgets()) -> bytes | Refusal:
    """Read a notebook's bytes. A notebook that is too large is read without its outputs, which grading does not need."""
    return read_file(path, budgets.submission_bytes, WITH_OUTPUTS * budgets.submission_bytes)


def read_file(path: Path, most: int, largest: int = 0) -> bytes | Refusal:
    """Read a regular file of at most `most` bytes, or one of at most `largest` whose outputs can be left out.

    The type is checked first, because a pipe never ends and a link leads elsewhere.
    """
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return Refusal("unreadable", "this is a link to another file; submit the file itself")
        if not stat.S_ISREG(found.st_mode):
            return Refusal("unreadable", f"this is a {_kind(found.st_mode)}, not a file")
        content = None
        if found.st_size <= max(most, largest):
            # The file may have been replaced since its type was checked.
            with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
                content = file.read(most + 1)
                if len(content) > most and largest > most:
                    content = without_outputs(_chunks(content, file, largest), most)
    except OSError as error:
        return Refusal("unreadable", f"the file cannot be read: {error.strerror}")
    if content is None or len(content) > most:
        beside = f", or {largest / MIB:g} MiB with a notebook's outputs" if largest > most else ""
        size = f"the file is {found.st_size / MIB:.1f} MiB; the limit is {most / MIB:g} MiB{beside}"
        return Refusal("unreadable", f"{size} (labkit grade --submission-mib)")
    return content


def _chunks(first: bytes, file: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield the first piece, then the rest up to `most` bytes. Bytes added to the file in the meantime are cut off."""
    yield first
    left = most - len(first)
    while left > 0 and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "folder"
    return "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"


def without_outputs(chunks: Iterable[bytes], most: int) -> bytes | None:
    """Replace each unneeded value in a notebook's bytes with `[]` or `{}`. Everything else stays unchanged, byte for byte.

    The JSON is not parsed, and removed bytes are not kept in memory. Returns None for more than STEPS brackets, or if more than
    `most` bytes remain.
    """
    kept, carried = bytearray(), b""
    in_text, depth, left_out, steps = False, 0, 0, 0  # left_out: the depth of the value being removed, or 0
    for chunk in (each[at : at + PIECE] for each in chunks for at in range(0, len(each), PIECE)):
        chunk, at, carried = carried + chunk, 0, b""
        while at < len(chunk):
            end = (_TEXT if in_text else _BETWEEN).match(chunk, at).end()  # type: ignore[union-attr]  # both also match an empty text
            if not left_out:
                kept += chunk[at:end]
            sign, at = chunk[end : end + 1], end + 1
            if sign == b"\\":  # the escaped character is in the next chunk
                carried = sign
                continue
            if sign == b'"':
                in_text = not in_text
            elif sign in (b"[", b"{") and sign:
                depth += 1
                steps += 1
                if not left_out and depth - 1 in DEPTHS and _UNNEEDED.search(kept, max(0, len(kept) - LONGEST_KEY)):
                    kept += sign
                    left_out = depth
            elif sign:
                left_out = 0 if left_out == depth else left_out
                depth -= 1
            if not left_out:
                kept += sign
            if steps > STEPS or len(kept) > most:
                return None
    return bytes(kept)


def as_text(content: bytes) -> tuple[str, tuple[Finding, ...]]:
    """Decode the content, with a note unless it is plain UTF-8.

    A byte order mark, or the zero bytes of UTF-16, decides the encoding. Otherwise the content is read as UTF-8 if most non-ASCII
    letters are valid, or else as cp1252 (Windows's "ANSI"), which includes all letters of latin-1.
    """
    named = json.detect_encoding(content)
    if named not in ("utf-8", "utf-8-sig"):
        return content.decode(named, "replace"), (Finding("read-as", {"encoding": named.upper()}),)
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return content.decode("utf-8", "surrogatepass"), ()  # surrogates as Python's json module reads them
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
    damaged = text.count("\ufffd") - content.count("\ufffd".encode())
    whole = len(text) - damaged - len(text.encode("ascii", "ignore"))
    if whole > damaged:
        return text, (Finding("damaged-text", {"count": damaged}),)
    text = content.decode("cp1252", "surrogateescape").translate(_ESCAPED)
    return text, (Finding("read-as", {"encoding": "cp1252"}),)
