"""Read JSON from outside: notebooks, replies, messages of kernels. Its parsed size is bounded before it is parsed.

The last of several values under one name counts, NaN and infinities are numbers, and half a surrogate pair
becomes a question mark.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate

from labkit.model.text import clean, clean_all

# It matches an unfinished text to the end too, so that time stays linear.
_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_STEP = [1 if byte in b"[{" else -1 for byte in range(256)]


class NotJSON(ValueError):
    """The content is not JSON: wrong encoding, wrong form, or a number with more digits than Python reads."""


class TooManyParts(NotJSON):
    """Parsed, it would take too much memory."""


class TooDeep(NotJSON):
    """Its lists and objects are nested too deep for a parser's stack."""


def read_json(content: bytes | str, *, parts: int, levels: int) -> object:
    """Parse UTF-8 or text with at most so many parts and levels. Errors: TooManyParts, TooDeep, NotJSON."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if parts_in(data) > parts:
        raise TooManyParts(f"JSON of more than {parts:,} parts")
    if deeper_than(levels, data):
        raise TooDeep(f"JSON nested more than {levels} levels deep")
    has_halves = b"\\ud" in data or b"\\uD" in data  # written as numbers; whole pairs are too
    del data  # a copy that parsing does not need
    try:
        # As text, because the parser would also take bytes in other encodings, and halves of pairs.
        value = json.loads(clean(content) if isinstance(content, str) else content.decode())
        return clean_all(value) if has_halves else value
    except RecursionError:
        raise TooDeep(f"JSON nested more than {levels} levels deep") from None
    except ValueError:
        raise NotJSON("not JSON") from None


def parts_in(data: bytes) -> int:
    """Count commas and brackets, which bound the memory of the parsed value."""
    return sum(map(data.count, (b"[", b"{", b",")))


def deeper_than(levels: int, data: bytes) -> bool:
    """Whether lists and objects are nested deeper than so many levels; counted without parsing."""
    if data.count(b"[") + data.count(b"{") <= levels:
        return False
    brackets = _TEXTS.sub(b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > levels
