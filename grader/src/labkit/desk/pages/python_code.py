"""Split students' Python code into tokens, valid or not, to highlight it and to compare it.

Fingerprints ignore names and layout: all names become the same token, and comments are dropped. Every run of `GRAM` consecutive
tokens is hashed, and the smallest hash in every run of `WINDOW` consecutive hashes is a fingerprint (Winnowing: Local Algorithms for
Document Fingerprinting, S. Schleimer, D. Wilkerson and A. Aiken, 2003).
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from keyword import kwlist
from re import Match

from markupsafe import Markup

from labkit.student.model.text import legible

Run = tuple[str, str]  # a piece of code: its class ("" for plain) and its text

GRAM, WINDOW = 8, 5  # in tokens and hashes: any 12 consecutive tokens in common are found
BASE, MODULUS = 1_000_003, (1 << 61) - 1  # of the rolling hash
KEYWORDS = frozenset(kwlist)
NAMING = ("def", "class")  # keywords that come before a defined name

# An unclosed string ends with its line or the source, so no position is read twice and the time stays linear. Pygments took 3 s
# for 10,000 characters of hostile input ('%000…).
TOKEN = re.compile(
    r"""\#[^\n]*"""
    r"""|(?P<text>[rbfuRBFU]{0,2}(?:"{3}[\s\S]*?(?:"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)"""
    r"""|"(?:\\[\s\S]|[^"\\\n])*+"?|'(?:\\[\s\S]|[^'\\\n])*+'?))"""
    r"""|(?P<dotted>\.\s*[^\W\d]\w*)|(?P<name>[^\W\d]\w*)|\d[\w.]*|\S"""
)


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


def tokens(source: str) -> Iterator[str]:
    """Yield the tokens to compare: N for a name other than a keyword or attribute, S for a string."""
    for found in TOKEN.finditer(source):
        word = found[0]
        if found["name"]:
            yield word if word in KEYWORDS else "N"
        elif found["text"]:
            yield "S"
        elif found["dotted"]:
            yield from (".", word[1:].strip())
        elif word[0] != "#":
            yield word


def grams(source: str) -> list[int]:
    """Hash every run of `GRAM` consecutive tokens."""
    codes, rolled, found = [zlib.crc32(token.encode("utf-8", "backslashreplace")) for token in tokens(source)], 0, []
    last = pow(BASE, GRAM, MODULUS)
    for number, code in enumerate(codes):
        rolled = (rolled * BASE + code) % MODULUS
        if number >= GRAM:
            rolled = (rolled - codes[number - GRAM] * last) % MODULUS
        if number >= GRAM - 1:
            found.append(rolled)
    return found


def fingerprints(source: str) -> bytes:
    """Compute the fingerprints of an answer, sorted, eight bytes each; empty if the code is too short."""
    hashes = grams(source)
    windows = (hashes[start : start + WINDOW] for start in range(max(1, len(hashes) - WINDOW + 1)))
    return array("Q", sorted({min(window) for window in windows if window})).tobytes()
