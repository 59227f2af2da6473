"""Compare people's names in either order, ignoring case, accents and punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

Words = tuple[str, ...]
APART = re.compile(r"\s[-–—]+\s|[()\[\]{}|]")  # separators around a name, as in "Lab 1 - Ada Lovelace (1)"
WITHIN = re.compile(r"['’ʼ`´]")  # removed from words, so that O'Neil is one word
NO_WORD = re.compile(r"[\W_]+")
ACCENTS = re.compile("[\u0300-\u036f]")
# Letters that Unicode does not decompose, spelled as in passports and logins.
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})


def plain(text: str) -> str:
    """Normalize ids and addresses: Unicode form, case and white space."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def words(text: str) -> Words:
    """Split a name into words for comparison: letters and digits only, without accents."""
    folded = ACCENTS.sub("", unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()))
    return tuple(NO_WORD.sub(" ", WITHIN.sub("", unicodedata.normalize("NFC", folded).translate(LETTERS))).split())


def orders(name: str) -> set[Words]:
    """The words of a full name, with either name first. Without a comma, the family name may begin at any word."""
    last, comma, first = name.partition(",")
    if comma:
        both = words(first), words(last)
        return {both[0] + both[1], both[1] + both[0]} - {()}
    all_of_it = words(name)
    return {all_of_it[start:] + all_of_it[:start] for start in range(len(all_of_it))}


def in_one_word(name: str) -> set[str]:
    """Return forms of the name without spaces and punctuation, as some LMSs write it. Canvas may also drop accented letters."""
    last, _, first = name.replace("_", " ").partition(",")
    parts = plain(f"{first} {last}").split()
    forms = {"".join([*parts[start:], *parts[:start]]) for start in range(len(parts))}
    bare = {"".join(filter(str.isalnum, form)) for form in forms}
    without = {unicodedata.normalize("NFKD", form).encode("ascii", "ignore").decode() for form in bare}
    return (bare | without | {form.encode("ascii", "ignore").decode() for form in bare}) - {""}


class Names:
    """Finds students' full names in the names of files and folders."""

    def __init__(self, names: Mapping[str, str]):
        """`names` has each person's name by id."""
        self._by_first: dict[str, list[tuple[Words, str]]] = defaultdict(list)
        for id, name in names.items():
            for order in orders(name):
                self._by_first[order[0]].append((order, id))

    def within(self, text: str) -> set[str]:
        """Return the ids of all people whose full names occur in the text.

        A match inside a longer match is ignored: "Ana Gil" in "Ana Gil Paz". A one-word name must be the only word between two
        dashes or brackets.
        """
        found = [span for part in APART.split(text) for span in self._spans(words(part))]
        return {id for *_, id in found}

    def _spans(self, part: Words) -> Iterable[tuple[int, int, str]]:
        spans = [
            (start, start + len(order), id)
            for start, word in enumerate(part)
            for order, id in self._by_first.get(word, ())
            if part[start : start + len(order)] == order and (len(order) > 1 or len(part) == 1)
        ]
        return [
            (start, end, id)
            for start, end, id in spans
            if not any(a <= start and end <= b and b - a > end - start for a, b, _ in spans)
        ]
