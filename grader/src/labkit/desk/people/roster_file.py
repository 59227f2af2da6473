"""Read a roster: your own CSV file, a gradebook exported from Canvas or Brightspace, Moodle's worksheet, or Sakai's grades.csv.

| file | id | name | other columns |
|---|---|---|---|
| your own | `id` | `name` | `email`, `login`, `section`, `group`, `extension` in days, `submitted_at` |
| Canvas's gradebook | `ID`, the user's number in Canvas | `Student` | `SIS User ID`, `SIS Login ID`, `Section` |
| Sakai's grades.csv | `ID` | `Last Name`, `First Name` | |
| Brightspace's grades | `OrgDefinedId`, else `Username` | `Last Name`, `First Name` | `Username`, `Email` |
| Moodle's worksheet | `Email address`, else `ID number`, `Username` or `Identifier` | `Full name` | `Group`, `Last modified (submission)` |

Only the id is required. The other columns of your own file may be added to the LMS's files.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from labkit.desk.people.final_score import Person
from labkit.desk.people.roster import Known, Roster, plain
from labkit.desk.people.sheets import columns_of, moment, number_of, read_sheet
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.text import printable, shortened

COLUMNS = ("id", "name", "email", "section", "group")
EXTENSION = "extension"  # in days
SUBMITTED = "submitted_at"  # also with a lab: "submitted_at 01_spread"
DAYS = 1000  # maximum extension
TEST_STUDENT = "Student, Test"  # in every Canvas course
# For each of our columns, its names in exports in English and Spanish. The first that exists is used.
CANVAS = {"id": "id", "name": "student", "section": "section", "login": "sis login id", "login 2": "sis user id"}
BRIGHTSPACE = {"id": "orgdefinedid", "login": "username", "email": "email", "group": "group", "section": "section"}
IDENTIFIER = ("identifier", "identificador")
MOODLE = {
    "name": ("full name", "nombre completo", "nombre"),
    "email": ("email address", "dirección de correo", "correo electrónico"),
    "number": ("id number", "número de id"),
    "username": ("username", "nombre de usuario"),
    "group": ("group", "grupo"),
    "when": ("last modified (submission)", "última modificación (entrega)"),
}
# Moodle may write one of these in the group column.
NO_GROUP = {
    "member of more than one group, so unable to make submissions.",
    "not a member of any group, so unable to make submissions.",
}


def read_roster(course: Course, path: Path) -> Roster:
    """Read the people in a file. Errors: UserError."""
    people: dict[str, Person] = {}
    known: dict[str, Known] = {}
    lines: dict[str, str] = {}
    groups: dict[str, str] = {}  # the first spelling of each name
    faults: list[str] = []
    for where, fields in _rows(course, path):
        id, days, group = fields["id"], number_of(fields.get(EXTENSION) or "0"), fields.get("group", "")
        fields["group"] = group = groups.setdefault(plain(group), group)
        if not id:
            faults.append(
                f"{where}: no id{f' for this member of the group {_shown(group)}' if group else ''}; give each person an id"
            )
        elif id in people:
            faults.append(f"{where}: {_duplicate_message(people[id], lines[id], group)}")
        elif not 0 <= days <= DAYS:
            shown = shortened(printable(fields[EXTENSION]), 40)
            faults.append(f"{where}: the extension {shown!r} is not a number of days from 0 to {DAYS}")
        else:
            people[id] = Person(**{name: fields.get(name, "") for name in COLUMNS}, extension=days)
            lines[id] = where.rpartition(", ")[2]
            try:
                known[id] = _known(course, fields)
            except UserError as problem:
                faults.append(f"{where}: {problem}")
    faults += (
        f"{path.name}, {lines[id]}: the id {_shown(id)} is also the name of a group; rename the group"
        for id in people
        if plain(id) in groups
    )
    if faults:
        raise UserError(faults[0] + (f" (and {len(faults) - 1} more like this)" if faults[1:] else ""))
    if not people:
        raise UserError(f"{path}: this roster is empty; add a line for each person below the header")
    return Roster(people, known)


def _duplicate_message(person: Person, line: str, group: str) -> str:
    """Explain that a person is listed twice."""
    if person.group and group and person.group != group:
        both = f"{_shown(person.group)} ({line}) and {_shown(group)}"
        return f"{_shown(person.id)} is in two groups, {both}; remove one of these lines"
    return f"the id {_shown(person.id)} is already in {line}; remove one of them"


def _shown(name: str) -> str:
    return shortened(printable(name), 60)


def _rows(course: Course, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each person's line and cells, by our own column names, from any of the three kinds of file."""
    there = columns_of(path)
    if {"id", "sis login id"} <= {*there}:
        form, needed = _of_canvas, ("id",)
    elif any(each in there for each in IDENTIFIER):
        form, needed = _of_moodle, ()
    elif {"orgdefinedid", "end-of-line indicator"} & {*there}:
        form, needed = _of_brightspace, ()
    else:
        form, needed = _own, ("id",)
    _check_labs(course, path, there)
    used = {*COLUMNS, EXTENSION, *CANVAS.values(), *IDENTIFIER, *(name for names in MOODLE.values() for name in names)}
    for where, cells in read_sheet(path, needed, once=used | {name for name in there if name.startswith(SUBMITTED)}):
        fields = form({name: unicodedata.normalize("NFC", cell.strip()) for name, cell in cells.items()})
        if fields:
            yield where, {**fields, **_added(cells)}


def _own(cells: Mapping[str, str]) -> dict[str, str]:
    """Remove the columns `canvas` and `participant`, which have a meaning only in an LMS's own file."""
    return {"name": _name_in(cells)} | {
        name: cell for name, cell in cells.items() if name not in ("canvas", "participant")
    }


def _name_in(cells: Mapping[str, str]) -> str:
    """The full name, made of the columns that Brightspace and Sakai write."""
    return ", ".join(filter(None, (cells.get("last name"), cells.get("first name"))))


def _added(cells: Mapping[str, str]) -> dict[str, str]:
    """The cells of our own columns that an LMS's file never has, if the instructor added some."""
    return {
        name: cell.strip()
        for name, cell in cells.items()
        if name == EXTENSION or name.startswith(SUBMITTED) and cell.strip()
    }


def _of_canvas(cells: Mapping[str, str]) -> dict[str, str]:
    """Return a person's cells; empty for other rows, such as "Points Possible" and the test student."""
    fields = {name: cells.get(column, "") for name, column in CANVAS.items()}
    if "lastname" in cells:
        fields["name"] = f"{cells['lastname']}, {cells.get('firstname', '')}"
    if not fields["id"] or fields["name"] == TEST_STUDENT:
        return {}
    login = fields["login"] if "@" in fields["login"] else ""
    added = {"email": cells.get("email") or login, "group": cells.get("group", "")}
    return {**fields, **added, "canvas": fields["id"]}


def _of_brightspace(cells: Mapping[str, str]) -> dict[str, str]:
    """Return a person's cells. Brightspace writes # before ids, so that spreadsheets keep their leading zeros."""
    fields = {name: cells.get(column, "").removeprefix("#") for name, column in BRIGHTSPACE.items()}
    return {**fields, "id": fields["id"] or fields["login"], "name": _name_in(cells)}


def _of_moodle(cells: Mapping[str, str]) -> dict[str, str]:
    def first(names: tuple[str, ...]) -> str:
        return next((cells[name] for name in names if cells.get(name)), "")

    fields = {name: first(columns) for name, columns in MOODLE.items()}
    participant = re.sub(r"^(\D*?)\s*(\d+)$", r"\1 \2", first(IDENTIFIER))
    id = fields["email"] or fields["number"] or fields["username"] or participant
    fields["group"] = "" if fields["group"].casefold() in NO_GROUP else fields["group"]
    logins = {"login": fields["username"], "login 2": fields["number"]}
    added = {"section": cells.get("section", ""), SUBMITTED: fields["when"]}
    return {**fields, **logins, **added, "id": id, "participant": participant}


def _known(course: Course, fields: Mapping[str, str]) -> Known:
    """Collect a person's logins, LMS numbers and submission times. Errors: UserError."""
    labs = {lab.casefold(): lab for lab in course.names} | {"": ""}
    times = {
        labs[name.removeprefix(SUBMITTED).strip()]: when
        for name, text in fields.items()
        if name.startswith(SUBMITTED) and (when := moment(text))
    }
    logins = tuple(filter(None, (fields.get("login", ""), fields.get("login 2", ""))))
    return Known(logins, fields.get("canvas", ""), fields.get("participant", ""), times)


def _check_labs(course: Course, path: Path, columns: list[str]) -> None:
    labs = {f"{SUBMITTED} {lab.casefold()}" for lab in course.names} | {SUBMITTED}
    for name in columns:
        if name.startswith(SUBMITTED) and name not in labs:
            raise UserError(f"{path.name}, line 1: the column {printable(name)} does not name a lab of this course")
