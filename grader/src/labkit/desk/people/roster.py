"""The people and groups of a class, and whom the name of a submission can refer to.

Names are compared in either order, ignoring case, accents and punctuation.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from labkit.desk.people.final_score import Person
from labkit.grade.intake.submission import Submission

Words = tuple[str, ...]
NUMBERED = ("brightspace", "moodle")  # their downloads name a student as NAME_NUMBER
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


@dataclass(frozen=True)
class Known:
    """Other data about a person in a roster: logins and numbers in an LMS, and submission times."""

    logins: tuple[str, ...] = ()
    canvas: str = ""  # the user's number in Canvas
    participant: str = ""  # as in Moodle's grading worksheet: "Participant 3000"
    submitted: Mapping[str, datetime] = field(default_factory=dict)  # submission times by lab; "" for any lab


@dataclass
class Roster:
    """The people and groups of a class, found by id, e-mail address, login, LMS number or name."""

    people: Mapping[str, Person]
    known: Mapping[str, Known] = field(default_factory=dict)  # by id
    _by: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    def __post_init__(self) -> None:
        self.groups: dict[str, list[str]] = defaultdict(list)  # ids by the group's name
        self._names = Names({id: person.name for id, person in self.people.items()})
        for id, person in self.people.items():
            known = self.known.get(id, Known())
            names = {
                "id": [plain(id)],
                "email": [plain(person.email)],
                "login": map(plain, (person.email.partition("@")[0], *known.logins)),
                "canvas": [known.canvas],
                "participant": [known.participant.rpartition(" ")[2]],
                "one word": in_one_word(person.name),
            }
            for what, forms in names.items():
                for form in filter(None, forms):
                    self._by[what][form].add(id)
            if person.group:
                self.groups[person.group].append(id)
        for group in self.groups:  # LMSs may change spaces and punctuation
            self._by["group"][plain(group)].add(group)
            if form := "".join(words(group)):
                self._by["group in one word"][form].add(group)

    def group_of(self, name: str) -> str:
        """A student's group, or the group with this name; "" if there is none."""
        return self.people[name].group if name in self.people else name if name in self.groups else ""

    def times(self, name: str) -> Mapping[str, datetime]:
        """Submission times of a student or a group, by lab. For a group, the latest time of its members."""
        times: dict[str, datetime] = {}
        for id in self.groups.get(name, [name]):
            for lab, when in (self.known[id].submitted if id in self.known else {}).items():
                times[lab] = max(times.get(lab, when), when, key=datetime.astimezone)  # without a zone: local
        return times

    def owners_of(self, submission: Submission) -> set[str]:
        """Everyone who may own the submission. If its name has several readings, only Canvas's own numbers tell."""
        if not submission.readings:
            return self.owners(submission.student, submission.by)
        return set().union(*(self._by["canvas"].get(each.rpartition("_")[2], ()) for each in submission.readings))

    def owners(self, student: str, by: str = "") -> set[str]:
        """Everyone a submission's name can refer to: people's ids and groups' names.

        If a group matches, its members are not listed as well. A group whose name differs from the submission's name only in
        punctuation counts only if no person matches.
        """
        exact, alike = self._groups_called(student, by)
        people = self.fitting(student, by)
        groups = exact if exact or people else alike
        return groups | people - {id for group in groups for id in self.groups[group]}

    def fitting(self, student: str, by: str = "") -> set[str]:
        """The ids of all people who match a submission's name. `by` is the download's naming convention."""
        name, _, number = student.rpartition("_")
        if by == "canvas":
            return self._of_canvas(name, number)
        if by in NUMBERED and number.isdigit():
            return self._of_moodle(name, number) or self._of_moodle(self._behind_group(name), number)
        if by == "moodle":
            return self._in_one_word(student)
        form = plain(student)
        found = next((known for what in ("id", "email", "login") if (known := self._by[what].get(form))), set())
        if found or by == "repository":  # students choose a repository's name, for example their GitHub login
            return found
        return self._names.within(student)

    def _of_canvas(self, login: str, number: str) -> set[str]:
        """Match by Canvas number or, if the roster has none, by an id equal to the number, by name or by login.

        An id that happens to equal the number does not count if the person's name and login differ.
        """
        if self._by["canvas"]:
            return self._by["canvas"].get(number, set())
        fit = self._by["one word"].get(plain(login), set()) | self._by["login"].get(plain(login), set())
        numbered = {id for id in self._by["id"].get(number, ()) if id in fit or not self.people[id].name}
        return numbered or fit

    def _of_moodle(self, name: str, number: str) -> set[str]:
        """Match by number and name, because groups have numbers too. An anonymous submission has the name "Participant"."""
        fit = self._in_one_word(name)
        numbered = self._by["participant"].get(number, set())
        anonymous = {id for id in numbered if plain(name) == plain(self.known[id].participant.rpartition(" ")[0])}
        if anonymous or numbered & fit:
            return anonymous or numbered & fit
        return fit | numbered if fit else set()

    def _groups_called(self, student: str, by: str) -> tuple[set[str], set[str]]:
        """Groups with exactly this name, and groups with a similar name. A number added by the LMS is ignored."""
        name, _, number = student.rpartition("_")
        name = name if by in ("canvas", *NUMBERED) and number.isdigit() else student
        one_word = self._by["group in one word"].get("".join(words(name)), set())
        return self._by["group"].get(plain(name), set()), one_word

    def _behind_group(self, name: str) -> str:
        """Extract the student's name from a Moodle 3 folder name, "Group A-Ada Lovelace"; "" if no group matches."""
        cuts = (at for at, mark in enumerate(name) if mark == "-" and any(self._groups_called(name[:at], "")))
        return next((name[at + 1 :] for at in cuts), "")

    def _in_one_word(self, name: str) -> set[str]:
        """Match without spaces and punctuation, because Moodle drops some and replaces others with a space."""
        return set().union(*(self._by["one word"].get(form, set()) for form in in_one_word(name)))
