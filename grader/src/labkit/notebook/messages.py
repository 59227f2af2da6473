"""A lab's messages below a cell: HTML in a notebook, plain text in a terminal and for nbval.

Everything from an answer is escaped. Each state has a badge with a word, so that colour alone carries no meaning. Colours come
from the theme, with defaults if there is none.
"""

from __future__ import annotations

import html
import re
import sys
import textwrap
from collections.abc import Iterable

WIDTH = 80  # of the plain text
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[^\W\d_]|[¿¡(])")
# Code in a sentence: text in backticks, a call, a name with an underscore, or a name of NumPy or Matplotlib.
_CODE = re.compile(
    r"`([^`\n]+)`"
    r"|(?<![\w.])([A-Za-z_][\w.]*\((?!s\))(?:[^()]|\([^()]*\))*\)|[A-Za-z]\w*_\w+|(?:np|plt|ax)\.\w+(?:\.\w+)*)"
)
COLOURS = {
    "right": "var(--jp-success-color1, #2e7d32)",
    "wrong": "var(--jp-warn-color1, #e65100)",
    "note": "var(--jp-info-color1, #0277bd)",
    "open": "var(--jp-border-color0, #757575)",
}
MARKS = {"right": "✔", "wrong": "✘", "note": "", "open": "…"}


def laid_out(text: str, sentences: bool = True) -> str:
    """The plain text, wrapped at 80 characters, each sentence (or the whole text) on new lines, all but the first indented."""
    parts = _SENTENCE.split(text) if sentences else [text]
    wrapped = [textwrap.wrap(part, WIDTH - 3, break_long_words=False, break_on_hyphens=False) for part in parts]
    return "\n   ".join(line for lines in wrapped for line in lines)


def coded(text: str) -> str:
    """The text as HTML, with code in <code>."""
    found, end = [], 0
    for match in _CODE.finditer(text):
        found += [html.escape(text[end : match.start()]), f"<code>{html.escape(match[1] or match[2])}</code>"]
        end = match.end()
    return "".join([*found, html.escape(text[end:])])


def paragraphs(text: str) -> str:
    """The observation, then in a separate paragraph the question about it."""
    if not _CODE.match(text):
        text = text[:1].upper() + text[1:]
    parts = _SENTENCE.split(text)
    first = next((number for number, part in enumerate(parts) if part.endswith("?")), 0)
    return "".join(
        f'<p style="margin: 0.3em 0">{coded(" ".join(each))}</p>' for each in (parts[:first], parts[first:]) if each
    )


def listed(texts: Iterable[str]) -> str:
    """One text as paragraphs, or several as a list."""
    texts = list(texts)
    if len(texts) == 1:
        return paragraphs(texts[0])
    return (
        f'<ul style="margin: 0.3em 0">{"".join(f"<li>{paragraphs(each)}</li>" for each in texts)}</ul>' if texts else ""
    )


def badge(state: str, word: str) -> str:
    """A word for a state, framed in its colour."""
    mark = f'<span aria-hidden="true">{MARKS[state]}</span> ' if MARKS[state] else ""
    frame = f"border: 1px solid {COLOURS[state]}; border-radius: 1em; padding: 0 0.6em; white-space: nowrap"
    return f'<strong style="{frame}">{mark}{html.escape(word)}</strong>'


def card(state: str, word: str, title: str, body: str, language: str = "en") -> str:
    """A message as HTML: badge and title in a line, then the body, with a stripe in the state's colour."""
    head = " ".join(
        filter(None, (badge(state, word) if word else "", f"<strong>{html.escape(title)}</strong>" if title else ""))
    )
    return (
        f'<div lang="{html.escape(language)}" style="border-left: 4px solid {COLOURS[state]}; padding: 0.1em 0 0.1em 0.9em; '
        f'margin: 0.2em 0; max-width: 48em">'
        + (f'<p style="margin: 0.3em 0">{head}</p>' if head else "")
        + f"{body}</div>"
    )


def tell(plain: str, shown: str, kind: str = "text/html") -> None:
    """Show HTML or Markdown with its plain text; outside a notebook, print the plain text."""
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None:
        from IPython.display import display

        display({kind: shown, "text/plain": plain}, raw=True)
    else:
        print(plain)
