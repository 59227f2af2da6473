"""Words in a cell's output: a sentence a line, and no line longer than a narrow window shows."""

from __future__ import annotations

import re
import textwrap

WIDTH = 80
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[^\W\d_]|[¿¡(])")


def laid_out(text: str, sentences: bool = True) -> str:
    """The text with every sentence, or only all of it, on lines of at most 80 characters; all but the first are indented."""
    parts = _SENTENCE.split(text) if sentences else [text]
    wrapped = [textwrap.wrap(part, WIDTH - 3, break_long_words=False, break_on_hyphens=False) for part in parts]
    return "\n   ".join(line for lines in wrapped for line in lines)
