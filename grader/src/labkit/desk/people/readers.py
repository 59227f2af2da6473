"""Decide which readers' points count for a written answer.

Points without a reader's name are a final decision and always count. Otherwise points count if all readers of the answer gave
the same number; if they disagree, the answer awaits a decision.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Key = tuple[str, str, str]  # student, lab, exercise
Marks = dict[tuple[str, str, str, str], "Mark"]  # by student, lab, exercise and reader, in the order of the file
DECISION = ""  # in place of a reader's name


@dataclass(frozen=True)
class Mark:
    """A reader's points, comment, fulfilled rubric items (such as "1 3"), and the digest of the graded answer."""

    points: float
    comment: str = ""
    items: str = ""
    answer: str = ""
    where: str = field(default="", compare=False)  # the file and line, for messages

    def counts_for(self, text: str) -> bool:
        return self.answer in ("", digest_of(text))


def digest_of(text: str) -> str:
    """Compute a digest of an answer, ignoring layout. It starts with a letter, so that no spreadsheet reads it as a number."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return "a" + hashlib.sha256(plain.encode("utf-8", "backslashreplace")).hexdigest()[:15]


def settled(marks: Mapping[tuple[str, str, str, str], Mark]) -> dict[Key, Mark]:
    """Return the marks that count. Answers on which readers disagree are left out."""
    found: dict[Key, Mark] = {}
    for key, by in of_latest_answers(marks).items():
        if DECISION in by:
            found[key] = by[DECISION]
        elif len({each.points for each in by.values()}) == 1:
            first, *others = by.values()
            comments = dict.fromkeys(each.comment for each in (first, *others) if each.comment)
            found[key] = replace(first, comment="\n".join(comments)) if others else first
    return found


def of_latest_answers(marks: Mapping[tuple[str, str, str, str], Mark]) -> dict[Key, dict[str, Mark]]:
    """Each reader's mark for the latest graded version of each answer. A mark without a digest counts for any version."""
    rows: dict[Key, dict[str, Mark]] = defaultdict(dict)
    for (*key, reader), mark in marks.items():
        rows[key[0], key[1], key[2]][reader] = mark
    for key, by in rows.items():
        latest = next((each.answer for each in reversed(by.values()) if each.answer), "")
        rows[key] = {reader: each for reader, each in by.items() if each.answer in ("", latest)}
    return dict(rows)


def of_reader(marks: Mapping[tuple[str, str, str, str], Mark], reader: str) -> dict[Key, Mark]:
    """Select this reader's marks or, without a reader's name, the marks that count."""
    if reader == DECISION:
        return settled(marks)
    return {(key[0], key[1], key[2]): mark for (*key, by), mark in marks.items() if by == reader}
