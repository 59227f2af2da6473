"""Find answers that are the same except for names and layout. This is a reason to ask, not a verdict.

Fingerprints ignore names and layout: all names become the same token, and comments are dropped. Every run of `GRAM` consecutive
tokens is hashed, and the smallest hash in every run of `WINDOW` consecutive hashes is a fingerprint (Winnowing: Local Algorithms for
Document Fingerprinting, S. Schleimer, D. Wilkerson and A. Aiken, 2003).

Fingerprints that occur in the released lab, or in the answers of many students, are ignored. Let A and B be the sets of
fingerprints that remain in two answers. The answers are alike if both sets have at least EVIDENCE elements, and

    |A and B| / |A or B| >= ALIKE

Students who submitted together count as one author, so their shared answer is reported only if another author's is alike.
"""

from __future__ import annotations

import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from labkit.desk.pages.render import KEYWORDS, TOKEN
from labkit.desk.people.final_score import FinalScore
from labkit.grade.intake.conventions import SHARED
from labkit.grade.intake.handout import handout
from labkit.student.model.project import Project

GRAM, WINDOW = 8, 5  # in tokens and hashes: any 12 consecutive tokens in common are found
BASE, MODULUS = 1_000_003, (1 << 61) - 1  # of the rolling hash
ALIKE, EVIDENCE = 0.8, 6  # the fraction of fingerprints that must agree, and the minimum number of fingerprints
MANY, FEW = 0.05, 5  # a fingerprint is ignored if more than this fraction of students, and more than FEW, have it


@dataclass(frozen=True)
class Group:
    """Students with similar answers to the same exercises of a lab."""

    lab: str
    exercises: tuple[str, ...]
    students: tuple[str, ...]


class Similar:
    """Collects the fingerprints of each answer's stored code from every final score."""

    def __init__(self, project: Project):
        self.project = project
        self._found: dict[tuple[str, str], dict[bytes, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._graded = Counter[str]()  # authors by lab
        self._members: dict[tuple[str, str], list[str]] = defaultdict(list)  # students by lab and author

    def add(self, final_score: FinalScore) -> None:
        submission, author = final_score.result.submission, _author_of(final_score)
        members = self._members[submission.lab, author]
        members.append(submission.student)
        if members[1:]:
            return
        self._graded[submission.lab] += final_score.result.status == "graded"
        for exercise, code in final_score.result.code.items():
            if prints := fingerprints(code):
                self._found[submission.lab, exercise][prints].append(author)

    def groups(self) -> list[Group]:
        """List groups of similar answers, largest first. Students with several similar answers form only one group."""
        together: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
        released = {lab: self._released(lab) for lab in {lab for lab, _ in self._found}}
        for (lab, exercise), answers in self._found.items():
            for authors in _alike(answers, released[lab], max(FEW, MANY * self._graded[lab])):
                students = (each for author in authors for each in self._members[lab, author])
                together[lab, tuple(sorted(students))].append(exercise)
        order = list(self.project.course.exercises)
        found = [Group(lab, tuple(sorted(all, key=order.index)), who) for (lab, who), all in together.items()]
        return sorted(found, key=lambda group: (-len(group.exercises), -len(group.students), group.lab, group.students))

    def _released(self, lab: str) -> frozenset[int]:
        """Hash all code of a released lab."""
        return frozenset(each for source in handout(self.project, lab).by_source for each in grams(source))


def _author_of(final_score: FinalScore) -> str:
    """Name the author: a group in the roster, a shared Gradescope submission, or a single student."""
    submission = final_score.result.submission
    shared = final_score.profile.group or (submission.file if submission.by in SHARED else "")
    return f"together {shared}" if shared else f"alone {submission.student}"


def _alike(answers: Mapping[bytes, list[str]], released: frozenset[int], many: float) -> Iterator[list[str]]:
    """Yield the authors in each group. A fingerprint that more than `many` authors have is ignored."""
    wrote = Counter()
    for prints, authors in answers.items():
        wrote.update(dict.fromkeys(array("Q", prints), len(authors)))
    own: dict[frozenset[int], list[str]] = defaultdict(list)
    for prints, authors in answers.items():
        left = frozenset(each for each in array("Q", prints) if wrote[each] <= many and each not in released)
        if len(left) >= EVIDENCE:
            own[left] += authors
    for sets in _joined(list(own), wrote):
        authors = [author for each in sets for author in own[each]]
        if len(authors) > 1:
            yield authors


def _joined(sets: list[frozenset[int]], wrote: Counter) -> Iterable[list[frozenset[int]]]:
    """Group similar sets. Two similar sets must share one of their rarest fingerprints, so only such pairs are compared."""
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
