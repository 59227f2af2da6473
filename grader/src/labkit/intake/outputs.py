"""Leave out of a notebook's bytes what grading does not need: outputs, pasted pictures, and the state of widgets.

Nothing is parsed, and of what is left out nothing is kept in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

STEPS = 1_000_000  # brackets that are passed; each takes a microsecond
# What comes before the bracket that opens a value which is left out. The rest of a notebook keeps its keys and its form.
_UNNEEDED = re.compile(rb'(?<!\\)"(?:outputs|attachments|widgets)"\s*:\s*\Z')
LONGEST_KEY = 64  # bytes in which such a key is looked for
DEPTHS = range(2, 6)  # where these keys are: metadata of the notebook, a cell, a cell of format 3
_TEXT = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BETWEEN = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)  # whole texts, and all but brackets


def without_outputs(chunks: Iterable[bytes], most: int) -> bytes | None:
    """The JSON with `[]` or `{}` in place of each value not needed; None where more than `most` bytes or STEPS are left."""
    kept, carried = bytearray(), b""
    in_text, depth, left_out, steps = False, 0, 0, 0  # left_out: the depth of the value that is being left out
    for chunk in chunks:
        chunk, at, carried = carried + chunk, 0, b""
        while at < len(chunk):
            end = (_TEXT if in_text else _BETWEEN).match(chunk, at).end()  # type: ignore[union-attr]  # both match nothing too
            if not left_out:
                kept += chunk[at:end]
            sign, at = chunk[end : end + 1], end + 1
            if sign == b"\\":  # what it escapes is in the next chunk
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
