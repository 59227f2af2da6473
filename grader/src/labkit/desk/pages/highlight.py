"""Highlight Python syntax, as data for a page's script or as HTML.

The tokenizer of the similarity index is used, because its time is proportional to the code's length. Pygments took 3 s for
10,000 characters of hostile input ('%000…).
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from re import Match

from markupsafe import Markup

from labkit.desk.pages.fingerprints import KEYWORDS, TOKEN
from labkit.student.model.text import legible

Run = tuple[str, str]  # a piece of code: its class ("" for plain) and its text

NAMING = ("def", "class")  # keywords that come before a defined name


@lru_cache(maxsize=500)  # the class report and the student's page show the same answers
def runs(code: str) -> tuple[Run, ...]:
    """Split code into pieces with a class: k for keywords, f for defined names, s for strings, c for comments, n for numbers."""
    code = legible(code.strip("\n").rstrip())
    found: list[Run] = []
    done, before = 0, ""
    for token in TOKEN.finditer(code):
        word = token[0]
        if kind := _class_of(token, word, before):
            found += [("", code[done : token.start()]), (kind, word)]
            done = token.end()
        before = word
    return tuple(run for run in (*found, ("", code[done:])) if run[1])


def as_html(code: str) -> Markup:
    return Markup("".join(f"<i class={kind}>{escape(text)}</i>" if kind else escape(text) for kind, text in runs(code)))


def _class_of(token: Match[str], word: str, before: str) -> str:
    if token["name"]:
        return "k" if word in KEYWORDS else "f" if before in NAMING else ""
    if token["text"]:
        return "s"
    return "c" if word[0] == "#" else "n" if word[0].isdigit() else ""
