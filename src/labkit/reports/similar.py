"""Which answers are the same but for names and layout: a question to look into, never a verdict.

A source becomes tokens: names are one token, comments and layout none. Of every `GRAM` tokens in a row there is a hash, and of
every `WINDOW` hashes in a row the least is kept: the fingerprints (Winnowing: Local Algorithms for Document Fingerprinting,
S. Schleimer, D. Wilkerson and A. Aiken, 2003). What was handed out and what many wrote alike is taken away; two answers
are alike when the rest, if it is enough to say anything, agrees:

    |A and B| / |A or B| >= ALIKE
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from keyword import kwlist
from math import ceil

from labkit import course
from labkit.budgets import Budgets
from labkit.desk.standing import Standing
from labkit.grading.results import Result
from labkit.intake.answer_cells import find_answers
from labkit.intake.choose import Chosen, digest_of
from labkit.intake.handout import handout
from labkit.intake.notebooks import Submission, parse_submission, read_file

GRAM, WINDOW = 8, 5  # tokens and hashes: what two answers share over 12 tokens is always found
ALIKE, EVIDENCE = 0.8, 6  # the share that agrees, and the fingerprints that an answer must have left
MANY, FEW = 0.05, 5  # what more than this share of the class wrote is many's, and what so few wrote never is
LONGEST = 100_000  # characters of an answer that are looked at

# A text that is never closed ends with its line, or with the source: so no place is looked at twice, and time stays linear.
TOKEN = re.compile(
    r"""\#[^\n]*"""
    r"""|(?P<text>[rbfuRBFU]{0,2}(?:"{3}[\s\S]*?(?:"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)"""
    r"""|"(?:\\[\s\S]|[^"\\\n])*+"?|'(?:\\[\s\S]|[^'\\\n])*+'?))"""
    r"""|(?P<dotted>\.\s*[^\W\d]\w*)|(?P<name>[^\W\d]\w*)|\d[\w.]*|\S"""
)
KEYWORDS = frozenset(kwlist)
BASE, MODULUS = 1_000_003, (1 << 61) - 1  # of the rolling hash


@dataclass(frozen=True)
class Group:
    """Students of one lab whose answers to these exercises are alike."""

    lab: str
    exercises: tuple[str, ...]
    students: tuple[str, ...]


class Similar:
    """Hears every standing once, and keeps of each answer its fingerprints. `source_of` gives a submission back, or None."""

    def __init__(self, source_of: Callable[[Result], Submission | None]):
        self._source_of = source_of
        self._found: dict[tuple[str, str], dict[bytes, list[str]]] = defaultdict(lambda: defaultdict(list))

    def hear(self, standing: Standing) -> None:
        result = standing.result
        submission = self._source_of(result) if result.lab in course.current().names else None
        for exercise, source in _answers(submission) if submission else ():
            if prints := fingerprints(source):
                self._found[submission.lab_name, exercise][array("Q", sorted(prints)).tobytes()].append(result.student)

    def groups(self) -> list[Group]:
        """The largest first. Students who are alike in several exercises are one group."""
        together: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
        for (lab, exercise), answers in self._found.items():
            for students in _alike(answers, handed_out(lab)):
                together[lab, students].append(exercise)
        order = list(course.current().exercises)
        found = [Group(lab, tuple(sorted(all, key=order.index)), who) for (lab, who), all in together.items()]
        return sorted(found, key=lambda group: (-len(group.exercises), -len(group.students), group.lab, group.students))


def sources(submissions: Iterable[Chosen], budgets: Budgets) -> Callable[[Result], Submission | None]:
    """Reads a result's submission again, as it was read before it was judged; None where the file is not what it was."""
    known = {(each.student, each.lab): each for each in submissions if each.digest}

    def source_of(result: Result) -> Submission | None:
        chosen = known.get((result.student, result.lab))
        content = read_file(chosen.entry.path, budgets) if chosen else None
        if not isinstance(content, bytes) or digest_of(content) != chosen.digest:
            return None
        found = parse_submission(content, chosen.entry.path.stem, budgets)
        return found if isinstance(found, Submission) else None

    return source_of


def _answers(submission: Submission) -> Iterator[tuple[str, str]]:
    """The code that answers each exercise."""
    asked = handout(submission.lab_name).exercises
    yield from ((name, cell.source) for name, cell in find_answers(submission).items() if asked[name] == "code")


def tokens(source: str) -> Iterator[str]:
    """Python's, however broken the source is: a name is N, unless it is a keyword or looked up in something; a text is S."""
    for found in TOKEN.finditer(source[:LONGEST]):
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
    """A hash of every `GRAM` tokens in a row."""
    codes, rolled, found = [zlib.crc32(token.encode()) for token in tokens(source)], 0, []
    last = pow(BASE, GRAM, MODULUS)
    for number, code in enumerate(codes):
        rolled = (rolled * BASE + code) % MODULUS
        if number >= GRAM:
            rolled = (rolled - codes[number - GRAM] * last) % MODULUS
        if number >= GRAM - 1:
            found.append(rolled)
    return found


def fingerprints(source: str) -> frozenset[int]:
    hashes = grams(source)
    windows = range(max(1, len(hashes) - WINDOW + 1))
    return frozenset(min(hashes[start : start + WINDOW]) for start in windows) if hashes else frozenset()


@lru_cache
def handed_out(lab: str) -> frozenset[int]:
    """All hashes of the lab as students get it."""
    return frozenset(each for source in handout(lab).sources.values() for each in grams(source))


def _alike(answers: Mapping[bytes, list[str]], released: frozenset[int]) -> Iterator[tuple[str, ...]]:
    wrote = Counter()
    for prints, students in answers.items():
        wrote.update(dict.fromkeys(array("Q", prints), len(students)))
    many = max(FEW, MANY * sum(map(len, answers.values())))
    own: dict[frozenset[int], list[str]] = defaultdict(list)
    for prints, students in answers.items():
        left = frozenset(each for each in array("Q", prints) if wrote[each] <= many and each not in released)
        if len(left) >= EVIDENCE:
            own[left] += students
    for sets in _joined(list(own), wrote):
        students = sorted(student for each in sets for student in own[each])
        if len(students) > 1:
            yield tuple(students)


def _joined(sets: list[frozenset[int]], wrote: Counter) -> Iterable[list[frozenset[int]]]:
    """The sets, those that are alike together. Two that are share one of the rarest fingerprints of each, so no others are compared."""
    leader = list(range(len(sets)))

    def led(number: int) -> int:
        while leader[number] != number:
            number = leader[number] = leader[leader[number]]
        return number

    holders: dict[int, list[int]] = defaultdict(list)
    for number, prints in enumerate(sets):
        rarest = sorted(prints, key=lambda each: (wrote[each], each))[: len(prints) - ceil(ALIKE * len(prints)) + 1]
        for other in {other for each in rarest for other in holders[each]}:
            if len(prints & sets[other]) >= ALIKE * len(prints | sets[other]):
                leader[led(number)] = led(other)
        for each in rarest:
            holders[each].append(number)
    groups = defaultdict(list)
    for number, prints in enumerate(sets):
        groups[led(number)].append(prints)
    return groups.values()
