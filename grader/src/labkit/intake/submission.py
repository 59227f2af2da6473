"""The record of a submission: whose file it is, for which lab, and how it was submitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from labkit.intake.files import Refusal

NAMED = 100  # files passed over that a row names; of more it says how many
UNTIMED = ("canvas",)  # downloads in which all files carry the time of the download


@dataclass(frozen=True)
class Submission:
    """One file of one student. Each step of intake adds what it finds; then the record is carried whole to the reports."""

    student: str
    lab: str = ""
    path: Path | None = None  # None where the student submitted no notebook
    file: str = ""  # its name below the path that was given, for people to find it
    by: str = ""  # how the student was identified: folder, file, or a download's naming convention
    digest: str = ""  # of its bytes
    refusal: Refusal | None = None  # why it cannot be graded
    instead: str = ""  # what there is in place of a notebook
    order: float = 0.0  # grows from one of the student's attempts to the next; 0 where the download does not tell
    attempt: int = 0  # 1 for the first, as the download counts, else by time; 0 where there is none
    submitted: float | None = None  # seconds since 1970
    by_change: bool = False  # whether that is a file's time of change, which may be the download's own
    late: bool | None = None  # as the LMS marks it; None where it marks nothing
    changed: float = 0.0  # its file's time of change, in seconds since 1970
    answers: int = 0  # exercises that it answers
    submitter: str = ""  # who submitted it, where that is another of the student's group, or the group itself
    language: str = "en"  # of the notebook
    passed_over: tuple[str, ...] = ()  # the student's other files for this lab
    fingerprints: Mapping[str, bytes] = field(default_factory=dict, compare=False, repr=False)  # by exercise

    @property
    def notebook_path(self) -> Path:
        """The path of a submission that has a notebook. Errors: ValueError, where there is none."""
        if self.path is None:
            raise ValueError(f"{self.student} submitted no notebook")
        return self.path

    @property
    def source(self) -> str:
        """How the student was identified, and who submitted it if that is another."""
        return f"{self.by}, submitted by {self.submitter}" if self.submitter else self.by

    @property
    def submitted_at(self) -> str | None:
        """When, in UTC as ISO 8601 writes it; None where it is unknown, or of no year that a calendar has."""
        try:
            when = self.submitted and datetime.fromtimestamp(int(self.submitted), UTC)
            return when.isoformat().replace("+00:00", "Z") if when else None
        except (ValueError, OverflowError, OSError):
            return None

    def or_changed(self, changed: float) -> Submission:
        """The same, with its file's time of change where the download says no time, unless that is the download's own."""
        untold = self.submitted is None and self.by not in UNTIMED
        return replace(self, submitted=changed, by_change=True) if untold else self

    def passing_over(self, files: Iterable[str]) -> Submission:
        """The same, counting instead of these files."""
        names = sorted(files)
        more = [f"and {len(names) - NAMED:,} more"] if len(names) > NAMED else []
        return replace(self, passed_over=(*names[:NAMED], *more))
