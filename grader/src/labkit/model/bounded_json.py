"""Read JSON from outside: notebooks, replies and messages of kernels. Its size when parsed is bounded before it is parsed.

For all of them the last of several values under one name counts, NaN and infinities are numbers, and half a surrogate
pair becomes a question mark.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate

from labkit.model.text import clean, clean_all

# An unfinished one too, to the end, so that time stays linear.
_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_STEP = [1 if byte in b"[{" else -1 for byte in range(256)]


class NotJSON(ValueError):
    """The content is no JSON, in the encoding or in the form; also a whole number of more digits than Python reads."""


class TooManyParts(NotJSON):
    """It would grow to too much memory."""


class TooDeep(NotJSON):
    """Its lists and objects lie in one another too deep for a parser's stack."""


def read_json(content: bytes | str, *, parts: int, levels: int) -> object:
    """The value in UTF-8 or in text, of at most so many parts and levels. Errors: TooManyParts, TooDeep, NotJSON."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if parts_in(data) > parts:
        raise TooManyParts(f"JSON of more than {parts:,} parts")
    if deeper_than(levels, data):
        raise TooDeep(f"JSON nested more than {levels} levels deep")
    has_halves = b"\\ud" in data or b"\\uD" in data  # written as numbers; whole pairs are too
    del data  # a copy, which parsing has no use for
    try:
        # As text: the parser itself would take bytes in other encodings than UTF-8, and with halves of pairs.
        value = json.loads(clean(content) if isinstance(content, str) else content.decode())
        return clean_all(value) if has_halves else value
    except RecursionError:
        raise TooDeep(f"JSON nested more than {levels} levels deep") from None
    except ValueError:
        raise NotJSON("not JSON") from None


def parts_in(data: bytes) -> int:
    """Commas and brackets: what JSON grows to when it is parsed follows from them."""
    return sum(map(data.count, (b"[", b"{", b",")))


def deeper_than(levels: int, data: bytes) -> bool:
    """Whether lists and objects lie in one another more than so many levels deep: counted, not parsed."""
    if data.count(b"[") + data.count(b"{") <= levels:
        return False
    brackets = _TEXTS.sub(b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > levels
