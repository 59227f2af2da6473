"""Show a lab's messages below a cell: as HTML in a notebook, as plain text in a terminal and for nbval.

All text from an answer is escaped. Each state has a badge with a word, so that meaning never depends on colour alone. Colours
come from the theme, with defaults.
"""

from __future__ import annotations

import html
import re
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

WIDTH = 80  # columns of plain text
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[^\W\d_]|[¿¡(])")
# Code in a sentence: text in backticks, a call, a name with an underscore, or a name of NumPy or Matplotlib.
_CODE = re.compile(
    r"`([^`\n]+)`"
    r"|(?<![\w.])([A-Za-z_][\w.]*\((?!s\))(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[A-Za-z]\w*_\w+|(?:np|plt|ax)\.\w+(?:\.\w+)*)"
)
COLOURS = {
    "right": "var(--jp-success-color1, #2e7d32)",
    "wrong": "var(--jp-warn-color1, #e65100)",
    "note": "var(--jp-info-color1, #0277bd)",
    "open": "var(--jp-border-color0, #757575)",
}
MARKS = {"right": "✔", "wrong": "✘", "note": "", "open": "…"}


def laid_out(text: str, sentences: bool = True) -> str:
    """Wrap plain text at 80 characters, with each sentence on a new line if `sentences`. Indents all lines but the first."""
    parts = _SENTENCE.split(text) if sentences else [text]
    wrapped = [textwrap.wrap(part, WIDTH - 3, break_long_words=False, break_on_hyphens=False) for part in parts]
    return "\n   ".join(line for lines in wrapped for line in lines)


def coded(text: str) -> str:
    """Convert text to HTML, with code in <code>."""
    found, end = [], 0
    for match in _CODE.finditer(text):
        found += [html.escape(text[end : match.start()]), f"<code>{html.escape(match[1] or match[2])}</code>"]
        end = match.end()
    return "".join([*found, html.escape(text[end:])])


def paragraphs(text: str) -> str:
    """Put the observation and the question about it in separate paragraphs."""
    if not _CODE.match(text):
        text = text[:1].upper() + text[1:]
    parts = _SENTENCE.split(text)
    first = next((number for number, part in enumerate(parts) if part.endswith("?")), 0)
    return "".join(
        f'<p style="margin: 0.3em 0">{coded(" ".join(each))}</p>' for each in (parts[:first], parts[first:]) if each
    )


def listed(texts: Iterable[str]) -> str:
    """Format one text as paragraphs, or several as a list."""
    texts = list(texts)
    if len(texts) == 1:
        return paragraphs(texts[0])
    items = "".join(f"<li>{paragraphs(each)}</li>" for each in texts)
    return f'<ul style="margin: 0.3em 0">{items}</ul>' if items else ""


def badge(state: str, word: str) -> str:
    """Format the word for a state as HTML, in a frame with the state's colour."""
    mark = f'<span aria-hidden="true">{MARKS[state]}</span> ' if MARKS[state] else ""
    frame = f"border: 1px solid {COLOURS[state]}; border-radius: 1em; padding: 0 0.6em; white-space: nowrap"
    return f'<strong style="{frame}">{mark}{html.escape(word)}</strong>'


def card(state: str, word: str, title: str, body: str, language: str = "en") -> str:
    """Format a message as HTML: badge and title in one line, then the body, with a stripe in the state's colour."""
    titled = f"<strong>{html.escape(title)}</strong>" if title else ""
    head = " ".join(filter(None, (badge(state, word) if word else "", titled)))
    return (
        f'<div lang="{html.escape(language)}" style="border-left: 4px solid {COLOURS[state]}; padding: 0.1em 0 0.1em 0.9em; '
        f'margin: 0.2em 0; max-width: 48em">'
        + (f'<p style="margin: 0.3em 0">{head}</p>' if head else "")
        + f"{body}</div>"
    )


def shell() -> Any:
    """The notebook's IPython shell, or None outside a notebook."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def tell(plain: str, shown: str, kind: str = "text/html") -> None:
    """Show HTML or Markdown together with its plain text. Outside a notebook, print the plain text."""
    if shell():
        from IPython.display import display

        display({kind: shown, "text/plain": plain}, raw=True)
    else:
        print(plain)
