"""Decode a file that may not be UTF-8, and note the assumed encoding."""

from __future__ import annotations

import json

from labkit.student.judging.finding import Finding

_ESCAPED = {
    0xDC00 + code: chr(code) for code in range(0x80, 0x100)
}  # cp1252 leaves five bytes undefined; they are read as latin-1


def as_text(content: bytes) -> tuple[str, tuple[Finding, ...]]:
    """Decode the content, with a note unless it is plain UTF-8.

    A byte order mark, or the zero bytes of UTF-16, decides the encoding. Otherwise the content is read as UTF-8 if most non-ASCII
    letters are valid, or else as cp1252 (Windows's "ANSI"), which includes all letters of latin-1.
    """
    named = json.detect_encoding(content)
    if named not in ("utf-8", "utf-8-sig"):
        return content.decode(named, "replace"), (_read_as(named.upper()),)
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return content.decode("utf-8", "surrogatepass"), ()  # surrogates as Python's json module reads them
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
    damaged = text.count("\ufffd") - content.count("\ufffd".encode())
    whole = len(text) - damaged - len(text.encode("ascii", "ignore"))
    if whole > damaged:
        return text, (Finding("damaged-text", {"count": damaged}),)
    return content.decode("cp1252", "surrogateescape").translate(_ESCAPED), (_read_as("cp1252"),)


def _read_as(encoding: str) -> Finding:
    return Finding("read-as", {"encoding": encoding})
