"""Write final scores into a copy of a gradebook from Canvas, Moodle or Brightspace, or into a new file with a row for each.

| file | a lab's column | people are identified by |
|---|---|---|
| Canvas's gradebook | the assignment's name and number, "Lab 2 (4711)" | `ID`, `SIS User ID`, `SIS Login ID`, `Integration ID` |
| Moodle's gradebook | "Assignment: Lab 2 (Real)" | `Email address`, `ID number`, `Username` |
| Moodle's worksheet | "Grade", with "Feedback comments" | the same, or `Identifier`, the number in the names of downloaded files |
| Brightspace's gradebook | "Lab 2 Points Grade <Numeric MaxPoints:10>" | `OrgDefinedId`, `Username`, `Email` |

Brightspace imports only ids and points, so the copy has no other columns.
Canvas's rows without a person's id, such as "Points Possible", stay unchanged. EX marks an excused student there.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path

from labkit.desk.lms.table import Export, Names, Table, column_named, fill, names_of, number_of, written
from labkit.desk.pages.feedback import lines_of
from labkit.desk.pages.gradebook import BY_HAND, HEAD, PERSON, Columns, harmless
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.roster import in_one_word
from labkit.desk.people.score_store import Run
from labkit.desk.people.sheets import write_rows
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED
from labkit.student.model.errors import UserError
from labkit.student.model.text import html_for_a_cell, in_points

CANVAS_IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
POSSIBLE = "Points Possible"
EXCUSED = "EX"
MOODLE_IDS = ("Email address", "ID number", "Username")
WORKSHEET = ("Identifier", "Grade")
BRIGHTSPACE_IDS, LAST = ("OrgDefinedId", "Username"), "End-of-Line Indicator"
NAME, GROUP = "Full name", "Group"
WORDS = "Feedback comments"

Labs = Iterable[tuple[str, list[FinalScore]]]  # each assignment's name, and its rows


def fill_canvas(gradebook: Path, labs: Labs, out: Path) -> list[Export]:
    """Write a copy of Canvas's gradebook. Errors: UserError, OSError."""
    table = Table(gradebook)
    keys = _keys(table, CANVAS_IDS, "export the gradebook from Canvas again")
    if "ID" in table.titles:
        _add_numbers(table, keys)
    people = [row for row in table.rows() if any(table.get(row, column).strip() for column in keys)]
    exports = []
    for name, rows in labs:
        column = column_named(table, name, rf"{re.escape(name)} \(\d+\)")
        exports.append(fill(table, keys, people, rows, {column: _score}, EXCUSED))
        possible = [table.get(row, column) for row in table.rows() if table.get(row, 0).strip() == POSSIBLE]
        _note_most(exports[-1], "Canvas", name, possible, rows)
    return written(table, exports, out)


def fill_brightspace(gradebook: Path, labs: Labs, out: Path) -> list[Export]:
    """Write a grades file for Brightspace to import. Errors: UserError, OSError."""
    table = Table(gradebook)
    titles, again = table.titles, "export the grades from Brightspace again, with OrgDefinedId or Username"
    kept, exports = [titles.index(title) for title in BRIGHTSPACE_IDS if title in titles], []
    keys = _keys(table, (*BRIGHTSPACE_IDS, "Email") if kept else (), again)
    for name, rows in labs:
        column = column_named(table, name, rf"{re.escape(name)} Points Grade(?: <.*>)?")
        exports.append(fill(table, keys, table.rows(), rows, {column: _score}))
        _note_most(exports[-1], "Brightspace", name, re.findall(r"MaxPoints:([\d.]+)", titles[column]), rows)
        kept.append(column)
    table.keep([*kept, *(titles.index(title) for title in (LAST,) if title in titles)])
    return written(table, exports, out)


def _note_most(export: Export, lms: str, name: str, possible: list[str], rows: list[FinalScore]) -> None:
    """Add a note if the lab has another number of points in the LMS."""
    most = {in_points(row.max_score) for row in rows if row.max_score}
    if possible and most - {_plain(possible[0])}:
        there = f"{name} has {possible[0].strip()} points in {lms}"
        export.note(f"scores are not rescaled: {there}, but a different number in the course", sorted(most))


def fill_moodle(gradebook: Path, labs: Labs, out: Path) -> list[Export]:
    """Write a copy of Moodle's gradebook or grading worksheet. Errors: UserError, OSError."""
    table, labs = Table(gradebook), list(labs)
    titles = table.titles
    worksheet = all(title in titles for title in WORKSHEET)
    keys = _keys(table, (*MOODLE_IDS, *WORKSHEET[: int(worksheet)]), "export the grades from Moodle again")
    if worksheet:
        keys[titles.index("Identifier")] = lambda row: [*names_of(row), *_participants(row, table)]
        if len(labs) > 1:
            raise UserError(f"{table.name}: this worksheet is for one assignment; choose its lab with --lab")
    exports = []
    for name, rows in labs:
        column = titles.index("Grade") if worksheet else column_named(table, name, _titles(name))
        words = {titles.index(WORDS): _words} if worksheet and WORDS in titles else {}
        exports.append(fill(table, keys, table.rows(), rows, {column: _score, **words}))
    if worksheet:
        exports[-1].notes.append(
            "upload this worksheet before the feedback zip: after the zip, Moodle skips the students who got feedback, "
            "unless you allow updating records that were modified more recently in Moodle"
        )
    return written(table, exports, out)


def _score(row: FinalScore) -> str:
    return EXCUSED if row.final is None else in_points(row.final)


def _words(row: FinalScore) -> str:
    return html_for_a_cell("<br>".join(map(html.escape, lines_of(row))))


FORMS = {"canvas": fill_canvas, "moodle": fill_moodle, "brightspace": fill_brightspace}


def _keys(table: Table, ids: Iterable[str], remedy: str) -> dict[int, Names]:
    """The columns that identify people. Errors: UserError if there is none."""
    titles = table.titles
    if keys := {titles.index(title): names_of for title in ids if title in titles}:
        return keys
    raise UserError(f"{table.name}: the header has none of {', '.join(ids)}; {remedy}")


def _add_numbers(table: Table, keys: dict[int, Names]) -> None:
    """Compare the column ID with Canvas numbers only, because a number from another system may be equal by chance."""
    titles = table.titles
    own = titles.index("ID")
    others = any(table.get(row, column).strip() for row in table.rows() for column in keys if column != own)
    names = {table.get(row, own).strip(): table.get(row, 0).strip() for row in table.rows()}

    def numbers(row: FinalScore) -> list[str]:
        """A person's Canvas numbers. If the roster is a Canvas gradebook, its ids are Canvas numbers too."""
        same = row.person and names.get(row.person.id) == row.person.name
        return [*number_of(row, "canvas"), *(names_of(row) if same or not others else [])]

    keys[own] = numbers


def _plain(number: str) -> str:
    try:
        return in_points(float(number))
    except ValueError:
        return number


def _participants(row: FinalScore, table: Table) -> list[str]:
    """Find participants by the number in a file's name. The person's name must match too, because the number may belong to a group."""
    titles = table.titles
    numbers = [f"Participant {number}" for number in number_of(row, "moodle")]
    if GROUP not in titles:
        return numbers
    submitted = re.findall(r"([^/]+)_\d+_assignsubmission_", row.result.submission.file)
    at, name = titles.index("Identifier"), titles.index(NAME) if NAME in titles else len(titles)
    named = {table.get(each, at).strip(): in_one_word(table.get(each, name)) for each in table.rows()}
    known = set().union(*map(in_one_word, submitted))
    return [each for each in numbers if known & (named.get(each, set()) | {"participant"})]


def _titles(name: str) -> str:
    """A pattern that matches an activity's column of points, but not its columns of percentages and letter grades."""
    return rf"(?:[^:]+: )?{re.escape(name)}(?: \(Real\))?"


def _time(row: FinalScore) -> str:
    """Write a time in UTC without its zone, as nbgrader does."""
    when = row.result.submission.when
    return str(when.replace(tzinfo=None)) if when else ""


# Of files made anew: titles, and the cell for a final score.
CSV: Columns = {
    "student": HEAD["student"],
    "id": lambda row: harmless(row.profile.id),
    **{name: PERSON[name] for name in ("name", "email", "section")},
    **{name: HEAD[name] for name in ("lab", "status", "score", "max_score", "to_read")},
    "days_late": lambda row: in_points(row.days_late),
    **{name: HEAD[name] for name in ("penalty", "final")},
    "run": lambda row: "",
    **BY_HAND,
}
NBGRADER: Columns = {  # as in nbgrader's gradebook; a name is split into last and first name only at a comma
    "assignment": lambda row: row.lab,
    "duedate": lambda row: "",
    "timestamp": _time,
    "student_id": HEAD["student"],
    "last_name": lambda row: harmless(row.profile.name.partition(",")[0].strip()),
    "first_name": lambda row: harmless(row.profile.name.partition(",")[2].strip()),
    "email": PERSON["email"],
    "raw_score": lambda row: float(row.score),
    "late_submission_penalty": lambda row: float(row.penalty),
    "score": lambda row: float(row.final),
    "max_score": lambda row: float(row.max_score),
}


def write_new(form: str, rows: Iterable[FinalScore], run: Run, out: Path) -> Export:
    """Write a row for each final score. Errors: UserError if there is no score to export, OSError."""
    export, columns = Export(), {**CSV, "run": lambda row: str(run)}
    if form == "nbgrader":
        rows, columns = _with_scores([*rows], export), NBGRADER
    write_rows(out, columns, ([cell(row) for cell in columns.values()] for row in rows))
    return export


def _with_scores(rows: list[FinalScore], export: Export) -> list[FinalScore]:
    """Select the rows with a final score, and note the others. A missing submission has one, because nbgrader counts it as 0."""
    counted = [row for row in rows if row.is_scored or row.result.status == NOT_HANDED_IN]
    export.note(f"left out, {NOT_JUDGED}", (row.student for row in rows if row.result.status == NOT_JUDGED))
    export.note("left out, excused", (row.student for row in counted if row.final is None))
    if scored := [row for row in counted if row.final is not None]:
        return scored
    raise export.nothing("no score to export, so nothing was written")
