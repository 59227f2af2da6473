"""Remove from a notebook's bytes what grading does not need: outputs, pasted pictures and widget state.

The JSON is not parsed, and removed bytes are not kept in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

STEPS = 1_000_000  # maximum number of brackets that are read; each takes a microsecond
# The text before the opening bracket of a value to remove. Everything else stays unchanged, byte for byte.
_UNNEEDED = re.compile(rb'(?<!\\)"(?:outputs|attachments|widgets)"\s*:\s*\Z')
PIECE = 2**16  # bytes that are matched at once; for each, a repeated group may remember some hundred bytes
LONGEST_KEY = 64  # bytes before a bracket that are searched for such a key
DEPTHS = range(2, 6)  # nesting levels of these keys: in notebook metadata, a cell, or a format 3 cell
_TEXT = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
# Complete strings, but no other brackets. Python 3.11.0 to 3.11.4 would match too much if the outer group were possessive too
# (CPython gh-106052): in a possessive group, a repetition may only come last.
_BETWEEN = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*', re.DOTALL)


def without_outputs(chunks: Iterable[bytes], most: int) -> bytes | None:
    """Replace each removed value with `[]` or `{}`. Returns None for more than STEPS brackets, or if more than `most` bytes remain."""
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
