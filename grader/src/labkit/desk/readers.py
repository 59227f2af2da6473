"""Decide which readers' points count for a written answer, and measure how well two readers agree.

Points without a reader's name are a final decision and always count. Otherwise points count if all readers of the answer gave
the same number; if they disagree, the answer awaits a decision. The agreement of two readers is measured as Cohen's kappa
(Cohen 1960). Of the answers that both graded, p_ij is the fraction with i points from one reader and j from the other:

    kappa = (p_o - p_e) / (1 - p_e),   p_o = sum_i p_ii,   p_e = sum_i p_i. p_.i
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

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


@dataclass(frozen=True)
class Agreement:
    """How well two readers agree on one exercise, over the answers that both graded."""

    exercise: str
    readers: tuple[str, str]
    answers: int
    same: int
    kappa: float | None  # None if chance alone would give full agreement

    @property
    def share(self) -> float:
        return self.same / self.answers


def agreements(marks: Mapping[tuple[str, str, str, str], Mark], exercises: Iterable[str]) -> list[Agreement]:
    """Compute the agreement for each exercise and pair of readers. Identical answers count once."""
    pairs: dict[tuple[str, tuple[str, str]], dict[object, tuple[float, float]]] = defaultdict(dict)
    for key, by in of_latest_answers(marks).items():
        for one, other in combinations(sorted(by.keys() - {DECISION}), 2):
            answer = by[one].answer or by[other].answer or key[0]
            pairs[key[2], (one, other)][answer] = by[one].points, by[other].points
    order = {name: place for place, name in enumerate(exercises)}
    found = sorted(pairs.items(), key=lambda each: (order.get(each[0][0], len(order)), each[0]))
    return [_agreement(exercise, readers, [*given.values()]) for (exercise, readers), given in found]


def _agreement(exercise: str, readers: tuple[str, str], given: Sequence[tuple[float, float]]) -> Agreement:
    same = sum(one == other for one, other in given)
    return Agreement(exercise, readers, len(given), same, kappa_of(given))


def kappa_of(given: Sequence[tuple[float, float]]) -> float | None:
    """Cohen's kappa for pairs of points; None if it is 0 / 0."""
    count = len(given)
    first, second = (Counter(points) for points in zip(*given))
    by_chance = sum(first[points] * second[points] for points in first) / count**2
    observed = sum(one == other for one, other in given) / count
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)
