"""Fingerprints of source code that ignore names and layout.

Source is split into tokens. All names become the same token; comments and layout are dropped. Every run of `GRAM` consecutive
tokens is hashed, and the smallest hash in every run of `WINDOW` consecutive hashes is a fingerprint (Winnowing: Local Algorithms for Document
Fingerprinting, S. Schleimer, D. Wilkerson and A. Aiken, 2003).
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterator
from keyword import kwlist

from labkit.grade.intake.handout import Handout

GRAM, WINDOW = 8, 5  # in tokens and hashes: any 12 consecutive tokens in common are found

# An unclosed string ends with its line or the source, so no position is read twice and the time stays linear.
TOKEN = re.compile(
    r"""\#[^\n]*"""
    r"""|(?P<text>[rbfuRBFU]{0,2}(?:"{3}[\s\S]*?(?:"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)"""
    r"""|"(?:\\[\s\S]|[^"\\\n])*+"?|'(?:\\[\s\S]|[^'\\\n])*+'?))"""
    r"""|(?P<dotted>\.\s*[^\W\d]\w*)|(?P<name>[^\W\d]\w*)|\d[\w.]*|\S"""
)
KEYWORDS = frozenset(kwlist)
BASE, MODULUS = 1_000_003, (1 << 61) - 1  # of the rolling hash


def tokens(source: str) -> Iterator[str]:
    """Yield the tokens of Python source, valid or not: N for a name other than a keyword or attribute, S for a string."""
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
    codes, rolled, found = [zlib.crc32(token.encode()) for token in tokens(source)], 0, []
    last = pow(BASE, GRAM, MODULUS)
    for number, code in enumerate(codes):
        rolled = (rolled * BASE + code) % MODULUS
        if number >= GRAM:
            rolled = (rolled - codes[number - GRAM] * last) % MODULUS
        if number >= GRAM - 1:
            found.append(rolled)
    return found


def packed(source: str) -> bytes:
    """The fingerprints of an answer, sorted, eight bytes each; empty if the code is too short."""
    return array("Q", sorted(fingerprints(source))).tobytes()


def fingerprints(source: str) -> frozenset[int]:
    hashes = grams(source)
    windows = range(max(1, len(hashes) - WINDOW + 1))
    return frozenset(min(hashes[start : start + WINDOW]) for start in windows) if hashes else frozenset()


def grams_of(handed_out: Handout) -> frozenset[int]:
    """Hash all code of a released lab."""
    return frozenset(each for source in handed_out.by_source for each in grams(source))
