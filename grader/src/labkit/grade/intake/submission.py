"""The record of a submission: who submitted it, for which lab, and how."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from labkit.grade.intake.files import Refusal

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
    def submitted_at(self) -> str | None:
        """The time of submission as ISO 8601 in UTC; None if unknown or out of range for datetime."""
        try:
            when = self.submitted and datetime.fromtimestamp(int(self.submitted), UTC)
            return when.isoformat().replace("+00:00", "Z") if when else None
        except (ValueError, OverflowError, OSError):
            return None

    def passing_over(self, files: Iterable[str]) -> Submission:
        """Copy the record, listing these files as ignored in favour of it."""
        names = sorted(files)
        more = [f"and {len(names) - NAMED:,} more"] if len(names) > NAMED else []
        return replace(self, passed_over=(*names[:NAMED], *more))
