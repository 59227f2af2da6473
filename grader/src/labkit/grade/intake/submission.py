"""The record of a submission: who submitted it, for which lab, and how; and what to report about the records of a class."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from labkit.grade.intake.files import Refusal
from labkit.student.model.text import printable, some

SHOWN = 10  # files named in a line
NAMED = 100  # ignored files that a row names; the rest are only counted


@dataclass(frozen=True)
class Submission:
    """One file submitted by one student. Each step that reads submissions fills in more fields."""

    student: str
    lab: str = ""
    path: Path | None = None  # None if the student submitted no notebook
    file: str = ""  # the file's path relative to the given one, for display
    by: str = ""  # how the student was identified: by folder, file, or a download's naming convention
    digest: str = ""  # of the file's bytes
    refusal: Refusal | None = None  # why the file cannot be graded
    instead: str = ""  # what was submitted in place of a notebook
    order: float = 0.0  # increases with each attempt of the student; 0 if the download has no order
    attempt: int = 0  # from 1, as numbered by the download, or else by time; 0 if unknown
    submitted: float | None = None  # seconds since 1970
    by_change: bool = False  # `submitted` is the file's modification time, which may be the time of the download
    late: bool | None = None  # the LMS's mark; None if it has none
    changed: float = 0.0  # the file's modification time, in seconds since 1970
    answers: int = 0  # answered exercises
    submitter: str = ""  # if not the student: another member of the group, or the group itself
    language: str = "en"  # of the notebook
    passed_over: tuple[str, ...] = ()  # the student's other files for this lab
    readings: tuple[str, ...] = ()  # the students whom the file's name may mean, if there are several

    @property
    def notebook_path(self) -> Path:
        """The path of the notebook. Errors: ValueError if there is none."""
        if self.path is None:
            raise ValueError(f"{self.student} submitted no notebook")
        return self.path

    @property
    def source(self) -> str:
        """How the student was identified, and the submitter if that is someone else."""
        return f"{self.by}, submitted by {self.submitter}" if self.submitter else self.by

    @property
    def when(self) -> datetime | None:
        """The time of submission in UTC; None if unknown or out of range for datetime."""
        try:
            return datetime.fromtimestamp(int(self.submitted), UTC) if self.submitted else None
        except (ValueError, OverflowError, OSError):
            return None

    @property
    def submitted_at(self) -> str | None:
        """The time of submission as ISO 8601."""
        return self.when.isoformat().replace("+00:00", "Z") if self.when else None

    def passing_over(self, files: Iterable[str]) -> Submission:
        """Copy the record, listing these files as ignored in favour of it."""
        names = sorted(files)
        more = [f"and {len(names) - NAMED:,} more"] if len(names) > NAMED else []
        return replace(self, passed_over=(*names[:NAMED], *more))


def one_student(submissions: Collection[Submission]) -> str:
    """Report that one student submitted all files, if these may be a class's; "" otherwise."""
    students = {each.student for each in submissions}
    files = sum(bool(each.path) + len(each.passed_over) for each in submissions)
    if len(students) != 1 or files <= len(submissions) or {each.by for each in submissions} - {"folder", "repository"}:
        return ""
    [student] = students
    return (
        f"All {files:,} files count as one student's, {printable(student)}, because they are in one folder. If they are "
        "several students', grade the folder that directly contains their files or folders."
    )


def doubtful(submissions: Iterable[Submission]) -> Iterator[str]:
    """Yield a line for the submissions that keep a row of their own, because their names have two readings."""
    rows = sorted(
        {f"{each.student} ({' or '.join(each.readings)})" for each in submissions if each.student in each.readings}
    )
    if rows:
        yield (
            f"Canvas's names of these files have two readings, so each has a row of its own ({len(rows):,}): {some(rows, SHOWN)}. "
            "Look in Canvas who submitted them."
        )
