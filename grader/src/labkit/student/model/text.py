"""Make untrusted text and JSON safe to read, to write and to show.

A Python string may contain half a surrogate pair, which UTF-8 cannot encode. JSON comes from notebooks, replies and kernel
messages: its size and depth are checked before it is parsed. If a key occurs twice, the last value counts. NaN and infinities
are read as numbers. An unpaired surrogate becomes a question mark.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import accumulate

FORMULA_STARTS = r"[=+\-@\t\r]"  # a spreadsheet may run a cell that starts with these
# Where a cell may start: where the decimal mark is a comma, spreadsheets split a line at ; and know no quotes within a cell.
_CELL_STARTS = r"(?:\A|(?<=[;\n\r\t]))"
_FORMULA = re.compile(rf"{_CELL_STARTS}(?={FORMULA_STARTS}|')")
_MADE_TEXT = re.compile(rf"{_CELL_STARTS}'(?={FORMULA_STARTS}|')")
_FORMULA_IN_HTML = re.compile(rf"{_CELL_STARTS}{FORMULA_STARTS}+")


def clean(text: str) -> str:
    """Replace each character that UTF-8 cannot encode with a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def clean_all(value: object) -> object:
    """Clean every string in a value read from JSON, including keys. The value must not be nested deeply."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_all(each) for each in value]
        case dict():
            return {clean(name): clean_all(each) for name, each in value.items()}
    return value


def in_a_line(error: BaseException) -> str:
    """An error's name and message in one line."""
    return " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())[:500]


def shortened(text: str, most: int = 160) -> str:
    """Shorten text to one line of at most `most` characters, cut between words unless that loses more than half."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    kept = line[: most - 1]
    words = kept.rpartition(" ")[0]
    return f"{words} …" if len(words) >= most // 2 else f"{kept}…"


def printable(text: str) -> str:
    """Make control and direction characters visible, so that they cannot control a terminal."""
    return "".join(f"\\u{ord(char):04x}" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char for char in text)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean …?" for a message about an unknown name, or "" if no known name is similar."""
    close = get_close_matches(name, known, 1)
    return f"; did you mean {printable(close[0])}?" if close else ""


def amount(count: int, noun: str) -> str:
    """Return "1 notebook", "1,200 notebooks" and the like."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def some(names: Sequence[str], most: int) -> str:
    """List the first few of these names for a message, and count the rest."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(map(printable, names[:most]))}{more}"


def in_points(number: float, decimals: int = 4) -> str:
    """Write a number of points without trailing zeros: 6, or 7.5."""
    return f"{round(number, decimals):.12g}"


def for_a_cell(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula; `from_a_cell` removes it.

    Such text is at the start, or at the start of a line, or after a separator, such as ; where the decimal mark is a comma.
    """
    return _FORMULA.sub("'", text)


def from_a_cell(text: str) -> str:
    """Undo `for_a_cell`. Also removes such an apostrophe if a person typed it."""
    return _MADE_TEXT.sub("", text)


def html_for_a_cell(text: str) -> str:
    """Write the characters of HTML that a spreadsheet would take for the start of a formula as entities."""
    return _FORMULA_IN_HTML.sub(lambda found: "".join(f"&#{ord(char)};" for char in found[0]), text)


def legible(text: str) -> str:
    """Keep text of several lines as written, but make characters that control or reorder it visible."""
    if text.replace("\n", "").isprintable():  # the common case, and a page has many strings
        return text
    return "".join(char if char in KEPT else printable(char) for char in text.replace("\r\n", "\n"))


KEPT = "\n\t\u200c\u200d"  # the last two join letters (as in Persian) and emoji


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
