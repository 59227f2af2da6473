"""Match submissions to the people in a class, without guessing.

A submission matches a person by id, by e-mail address or the part before the @, or by the LMS's own number if the roster has
it; otherwise by full name in either order. It is then listed under the id in the roster. If several people match, or if one
person matches several submissions for one lab, a submission stays unmatched and keeps its name from the download. A submission
under a group's name belongs to the group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from labkit.desk.people.final_score import Person
from labkit.desk.people.names import Names, in_one_word, plain, words
from labkit.grade.intake.files import Refusal
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_HANDED_IN
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.text import printable, shortened, some

NAMED = 3  # maximum number of people or submissions named in a message


@dataclass(frozen=True)
class Known:
    """Other data about a person in a roster: logins and numbers in an LMS, and submission times."""

    logins: tuple[str, ...] = ()
    canvas: str = ""  # the user's number in Canvas
    participant: str = ""  # as in Moodle's grading worksheet: "Participant 3000"
    submitted: Mapping[str, datetime] = field(default_factory=dict)  # submission times by lab; "" for any lab
    online_text: str = ""  # that the person typed into the LMS, in addition to files or instead of them


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
                times[lab] = max(times.get(lab, when), when, key=_comparable)
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
        if by == "moodle" and number.isdigit():
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
        name = name if by in ("canvas", "moodle") and number.isdigit() else student
        one_word = self._by["group in one word"].get("".join(words(name)), set())
        return self._by["group"].get(plain(name), set()), one_word

    def _behind_group(self, name: str) -> str:
        """Extract the student's name from a Moodle 3 folder name, "Group A-Ada Lovelace"; "" if no group matches."""
        cuts = (at for at, mark in enumerate(name) if mark == "-" and any(self._groups_called(name[:at], "")))
        return next((name[at + 1 :] for at in cuts), "")

    def _in_one_word(self, name: str) -> set[str]:
        """Match without spaces and punctuation, because Moodle drops some and replaces others with a space."""
        return set().union(*(self._by["one word"].get(form, set()) for form in in_one_word(name)))


def _comparable(when: datetime) -> datetime:
    """Make a time comparable with any other. A time without a time zone is assumed to be local."""
    return when.astimezone()


def check_roster(roster: Roster, submissions: Sequence[Submission]) -> None:
    """Check that at least one submission matches the roster. Errors: UserError."""
    names = {each.student: each for each in submissions}
    if names and not any(map(roster.owners_of, names.values())):
        raise UserError(
            f"no submission matches the roster: the submissions are named {_examples(names)}, and the roster's ids are "
            f"{_examples(roster.people)}; give the folder that directly contains the students' folders or files, or a "
            "roster with these names"
        )


def _examples(names: Iterable[str]) -> str:
    return some([repr(shortened(printable(each), 60)) for each in names], NAMED)


def join(course: Course, roster: Roster, submissions: Sequence[Submission]) -> tuple[list[Submission], dict[str, str]]:
    """Rename submissions to the ids and groups in the roster, and add a row for each missing submission.

    Also returns the unmatched submissions by name, with a reason if several people or submissions match.
    """
    labs: dict[str, set[str]] = defaultdict(set)  # labs by student
    fitting: dict[str, set[str]] = {}
    for each in submissions:
        labs[each.student].add(each.lab)
        if each.student not in fitting:
            fitting[each.student] = roster.owners_of(each)
    claims: dict[str, list[str]] = defaultdict(list)  # for each person or group, the names that match only them
    for student, found in fitting.items():
        if len(found) == 1:
            claims[next(iter(found))].append(student)
    claimed = {id: [*_conflicting(students, labs)] for id, students in claims.items()}
    ids = {student: id for id, students in claims.items() for student in students if student not in claimed[id]}
    rows, strangers = [], {}
    for each in submissions:
        name = ids.get(each.student) or _unmatched_name(each, roster, labs)
        rows.append(replace(each, student=name))
        if each.student not in ids:
            strangers[name] = _why(roster, fitting[each.student], claimed)
    rows += _absent(course, roster, rows, {id: students for id, students in claimed.items() if students})
    return sorted(rows, key=lambda each: (each.student, each.lab)), dict(sorted(strangers.items()))


def _conflicting(students: Sequence[str], labs: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the names that have a submission for the same lab as another of these names.

    `students`: names of submissions that all match the same person.
    """
    for student in students:
        if any(labs[student] & labs[other] for other in students if other != student):
            yield student


def _unmatched_name(each: Submission, roster: Roster, taken: Mapping[str, object]) -> str:
    """Name an unmatched submission.

    If its name is also an id or a group in the roster, the download's naming convention is added, as in "ada (canvas)".
    """
    name = each.student
    if name in roster.people or name in roster.groups:
        name = f"{name} ({each.by})"
        while name in taken or name in roster.people or name in roster.groups:
            name += "'"
    return name


def _why(roster: Roster, fit: set[str], claimed: Mapping[str, Sequence[str]]) -> str:
    if len(fit) > 1:
        named = [
            f"the group {id}" if id in roster.groups else f"{roster.people[id].name or id} ({id})" for id in sorted(fit)
        ]
        return f"matches several: {some(named, NAMED)}"
    return "".join(f"several submissions match {id}: {some(claimed[id], NAMED)}" for id in fit)


def _absent(
    course: Course, roster: Roster, submissions: Iterable[Submission], claimed: Mapping[str, Sequence[str]]
) -> Iterator[Submission]:
    there, other = {(each.student, each.lab) for each in submissions}, defaultdict(list)
    known = {lab for _, lab in there} & {*course.names}
    for each in submissions:
        if each.lab not in known:
            other[each.student].append(each.file or each.instead)
    for id in roster.people:
        for lab in sorted(known):
            if (id, lab) in there:
                continue
            reason = "no submission for this lab"
            group = roster.group_of(id)
            if id in claimed or group in claimed:
                kind, several = ("person", claimed[id]) if id in claimed else ("group", claimed[group])
                reason = f"several submissions may belong to this {kind}: {some(several, NAMED)}; keep one and remove or rename the rest"
            elif other[id]:
                reason += f"; the lab of {', '.join(other[id][:3])} is unknown"
            yield Submission(id, lab, refusal=Refusal(NOT_HANDED_IN, reason))
