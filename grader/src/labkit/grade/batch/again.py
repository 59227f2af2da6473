"""Grade some students of a class again and leave all other rows unchanged.

The other rows come from the last grading's record of them, not from the class's current files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.grade.batch.cache_key import lab_digest
from labkit.grade.batch.grade import Row
from labkit.grade.batch.store import FactStore
from labkit.grade.intake.submission import Submission
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import did_you_mean, printable, some

NAMED = 5  # most students named in a message
WHOLE = "grade the whole class without --only; stored results that still apply are reused"


@dataclass(frozen=True)
class Last:
    """What the last grading recorded: its rows, the settings that must be the same, and a digest of each graded lab."""

    rows: Sequence[Row]
    same: Mapping[str, Any]
    labs: Mapping[str, str]


def lab_digests(project: Project, rows: Iterable[Row]) -> dict[str, str]:
    """The digest of each graded lab, which must not change before some students are graded again."""
    return {lab: lab_digest(project, lab) for lab in sorted({each.lab for each, key in rows if key})}


def others(
    project: Project,
    out: Path,
    last: Last,
    submissions: Sequence[Submission],
    students: Collection[str],
    same: Mapping[str, Any],
) -> list[Row]:
    """Return the recorded rows of all students except `students`.

    `submissions` has the whole class as it is now; `same` has the current settings. Errors: UserError.
    """
    there = {each.student for each in submissions}
    for student in students:
        if student not in there:
            meant = did_you_mean(student, there)
            raise UserError(f"--only: there is no student {printable(student)!r} in this class{meant}")
    for name, value in last.same.items():
        if value != same.get(name) and not (name == "seed" and same[name] is None):
            raise UserError(
                f"{out}: its class was graded with {_option_text(name, value)}; use the same options, or {WHOLE}"
            )
    if any(lab_digest(project, lab) != deciding for lab, deciding in last.labs.items()):
        raise UserError(f"{out}: the course, labkit or its packages have changed; {WHOLE}")
    rows = [(each, key) for each, key in last.rows if each.student not in students]
    if missing := {each.student for each, _ in rows if each.file} - there:
        raise UserError(
            f"{out} belongs to another class: {_some_are(missing)} not in this one; use the class that was graded there"
        )
    store = FactStore(project, out)
    if lost := {each.student for each, key in rows if key and key not in store}:
        raise UserError(f"{out}: its cache has no result for {some(sorted(lost), NAMED)}; {WHOLE}")
    return rows


def _option_text(name: str, value: object) -> str:
    """Describe a recorded setting as a command-line option."""
    if name == "budgets":
        return "other budgets"
    if value is None or value is False:
        return f"no --{name}"
    return f"--{name}" if value is True else f"--{name} {value}"


def _some_are(students: Collection[str]) -> str:
    return f"{some(sorted(students), NAMED)} {'is' if len(students) == 1 else 'are'}"
