"""Read untrusted JSON: notebooks, replies, kernel messages. Its size and depth are checked before it is parsed.

If a key occurs twice, the last value counts. NaN and infinities are read as numbers. An unpaired surrogate becomes a
question mark.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate

from labkit.student.model.text import clean, clean_all

# A string without a closing quote is matched too, so that the search takes linear time.
_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_STEP = [1 if byte in b"[{" else -1 for byte in range(256)]


class NotJSON(ValueError):
    """The content is not JSON: wrong encoding, wrong form, or a number with too many digits for Python."""


class TooManyParts(NotJSON):
    """The parsed value would take too much memory."""


class TooDeep(NotJSON):
    """Lists and objects are nested too deeply for a parser's stack."""


def read_json(content: bytes | str, *, parts: int, levels: int) -> object:
    """Parse text or UTF-8 with at most this many parts and nesting levels. Errors: TooManyParts, TooDeep, NotJSON."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if parts_in(data) > parts:
        raise TooManyParts(f"JSON of more than {parts:,} parts")
    if deeper_than(levels, data):
        raise TooDeep(f"JSON nested more than {levels} levels deep")
    has_halves = b"\\ud" in data or b"\\uD" in data  # escaped surrogates, paired or not
    del data  # parsing does not need this copy
    try:
        # Decoded first, because json.loads also accepts bytes in other encodings or with unpaired surrogates.
        value = json.loads(clean(content) if isinstance(content, str) else content.decode())
        return clean_all(value) if has_halves else value
    except RecursionError:
        raise TooDeep(f"JSON nested more than {levels} levels deep") from None
    except ValueError:
        raise NotJSON("not JSON") from None


def parts_in(data: bytes) -> int:
    """Count commas and opening brackets, which bound the memory that the parsed value needs."""
    return sum(map(data.count, (b"[", b"{", b",")))


def deeper_than(levels: int, data: bytes) -> bool:
    """Whether lists and objects are nested deeper than `levels`. Brackets are counted without parsing."""
    if data.count(b"[") + data.count(b"{") <= levels:
        return False
    brackets = _TEXTS.sub(b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > levels
