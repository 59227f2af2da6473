"""Who is in the class: a CSV file, joined with what was handed in. Nobody's hand-in is given to another on a guess.

In a class with a roster the id there is the student of every row. A hand-in is somebody's by the id, the e-mail or its
part before the @, else by the name: "Ada Lovelace", "Lovelace, Ada", or Canvas's "lovelaceada". Where several people
fit, or several hand-ins of one lab fit the same person, it stays what it is called in the download and matches nobody.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from labkit import course
from labkit.desk.sheets import DeskProblem, read_sheet
from labkit.desk.standing import Person
from labkit.intake.choose import Chosen
from labkit.intake.discover import Entry
from labkit.intake.notebooks import Refusal
from labkit.text import printable, shortened

COLUMNS = ("id", "name", "email", "section")
EXTENSION = "extension"  # in days; a roster may have it
DAYS = 1000  # the longest


@dataclass
class Roster:
    """People by id, and by whatever else is theirs."""

    people: dict[str, Person]
    _by: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    def __post_init__(self) -> None:
        for id, person in self.people.items():
            told = {
                "id": [_plain(id)],
                "email": [_plain(person.email)],
                "login": [_plain(person.email.partition("@")[0])],
            }
            told |= {"name": [_in_order(person.name)], "canvas": _in_one_word(person.name)}
            for what, forms in told.items():
                for form in filter(None, forms):
                    self._by[what][form].add(id)

    def person_of(self, student: str, by: str = "") -> Person | None:
        """Whose a hand-in is, by the name that it has in a download of this convention; None unless one person fits."""
        if by == "canvas":
            found = self._of_canvas(*student.rpartition("_")[::2])
        elif by == "moodle":  # its number is that of the hand-in
            found = self._by["name"][_in_order(student.rpartition("_")[0])]
        else:
            told = {**dict.fromkeys(("id", "email", "login"), _plain(student)), "name": _in_order(student)}
            found = next((known for what, form in told.items() if (known := self._by[what][form])), ())
        return self.people[next(iter(found))] if len(found) == 1 else None

    def _of_canvas(self, login: str, number: str) -> set[str]:
        """A number that is an id of somebody with another name is an id of another kind, and tells nothing."""
        fit = self._by["canvas"][_plain(login)] | self._by["login"][_plain(login)]
        numbered = {id for id in self._by["id"][number] if id in fit or not self.people[id].name}
        return numbered or fit


def _plain(text: str) -> str:
    """As it compares: in one form of Unicode, whatever the case and the white space."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def _in_order(name: str) -> str:
    """ada lovelace, also of "Lovelace, Ada" and Ada_Lovelace."""
    last, _, first = name.replace("_", " ").partition(",")
    return _plain(f"{first} {last}")


def _in_one_word(name: str) -> set[str]:
    """lovelaceada, as Canvas calls Ada Lovelace: which of her names are the last ones nobody knows, nor what it makes of accents."""
    words = _in_order(name).split()
    forms = {"".join([*words[start:], *words[:start]]) for start in range(len(words))}
    bare = {"".join(filter(str.isalnum, form)) for form in forms}
    without = {unicodedata.normalize("NFKD", form).encode("ascii", "ignore").decode() for form in bare}
    return bare | without | {form.encode("ascii", "ignore").decode() for form in bare}


def read_roster(path: Path) -> Roster:
    """The people in a CSV file. Errors: DeskProblem."""
    people: dict[str, Person] = {}
    stands, faults = {}, []
    for where, cells in read_sheet(path, COLUMNS):
        told = {name: unicodedata.normalize("NFC", cell.strip()) for name, cell in cells.items()}
        id, days = told["id"], _days(told.get(EXTENSION) or "0")
        if not id:
            faults.append(f"{where}: no id; give each person one")
        elif id in people:
            named = shortened(printable(id), 60)
            faults.append(f"{where}: the id {named} stands in {stands[id]} already; leave one of them")
        elif days is None:
            said = shortened(printable(told[EXTENSION]), 40)
            faults.append(f"{where}: the extension {said!r} is no number of days from 0 to {DAYS}")
        else:
            people[id] = Person(**{name: told[name] for name in COLUMNS}, extension=days)
            stands[id] = where.rpartition(", ")[2]
    if faults:
        raise DeskProblem(faults[0] + (f" (and {len(faults) - 1} more like this)" if faults[1:] else ""))
    if not people:
        raise DeskProblem(f"{path}: nobody is in this roster; below its first line each person has a line")
    return Roster(people)


def _days(said: str) -> float | None:
    try:
        days = float(said.replace(",", "."))
    except ValueError:
        return None
    return days if 0 <= days <= DAYS else None


def join(roster: Roster, submissions: Sequence[Chosen]) -> tuple[list[Chosen], list[str]]:
    """The submissions under the ids of the roster, with a row for everybody and each lab that somebody handed in.

    And the names, as the download has them, of those that match nobody.
    """
    labs: dict[str, set[str]] = defaultdict(set)  # by student
    fits: dict[str, list[str]] = defaultdict(list)  # students by the person that they are to be
    for each in submissions:
        if not labs[each.student] and (person := roster.person_of(each.student, each.entry.by)):
            fits[person.id].append(each.student)
        labs[each.student].add(each.lab)
    ids = {student: id for id, several in fits.items() for student in _certain(id, several, labs)}
    named = [replace(each, student=ids.get(each.student, each.student)) for each in submissions]
    strangers = sorted(labs.keys() - ids.keys())
    rows = sorted([*named, *_absent(roster, named)], key=lambda each: (each.student, each.lab))
    return rows, strangers


def _certain(id: str, students: list[str], labs: dict[str, set[str]]) -> Iterator[str]:
    """Of those who seem to be one person: the one with that person's very id, and whoever has no lab in common with another."""
    for student in students:
        if student == id or not any(labs[student] & labs[other] for other in students if other != student):
            yield student


def _absent(roster: Roster, submissions: Iterable[Chosen]) -> Iterator[Chosen]:
    there, other = {(each.student, each.lab) for each in submissions}, defaultdict(list)
    known = {lab for _, lab in there} & {*course.current().names}
    for each in submissions:
        if each.lab not in known:
            other[each.student].append(each.entry.file or each.entry.found)
    for id in roster.people:
        for lab in sorted(known):
            if (id, lab) not in there:
                besides = (
                    f"; there is {', '.join(other[id][:3])}, of which nobody can tell the lab" if other[id] else ""
                )
                reason = f"nothing was handed in for this lab{besides}"
                yield Chosen(id, lab, Entry(id, None), refusal=Refusal("not_handed_in", reason))
